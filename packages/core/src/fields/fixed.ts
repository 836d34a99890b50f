// `fixed`: a value that never changes.

import type { $ZodType, output as Output } from "zod/v4/core";
import { rejection } from "../engine/rejection/reject.ts";
import { equal } from "../json/equal.ts";
import { createField, type AnyField, type Field } from "./field.ts";
import { readValueSpec, type Wide } from "./field-schema.ts";

const LEVELS = 100;

/**
 * A value that never changes: every other one is refused (`refused`, reason `fixed`), an equal one
 * changes nothing. A value alone (a string, a number, a boolean) sets the type. For a value that is
 * set once, later, use `immutable`.
 *
 * Throws `OpstateError` (`invalid_definition`) for a schema that a state cannot have, and for a
 * value that the schema refuses.
 *
 * @example
 * ```ts
 * import { fixed } from "@opstate/core";
 * import { z } from "zod";
 *
 * const maxRounds = fixed(z.int(), 3);
 * maxRounds.initial; // 3
 * maxRounds(3, 5); // 3
 * ```
 */
export function fixed<const T extends string | number | boolean>(value: T): Field<Wide<T>>;
export function fixed<S extends $ZodType>(schema: S, value: Output<S>): Field<Output<S>>;
export function fixed(schemaOrValue: $ZodType | string | number | boolean, ...rest: unknown[]): AnyField {
  const kind = "fixed";
  const { schema, initial } = readValueSpec(kind, schemaOrValue, ...rest);
  return createField({
    kind,
    schema,
    initial,
    step: (current, update) =>
      equal(current, update, LEVELS)
        ? { ok: true, value: current }
        : {
            ok: false,
            rejection: rejection("refused", kind, "The value is fixed and cannot change", {
              reason: "fixed",
              details: { current },
            }),
          },
  });
}
