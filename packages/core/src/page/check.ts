// What zod says of a value, as the page brings it: the whole value each time, no part of it alone.

import { type $ZodType, safeParse } from "zod/v4/core";
import { authoredText, issuesText } from "../json/issue-text.ts";
import { pointerOf, share } from "./json.ts";
import type { Adopted, PageModel } from "./model.ts";
import { deriveAll } from "./derive.ts";

const ISSUES = 5;

/** The output of a schema, sharing what is equal; or the first issues. */
export function parse(schema: $ZodType, value: unknown): Adopted {
  const result = safeParse(schema, value);
  if (result.success) return { state: share(value, result.data) as object };
  const issues = result.error.issues.map(({ code, path, message }) => ({ path: pointerOf(path), code, message }));
  const sentences = issues.slice(0, 2).map(({ path, message }) => authoredText(path, message));
  return { fault: { ...issues[0], message: issuesText(sentences, issues.length), issues: issues.slice(0, ISSUES) } };
}

/**
 * A value as a state: parsed and derived, unknown keys stripped. `base`: the state that it was made
 * from by an operation; then what both share is as it must be. Throws what a rule throws.
 */
export function settle({ schema, derive: rules }: PageModel, value: unknown, base?: object): Adopted {
  const isWhole = base === undefined;
  let derived = value;
  try {
    // A whole value may leave derived fields out. Those that it has must be of their type.
    derived = deriveAll(rules, base, value, isWhole);
  } catch (error) {
    const parsed = parse(schema, value);
    if (parsed.state !== undefined) throw error;
    return parsed;
  }
  for (;;) {
    const parsed = parse(schema, derived);
    const { state } = parsed;
    if (state === undefined || (state === derived && !isWhole)) return parsed;
    // What the schema filled in may lead to others.
    const again = deriveAll(rules, undefined, state);
    if (again === state) return parsed;
    derived = again;
  }
}
