// What is read of an operation's input: which members may be shown before they are closed, those
// that the definition marks by `.meta({ freeText: true })` and the objects around them; and which
// members there are.

import { globalRegistry, type $ZodType, type $ZodTypes } from "zod/v4/core";
import type { OpenMembers } from "./json-reader.ts";

const NONE: OpenMembers = new Map();

export function openMembersOf(input: $ZodType, around: readonly $ZodType[] = []): OpenMembers {
  const { def } = zodOf(unwrapped(input));
  // A schema may be a part of itself.
  if (def.type !== "object" || around.includes(input)) return NONE;
  const members = new Map<string, OpenMembers | "text">();
  for (const [key, member] of Object.entries(def.shape)) {
    const inner = isFreeText(member) ? "text" : openMembersOf(member, [...around, input]);
    if (inner === "text" || inner.size > 0) members.set(key, inner);
  }
  return members;
}

/** The members of an operation's input, and whether each is required. */
export function requiredMembersOf(input: $ZodType): ReadonlyMap<string, boolean> {
  const { def } = zodOf(unwrapped(input));
  const shape: Readonly<Record<string, $ZodType>> = def.type === "object" ? def.shape : {};
  return new Map(Object.entries(shape).map(([key, member]) => [key, member._zod.optin !== "optional"]));
}

/** The schema of one place of a state; undefined where several may stand there. */
export function schemaAt(schema: $ZodType, tokens: readonly string[]): $ZodType | undefined {
  return tokens.reduce<$ZodType | undefined>((found, token) => found && memberAt(found, token), schema);
}

function memberAt(schema: $ZodType, token: string): $ZodType | undefined {
  const { def } = zodOf(unwrapped(schema));
  if (def.type === "object") return def.shape[token];
  if (def.type === "array") return def.element;
  return def.type === "record" ? def.valueType : undefined;
}

function isFreeText(schema: $ZodType): boolean {
  if (globalRegistry.get(schema)?.["freeText"] === true) return true;
  const inner = innerOf(schema);
  return inner !== undefined && isFreeText(inner);
}

function unwrapped(schema: $ZodType): $ZodType {
  const inner = innerOf(schema);
  return inner === undefined ? schema : unwrapped(inner);
}

/** What an optional schema, or another one around it, wraps. */
function innerOf(schema: $ZodType): $ZodType | undefined {
  const { def } = zodOf(schema);
  return "innerType" in def ? def.innerType : undefined;
}

function zodOf(schema: $ZodType): $ZodTypes["_zod"] {
  // zod types a schema by its output; the kinds differ by `def.type`.
  return (schema as $ZodTypes)._zod;
}
