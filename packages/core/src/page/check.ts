// What zod says of a value, in the build that the page loads. Of an operation's outcome only what
// changed is parsed, as far as each part has a schema of its own; of a value from elsewhere all.

import { type $ZodError, type $ZodType, safeParse } from "zod/v4/core";
import { authoredText, issuesText } from "../json/issue-text.ts";
import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import { deriveAll, withParts } from "./derive.ts";
import { keysOf, pointerOf, shareOnPage } from "./json.ts";
import type { Adopted, PageModel } from "./model.ts";
import { partOf, zodOf } from "./schema.ts";

/**
 * The output of a schema, sharing what is equal; or the first issues. `base`: an output of it,
 * whose parts are as they must be.
 */
export function parse(schema: $ZodType, value: unknown, base?: object): Adopted {
  let refused: $ZodError | undefined;
  const outputOf = (of: $ZodType, part: unknown, old: unknown): unknown => {
    if (part === old) return part;
    const { def } = zodOf(of);
    const { element, checks = [] } = def;
    const keys =
      isContainer(part) && isContainer(old) && !checks.length && Array.isArray(part) === !!element ? keysOf(part) : [];
    // An object with other keys than before is parsed as a whole.
    if (keys[0] !== undefined && keys.every((key) => partOf(def, key)) && (element ?? equal(keys, keysOf(old!), 1)))
      return withParts(part as Container, old, keys, (inner, before, key) =>
        outputOf(partOf(def, key)!, inner, before),
      );
    const { data, error } = safeParse(of, part);
    refused ??= error;
    return error ? part : shareOnPage(part, data);
  };
  const state = outputOf(schema, value, base) as object;
  if (!refused) return { state };
  // Parsed again as a whole, so that its issues are those of the whole.
  if (base) return parse(schema, value);
  const issues = refused.issues.map(({ code, path, message }) => ({ code, path: pointerOf(path), message }));
  const sentences = issues.slice(0, 2).map(({ path, message }) => authoredText(path, message));
  return { fault: { ...issues[0], issues: issues.slice(0, 5), message: issuesText(sentences, issues.length) } };
}

/**
 * A value as a state: parsed and derived, unknown keys stripped. `base`: the state that it was made
 * from by an operation; then what both share is as it must be. Throws what a rule throws.
 */
export function deriveAndCheck({ schema, derive: rules }: PageModel, value: unknown, base?: object): Adopted {
  let derived = value;
  try {
    // A whole value may leave derived fields out. Those that it has must be of their type.
    derived = deriveAll(rules, base, value, !base);
  } catch (error) {
    const parsed = parse(schema, value);
    if (parsed.state) throw error;
    return parsed;
  }
  for (;;) {
    const parsed = parse(schema, derived, base);
    const { state } = parsed;
    if (!state || (state === derived && base)) return parsed;
    // What the schema filled in may lead to others.
    const again = deriveAll(rules, undefined, state);
    if (again === state) return parsed;
    derived = again;
  }
}
