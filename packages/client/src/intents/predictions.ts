// What agents of other frameworks announce by the CUSTOM event `PredictState`: which argument of a
// tool will be which member of the state, a list of `{ state_key, tool, tool_argument }`.
//
// Such a tool is shown by the operation that writes these members: the only one whose input has
// them all, and requires no other.

import type { AnyDefinition } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { requiredMembersOf } from "./open-members.ts";

/** The name of the event. */
export const PREDICT_STATE = "PredictState";

/** The operation of a tool, and which of its members each argument of the tool is. */
export interface PredictedCall {
  readonly type: string;
  readonly names: Readonly<Record<string, string>>;
}

/** By tool. `value` is that of the event. What is not of its form is left out. */
export function predictedCalls(definition: AnyDefinition, value: unknown): ReadonlyMap<string, PredictedCall> {
  const names = new Map<string, Record<string, string>>();
  for (const each of Array.isArray(value) ? (value as readonly unknown[]) : []) {
    if (!isObject(each)) continue;
    const { tool, tool_argument: argument, state_key: key } = each;
    if (typeof tool !== "string" || typeof argument !== "string" || typeof key !== "string") continue;
    names.set(tool, { ...names.get(tool), [argument]: key });
  }
  const calls = new Map<string, PredictedCall>();
  for (const [tool, named] of names) {
    const type = operationFor(definition, new Set(Object.values(named)));
    if (type !== undefined) calls.set(tool, { type, names: named });
  }
  return calls;
}

function operationFor({ model }: AnyDefinition, keys: ReadonlySet<string>): string | undefined {
  const [found, ...others] = [...model.operations].filter(([, { input }]) => {
    const required = requiredMembersOf(input);
    return [...keys].every((key) => required.has(key)) && [...required].every(([key, is]) => !is || keys.has(key));
  });
  return others.length === 0 ? found?.[0] : undefined;
}
