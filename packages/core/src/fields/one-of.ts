// `oneOf`: one of several strings, such as a status.

import { $ZodEnum } from "zod/v4/core";
import { compileValidator } from "../engine/validation/validate.ts";
import type { Field } from "./field.ts";
import { invalid } from "./field-schema.ts";
import { createReplaceField } from "./replace.ts";

/**
 * One of these strings. The initial value is the first.
 *
 * Throws `OpstateError` (`invalid_definition`) without values, and for a value that is not a string
 * or occurs twice.
 *
 * @example
 * ```ts
 * import { oneOf } from "@opstate/core";
 *
 * const status = oneOf(["running", "completed", "error"]);
 * status.initial; // "running"
 * status("running", "completed"); // "completed"
 * status("running", "paused" as never); // "running"
 * ```
 */
export function oneOf<const Value extends string>(values: readonly [Value, ...Value[]]): Field<Value> {
  const kind = "oneOf";
  if (
    !Array.isArray(values) ||
    values.length === 0 ||
    !values.every((value) => typeof value === "string") ||
    new Set(values).size !== values.length
  )
    throw invalid(kind, ["the values must be a list of at least one string, each different"]);
  const schema = new $ZodEnum({ type: "enum", entries: Object.fromEntries(values.map((value) => [value, value])) });
  return createReplaceField(kind, { schema, initial: values[0], validator: compileValidator(schema) });
}
