// The check of everything that comes in: a value becomes a detached event of protocol 1.0 with
// warnings about what was tolerated, or an error that says why it is malformed.
//
// Invariants:
// - It never throws.
// - A fragment or small state delta with nothing but its plain fields is not parsed by the schema:
//   such events come by the thousand. The result is the same.

import { isRecord } from "@opstate/core/json";
import { EventType, type AGUIEvent } from "@ag-ui/core";
import { EventSchema } from "@ag-ui/core/schemas";
import { safeParse, type $ZodType } from "zod/v4/core";
import type { ChatError, ChatWarning } from "../state/chat-state.ts";
import { detachJson, NotJson } from "../state/json.ts";
import { plainDelta } from "./plain-delta.ts";
import { legacyNulls, type RetiredEvent, RETIRED_TYPES } from "./retired.ts";
import { compileStrip, DROP, type Omission, type Strip, tagOf } from "./strip.ts";

export type Enforced =
  | { readonly event: AGUIEvent | RetiredEvent; readonly warnings: readonly ChatWarning[] }
  | { readonly event?: never; readonly warnings: readonly ChatWarning[] }
  | { readonly event?: never; readonly error: ChatError; readonly warnings?: never };

interface Rule {
  readonly schema: $ZodType;
  readonly strip: Strip;
}

/**
 * The plain fields of a fragment: one id, a `delta`, and optionally `timestamp` and
 * `subagentRunId`. A chunk may lack its id.
 */
interface Fragment {
  readonly id: "messageId" | "toolCallId";
  readonly chunk: boolean;
}

const FRAGMENTS = new Map<string, Fragment>([
  ["TEXT_MESSAGE_CONTENT", { id: "messageId", chunk: false }],
  ["REASONING_MESSAGE_CONTENT", { id: "messageId", chunk: false }],
  ["TOOL_CALL_ARGS", { id: "toolCallId", chunk: false }],
  ["TEXT_MESSAGE_CHUNK", { id: "messageId", chunk: true }],
  ["REASONING_MESSAGE_CHUNK", { id: "messageId", chunk: true }],
  ["TOOL_CALL_CHUNK", { id: "toolCallId", chunk: true }],
]);

const SCHEMAS = new Map<string, $ZodType>(EventSchema.options.map((option) => [String(tagOf(option, "type")), option]));
const RULES = new Map<string, Rule>();
const NO_WARNINGS: readonly ChatWarning[] = [];

/** Checks one event of a stream. */
export function enforce(value: unknown): Enforced {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof NotJson) return malformed(typeOf(value), `/${error.path.join("/")}`, error.message);
    return malformed("unknown", "", "cannot be read");
  }
}

function read(value: unknown): Enforced {
  if (!isRecord(value)) return malformed("unknown", "", "is not an object");
  const type = value["type"];
  if (typeof type !== "string") return malformed("unknown", "/type", "is not a string");
  if (isFragment(type, value)) return { event: value, warnings: NO_WARNINGS };
  const delta = type === "STATE_DELTA" ? plainDelta(value) : undefined;
  if (delta !== undefined) return { event: delta, warnings: NO_WARNINGS };
  const replacement = RETIRED_TYPES.get(type);
  if (replacement === undefined && !SCHEMAS.has(type)) {
    const message = `Events of type ${JSON.stringify(type.slice(0, 80))} are not part of protocol 1.0; they are left out`;
    return { warnings: [{ code: "unknown_event", eventType: type.slice(0, 80), message }] };
  }
  const { rawEvent: _provider, ...own } = value;
  const copy = legacyNulls(detachJson(own) as Record<string, unknown>);
  return replacement === undefined ? check(type, copy) : checkRetired(type, replacement, copy);
}

/**
 * A retired event is checked as the type that replaced it, with its own type as the id that it
 * lacks.
 */
function checkRetired(type: string, modern: EventType, copy: Record<string, unknown>): Enforced {
  const { title: _dropped, ...fields } = copy;
  const role = modern === EventType.REASONING_MESSAGE_START ? { role: "reasoning" } : {};
  const enforced = check(modern, { ...fields, ...role, type: modern, messageId: type });
  return enforced.event === undefined ? enforced : { ...enforced, event: { ...enforced.event, type } as RetiredEvent };
}

function check(type: string, copy: Record<string, unknown>): Enforced {
  const rule = ruleOf(type);
  const omitted: Omission[] = [];
  const stripped = rule.strip(copy, "", omitted);
  if (stripped === DROP) return malformed(type, "", "is not understood");
  const parsed = safeParse(rule.schema, stripped);
  if (parsed.success)
    return { event: stripped as AGUIEvent, warnings: omitted.map((omission) => omissionWarning(type, omission)) };
  const issue = parsed.error.issues[0];
  return malformed(type, `/${issue?.path.map(String).join("/") ?? ""}`, issue?.message ?? "is not valid");
}

function isFragment(type: string, value: Record<string, unknown>): value is AGUIEvent {
  const fragment = FRAGMENTS.get(type);
  if (fragment === undefined) return false;
  let hasId = fragment.chunk;
  let hasDelta = false;
  for (const key in value) {
    switch (key) {
      case "type":
        continue;
      case "messageId":
      case "toolCallId":
        if (key !== fragment.id) return false;
        hasId = true;
        break;
      case "delta":
        hasDelta = true;
        break;
      case "subagentRunId":
        break;
      case "timestamp":
        if (!Number.isSafeInteger(value[key])) return false;
        continue;
      default:
        return false;
    }
    if (typeof value[key] !== "string") return false;
  }
  return hasId && hasDelta;
}

function ruleOf(type: string): Rule {
  let rule = RULES.get(type);
  if (rule === undefined) {
    const schema = SCHEMAS.get(type)!;
    rule = { schema, strip: compileStrip(schema) };
    RULES.set(type, rule);
  }
  return rule;
}

function omissionWarning(type: string, { code, path }: Omission): ChatWarning {
  const what = code === "unknown_property" ? "A property" : "A value";
  // The message names no positions: what a thousand items have in common is one warning.
  const place = path.replaceAll(/\/\d+(?=\/|$)/g, "/*").slice(0, 200);
  const message = `${what} that protocol 1.0 does not describe was left out of a ${type}: ${place}`;
  return { code, eventType: type, message, path: path.slice(0, 200) };
}

function malformed(type: string, path: string, problem: string): Enforced {
  const where = path.length > 1 ? ` at ${path.slice(0, 200)}` : "";
  return { error: { kind: "malformed", message: `A malformed ${type} event${where}: ${problem}`, eventType: type } };
}

function typeOf(value: unknown): string {
  return isRecord(value) && typeof value["type"] === "string" ? value["type"].slice(0, 80) : "unknown";
}
