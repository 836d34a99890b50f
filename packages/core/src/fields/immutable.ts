// `immutable`: a value that is set once.

import type { $ZodType, output as Output } from "zod/v4/core";
import { describeIssues } from "../engine/validation/issues.ts";
import { issuesRejection, rejection } from "../engine/rejection/reject.ts";
import { equal } from "../json/equal.ts";
import { createField, type AnyField, type Field } from "./field.ts";
import { readValueSpec, type HeldValue, type Wide } from "./field-schema.ts";

const LEVELS = 100;

/**
 * A value that is set once. The default counts as unset: the first value that differs from it
 * stays. Later values are refused (`refused`, reason `immutable`), an equal one changes nothing.
 * The arguments are those of `replace`.
 *
 * Throws `OpstateError` (`invalid_definition`) for a schema that a state cannot have, and for a
 * default that the schema refuses.
 *
 * @example
 * ```ts
 * import { immutable } from "@opstate/core";
 *
 * const topic = immutable("");
 * topic("", "tabs or spaces"); // "tabs or spaces"
 * topic("tabs or spaces", "vim or emacs"); // "tabs or spaces"
 * ```
 */
export function immutable(): Field<unknown, unknown>;
export function immutable<const T extends string | number | boolean>(initial: T): Field<Wide<T>>;
export function immutable<S extends $ZodType>(schema: S): Field<HeldValue<S>, Output<S>>;
export function immutable<S extends $ZodType>(schema: S, initial: Output<S>): Field<Output<S>>;
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
        rejection: rejection("refused", kind, "The value is already set and cannot change", {
          reason: "immutable",
          details: { current },
        }),
      };
    },
  });
}
