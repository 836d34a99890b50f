// What zod says of a value, as the page brings it: of an operation's outcome only what changed, as
// far as each part has a schema of its own; of a value from elsewhere the whole.

import { type $ZodType, safeParse } from "zod/v4/core";
import { authoredText, issuesText } from "../json/issue-text.ts";
import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import { deriveAll, write } from "./derive.ts";
import { keysOf, pointerOf, share } from "./json.ts";
import type { Adopted, PageModel } from "./model.ts";
import { partOf, zodOf } from "./schema.ts";

const ISSUES = 5;

/**
 * The output of a schema, sharing what is equal; or the first issues. `base`: an output of it,
 * whose parts are as they must be.
 */
export function parse(schema: $ZodType, value: unknown, base?: object): Adopted {
  const part = base && outputOf(schema, value, base);
  if (part !== undefined) return { state: part as object };
  const result = safeParse(schema, value);
  if (result.success) return { state: share(value, result.data) as object };
  const issues = result.error.issues.map(({ code, path, message }) => ({ path: pointerOf(path), code, message }));
  const sentences = issues.slice(0, 2).map(({ path, message }) => authoredText(path, message));
  return { fault: { ...issues[0], message: issuesText(sentences, issues.length), issues: issues.slice(0, ISSUES) } };
}

/** Parses what the base does not have in this place. Undefined: something of it is refused. */
function outputOf(schema: $ZodType, value: unknown, base: unknown): unknown {
  if (value === base) return value;
  const { def } = zodOf(schema);
  const { element, checks = [] } = def;
  const isPlain = isContainer(value) && isContainer(base) && !checks.length;
  const keys = isPlain && Array.isArray(value) === !!element ? keysOf(value) : [];
  // An object with other keys than before is parsed as a whole.
  if (!keys.length || !keys.every((key) => partOf(def, key)) || !(element ?? equal(keys, keysOf(base as object), 1))) {
    const { success, data } = safeParse(schema, value);
    return success ? share(value, data) : undefined;
  }
  const known = new Set(element && Object.values(base as object));
  let result = value as Container;
  for (const key of keys) {
    const part = result[key];
    const output = known.has(part) ? part : outputOf(partOf(def, key)!, part, (base as Container)[key]);
    if (output === undefined) return output;
    if (output !== part) result = write(result, value as Container, key, output);
  }
  return result;
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
    const parsed = parse(schema, derived, base);
    const { state } = parsed;
    if (state === undefined || (state === derived && !isWhole)) return parsed;
    // What the schema filled in may lead to others.
    const again = deriveAll(rules, undefined, state);
    if (again === state) return parsed;
    derived = again;
  }
}
