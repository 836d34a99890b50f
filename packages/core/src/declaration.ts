// The entry `@opstate/core/declaration`: declarations as text. It imports the `yaml` package.

import { type FieldDeclarations, fieldsFrom, readValue } from "./fields/declaration.ts";
import { readText } from "./fields/declaration-text.ts";
import type { Field } from "./fields/field.ts";

export type { FieldDeclaration, FieldDeclarations } from "./fields/declaration.ts";

/**
 * The fields that a declaration describes. Unlike `fieldsFromDeclaration` of `@opstate/core` it
 * also reads text in JSON or YAML.
 *
 * Throws `OpstateError` (`invalid_definition`) with the line and the field of every mistake.
 *
 * @example
 * ```ts
 * import { defineAgentState } from "@opstate/core";
 * import { fieldsFromDeclaration } from "@opstate/core/declaration";
 *
 * const state = defineAgentState(fieldsFromDeclaration(`
 * state:
 *   - name: messages
 *     type: list
 *   - name: notes
 *     type: list
 *     reducer: append
 *   - { name: rounds, type: int, default: 3 }
 * `));
 *
 * state.reduce(undefined, { notes: ["a"] }); // { messages: [], notes: ["a"], rounds: 3 }
 * ```
 */
export function fieldsFromDeclaration(
  declaration: string | FieldDeclarations,
): Record<string, Field<unknown, unknown>> {
  return fieldsFrom(typeof declaration === "string" ? readText(declaration) : readValue(declaration));
}
