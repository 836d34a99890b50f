// `replace`: the newest valid value.

import type { $ZodType, output as Output } from "zod/v4/core";
import { compileValidator, type Validator } from "../engine/validation/validate.ts";
import { shareByPlace } from "../engine/validation/share.ts";
import { describeIssues } from "../engine/validation/issues.ts";
import { issuesRejection } from "../engine/rejection/reject.ts";
import type { WithClear } from "./clear.ts";
import { createField, type AnyField, type Field } from "./field.ts";
import { readValueSpec, type HeldValue, type ValueSpec, type Wide } from "./field-schema.ts";

/**
 * A value that each update replaces. It starts with `initial`, else with the schema's default, else
 * with null. A default alone (a string, a number, a boolean) sets the type. Without arguments any
 * JSON is valid.
 *
 * Null is not an update, since LangGraph writes it where there is none. Where the field may hold
 * null, the update `{ type: "$clear" }` sets it to null (`clear()` of `@opstate/langgraph`).
 *
 * Throws `OpstateError` (`invalid_definition`) for a schema that a state cannot have, and for an
 * initial value that the schema refuses.
 *
 * @example
 * ```ts
 * import { replace } from "@opstate/core";
 * import { z } from "zod";
 *
 * const plan = replace(z.object({ steps: z.array(z.string()) }), { steps: [] });
 * plan(undefined, { steps: ["look", "leap"] }); // { steps: ["look", "leap"] }
 * plan({ steps: [] }, "leap" as never); // { steps: [] }
 * plan({ steps: ["look"] }, null); // { steps: ["look"] }
 * replace("draft").initial; // "draft"
 *
 * const summary = replace(z.string());
 * summary("done", { type: "$clear" }); // null
 * ```
 */
export function replace(): Field<unknown, unknown>;
export function replace<const T extends string | number | boolean>(initial: T): Field<Wide<T>>;
export function replace<S extends $ZodType>(schema: S): Field<HeldValue<S>, WithClear<HeldValue<S>, Output<S>>>;
export function replace<S extends $ZodType>(
  schema: S,
  initial: Output<S>,
): Field<Output<S>, WithClear<Output<S>, Output<S>>>;
export function replace(schemaOrDefault?: $ZodType | string | number | boolean, ...initial: unknown[]): AnyField {
  return createReplaceField("replace", readValueSpec("replace", schemaOrDefault, ...initial));
}

/** A field whose update is its new value. */
export function createReplaceField<Value>(kind: string, { schema, initial, validator }: ValueSpec): Field<Value> {
  return createField({
    kind,
    schema,
    initial,
    isClearable: acceptsNull(compileValidator(schema)),
    step(current, update) {
      const parsed = validator.full(update);
      if (!parsed.ok)
        return { ok: false, rejection: issuesRejection("invalid_state", kind, describeIssues(parsed.issues)) };
      return { ok: true, value: shareByPlace(current, parsed.value) };
    },
  });
}

function acceptsNull(validator: Validator): boolean {
  try {
    return validator.full(null).ok;
  } catch {
    // A check of the author that does not expect null.
    return false;
  }
}
