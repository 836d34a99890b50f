// `immutable`: a value that is set once. A field's value does not say whether it was set, so it
// counts as unset while it equals the initial value.

import type { $ZodType, output as Output } from "zod/v4/core";
import { describeIssues } from "../engine/validation/issues.ts";
import { issuesRejection, rejection } from "../engine/rejection/reject.ts";
import { equal } from "../json/equal.ts";
import { createField, type AnyField, type Field } from "./field.ts";
import { readValueSpec, type HeldValue, type Wide } from "./field-schema.ts";

const LEVELS = 100;

/**
 * A value that is set once. Without a default the field is null until it is set: the first value
 * stays, later ones are refused (`refused`, reason `immutable`), an equal one changes nothing.
 *
 * With a default, the field has the default until the first value that differs. Writing the default
 * itself does not set it: `immutable(z.int(), 3)` that is given 3 may still become 5, once. For a
 * value that never changes, use `fixed(schema, value)`.
 *
 * Throws `OpstateError` (`invalid_definition`) for a schema that a state cannot have, and for a
 * default that the schema refuses.
 *
 * @example
 * ```ts
 * import { immutable } from "@opstate/core";
 * import { z } from "zod";
 *
 * const topic = immutable(z.string());
 * topic(undefined, "tabs or spaces"); // "tabs or spaces"
 * topic("tabs or spaces", "vim or emacs"); // "tabs or spaces"
 *
 * const rounds = immutable(z.int(), 3);
 * rounds(3, 3); // 3
 * rounds(3, 5); // 5
 * rounds(5, 3); // 5
 * ```
 */
export function immutable<S extends $ZodType>(schema: S): Field<HeldValue<S>, Output<S>>;
/**
 * Set once, any JSON; null until then.
 */
export function immutable(): Field<unknown, unknown>;
/**
 * Has its default until the first value that differs, which then stays. Writing the default itself
 * does not set it. For a value that never changes, use `fixed(value)`.
 */
export function immutable<const T extends string | number | boolean>(unset: T): Field<Wide<T>>;
/**
 * Has its default until the first value that differs, which then stays. Writing the default itself
 * does not set it. For a value that never changes, use `fixed(schema, value)`.
 */
export function immutable<S extends $ZodType>(schema: S, unset: Output<S>): Field<Output<S>>;
export function immutable(schemaOrDefault?: $ZodType | string | number | boolean, ...rest: unknown[]): AnyField {
  const kind = "immutable";
  const { schema, initial, validator } = readValueSpec(kind, schemaOrDefault, ...rest);
  return createField({
    kind,
    schema,
    initial,
    step(current, update) {
      const parsed = validator.full(update);
      if (!parsed.ok)
        return { ok: false, rejection: issuesRejection("invalid_operation", kind, describeIssues(parsed.issues)) };
      if (equal(current, parsed.value, LEVELS)) return { ok: true, value: current };
      if (equal(current, initial, LEVELS)) return { ok: true, value: parsed.value };
      return {
        ok: false,
        rejection: rejection("refused", kind, refusal(initial), {
          reason: "immutable",
          details: initial === null ? { current } : { current, default: initial },
        }),
      };
    },
  });
}

function refusal(initial: unknown): string {
  const set = "The value is already set and cannot change";
  return initial === null ? set : `${set}: it was set once, in place of the default`;
}
