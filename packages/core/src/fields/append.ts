// `append`: a list that only grows.

import { $ZodArray, $ZodUnknown, type $ZodType, type output as Output } from "zod/v4/core";
import { describeIssues } from "../engine/validation/issues.ts";
import { compileValidator } from "../engine/validation/validate.ts";
import type { Field } from "./field.ts";
import { checkSchema } from "./field-schema.ts";
import { createListField } from "./list-field.ts";

/**
 * An item or a list of items. A list is always read as a list of items: to append an item that is
 * itself a list, send `[item]`.
 */
export type AppendUpdate<Item> = Item extends readonly unknown[] ? readonly Item[] : Item | readonly Item[];

/**
 * A list that grows: an update is an item or a list of items, which are appended. One invalid item
 * refuses the whole update. Without a schema any JSON is a valid item.
 *
 * Throws `OpstateError` (`invalid_definition`) for a schema that a state cannot have.
 *
 * @example
 * ```ts
 * import { append } from "@opstate/core";
 * import { z } from "zod";
 *
 * const notes = append(z.string());
 * notes(["a"], "b"); // ["a", "b"]
 * const { accepted, state } = notes.transition(["a"], ["b", 3]);
 * accepted; // false
 * state; // ["a"]
 * ```
 */
export function append(): Field<unknown[], unknown>;
export function append<S extends $ZodType>(itemSchema: S): Field<Output<S>[], AppendUpdate<Output<S>>>;
export function append(itemSchema?: $ZodType): Field<unknown[], unknown> {
  const kind = "append";
  const element = itemSchema ?? new $ZodUnknown({ type: "unknown" });
  checkSchema(kind, element);
  const schema = new $ZodArray({ type: "array", element });
  const validator = compileValidator(schema);
  return createListField({
    kind,
    schema,
    accept(items) {
      const parsed = validator.full(items);
      if (parsed.ok) return { ok: true, items: Array.isArray(parsed.value) ? parsed.value : [] };
      return { ok: false, ...describeIssues(parsed.issues) };
    },
  });
}
