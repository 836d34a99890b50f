// A difference as an update: the definition's operations where they do just that, else `$patch`.
//
//   { op: "replace", path: "/cards/2/title", value: "B" }  ->  rename { cardId: "T-3", title: "B" }
//
// An operation's input is filled by name: with the members around the place (`cardId`), and with
// what is written there (`title`). The engine decides whether it fits, by running it.
//
// Invariants of an operation that is chosen:
// - Done on the state that the page began with, it gives exactly the page's.
// - Its input names what the page wrote or removed.
// - Done twice it does no more, unless it adds an item to a list. So "add 5" is never chosen for a
//   number that was 0 and is 5.

import type { AnyDefinition } from "@opstate/core";
import { equal, isObject } from "@opstate/core/json";
import { applyPatch, parsePointer, type Patch, type PatchOperation } from "@opstate/core/json-patch";
import { toolsOf } from "@opstate/core/tools";

export type Update = { readonly type: string; readonly [member: string]: unknown };

/** Steps that are tried one by one. */
const MOST_STEPS = 32;

/**
 * The operation, or the batch of operations, that does what the patch does; undefined when the
 * definition cannot express all of it.
 */
export function operationsFor(definition: AnyDefinition, base: unknown, patch: Patch): Update | undefined {
  if (patch.length > MOST_STEPS) return undefined;
  const signatures = toolsOf(definition).map(signatureOf);
  const operations: Update[] = [];
  let state = base;
  for (const step of patch) {
    const wanted = patched(definition, state, [step]);
    if (wanted === undefined) return undefined;
    const found = operationFor(definition, signatures, { state, step, wanted });
    if (found === undefined) return undefined;
    operations.push(found);
    state = wanted;
  }
  const [first, ...others] = operations;
  return others.length === 0 ? first : { type: "$batch", operations };
}

/** The patch with a test of everything that it replaces, removes or moves. */
export function guardedPatch(base: unknown, patch: Patch): Update {
  const steps: PatchOperation[] = [];
  let state = base;
  for (const step of patch) {
    const path = step.op === "move" ? step.from : step.path;
    const before = valueAt(state, path);
    if (step.op !== "add" && before !== undefined) steps.push({ op: "test", path, value: before });
    steps.push(step);
    const applied = applyPatch(state, [step], { inverse: false });
    if (applied.ok) state = applied.document;
  }
  return { type: "$patch", patch: steps };
}

/** The state after a patch, with its derived fields; undefined where the schema refuses it. */
function patched(definition: AnyDefinition, state: unknown, patch: Patch): unknown {
  const result = definition.transition(state, { type: "$patch", patch }, { patches: true });
  return result.accepted ? result.state : undefined;
}

interface Signature {
  readonly type: string;
  readonly members: readonly string[];
  readonly required: readonly string[];
}

function signatureOf({ name, inputSchema }: ReturnType<typeof toolsOf>[number]): Signature {
  const { properties, required } = inputSchema;
  const members = isObject(properties) ? Object.keys(properties) : [];
  return { type: name, members, required: Array.isArray(required) ? required.map(String) : [] };
}

interface Step {
  readonly state: unknown;
  readonly step: PatchOperation;
  readonly wanted: unknown;
}

function operationFor(
  definition: AnyDefinition,
  signatures: readonly Signature[],
  { state, step, wanted }: Step,
): Update | undefined {
  if (step.op !== "add" && step.op !== "replace" && step.op !== "remove") return undefined;
  const value = step.op === "remove" ? valueAt(state, step.path) : step.value;
  const key = parsePointer(step.path).at(-1) ?? "";
  const parent = valueAt(state, step.path.slice(0, step.path.lastIndexOf("/")));
  const isInsert = step.op === "add" && Array.isArray(parent);
  const written = new Map<string, unknown>(isObject(value) ? Object.entries(value) : []);
  if (!Array.isArray(parent)) written.set(key, value);
  const names = new Map([...namesAround(state, step.path), ...written]);

  function isRight(operation: Update): boolean {
    const done = definition.transition(state, operation);
    if (!done.accepted || !equal(done.state, wanted)) return false;
    if (isInsert) return true;
    const again = definition.transition(done.state, operation);
    return !again.accepted || again.patches.length === 0;
  }

  for (const { type, members, required } of signatures) {
    const open = required.filter((member) => !names.has(member));
    if (open.length > 1) continue;
    const filled = new Map([...names, ...open.map((member) => [member, value] as const)]);
    if (open.length === 0 && !members.some((member) => written.has(member))) continue;
    // With as few members as possible: others may say more than the page changed.
    for (const chosen of [required, members]) {
      const input = chosen.filter((member) => filled.has(member)).map((member) => [member, filled.get(member)]);
      const operation: Update = { ...Object.fromEntries(input), type };
      if (isRight(operation)) return operation;
    }
  }
  return undefined;
}

/** The members of everything around a place, the nearest last. */
function namesAround(state: unknown, path: string): readonly (readonly [string, unknown])[] {
  const names: (readonly [string, unknown])[] = [];
  let value = state;
  for (const token of parsePointer(path)) {
    if (isObject(value)) names.push(...Object.entries(value));
    value = memberOf(value, token);
  }
  return names;
}

/** Undefined where nothing is. */
export function valueAt(state: unknown, path: string): unknown {
  return parsePointer(path).reduce<unknown>(memberOf, state);
}

function memberOf(value: unknown, token: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) return undefined;
  return Reflect.get(value, token);
}
