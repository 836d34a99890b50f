// Findings in words: what was expected, and what came instead.

import { equal } from "../../patch/json.ts";
import { diff } from "../../patch/index.ts";

/** What is equal when an update does the same again. */
export type Outcome = { readonly state: unknown; readonly rest: unknown };

/** The first place where two outcomes differ. */
export function difference(expected: Outcome, got: Outcome): string {
  if (!equal(expected.rest, got.rest, Infinity))
    return `Expected ${show(expected.rest ?? "accepted")}, got ${show(got.rest ?? "accepted")}.`;
  const changes = diff(expected.state, got.state);
  const at = changes[0]?.path ?? "";
  return `At "${at}": expected ${show(valueAt(expected.state, at))}, got ${show(valueAt(got.state, at))}.`;
}

function valueAt(state: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, token) =>
        typeof value === "object" && value !== null
          ? Reflect.get(value, token.replaceAll("~1", "/").replaceAll("~0", "~"))
          : undefined,
      state,
    );
}

const SHOWN = 300;

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}... (${text.length} characters)`;
}
