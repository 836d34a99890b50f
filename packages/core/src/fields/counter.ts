// `counter`: a whole number. Updates are added to it.

import { $ZodNumberFormat } from "zod/v4/core";
import { describeIssues } from "../engine/validation/issues.ts";
import { issuesRejection, rejection } from "../engine/rejection/reject.ts";
import { compileValidator } from "../engine/validation/validate.ts";
import { createField, type Field } from "./field.ts";
import { invalid } from "./field-schema.ts";

/**
 * A count: an update is a whole number, possibly negative, that is added to it. Only whole numbers,
 * because their sum does not depend on their order. An amount with decimals (a price) is a
 * `replace` field, or an operation of a definition.
 *
 * Throws `OpstateError` (`invalid_definition`) for an initial value that is not a safe integer.
 *
 * @example
 * ```ts
 * import { counter } from "@opstate/core";
 *
 * const round = counter();
 * round(undefined, 1); // 1
 * round(1, 2); // 3
 * round(3, 0.5); // 3
 * ```
 */
export function counter(initial = 0): Field<number> {
  const kind = "counter";
  if (!Number.isSafeInteger(initial)) throw invalid(kind, ["the initial value must be a safe integer"]);
  const schema = new $ZodNumberFormat({ type: "number", check: "number_format", format: "safeint", abort: false });
  const validator = compileValidator(schema);
  return createField({
    kind,
    schema,
    initial,
    step(current, update) {
      const parsed = validator.full(update);
      if (!parsed.ok)
        return { ok: false, rejection: issuesRejection("invalid_operation", kind, describeIssues(parsed.issues)) };
      const next = Number(current) + Number(parsed.value);
      if (typeof current === "number" && Number.isSafeInteger(next)) return { ok: true, value: next };
      return {
        ok: false,
        rejection: rejection("invalid_state", kind, "The count would not be a safe integer"),
      };
    },
  });
}
