// The schema and the initial value of a field, checked once. All faults are one error.

import {
  $ZodArray,
  $ZodBoolean,
  $ZodNullable,
  $ZodNumber,
  $ZodString,
  $ZodUnknown,
  type $ZodType,
  type input as Input,
  type output as Output,
} from "zod/v4/core";
import { inspectStateSchema } from "../definition/schema.ts";
import { describeIssues } from "../engine/validation/issues.ts";
import { copyJson, DEFAULT_LIMITS } from "../engine/limits/limits.ts";
import { compileValidator, type Validator } from "../engine/validation/validate.ts";
import { OpstateError } from "../error.ts";

/** The value of a field with this schema: null until the first update if there is no default. */
export type HeldValue<S extends $ZodType> =
  undefined extends Output<S>
    ? Exclude<Output<S>, undefined> | null
    : undefined extends Input<S>
      ? Output<S>
      : Output<S> | null;

/** The value of a field with this default: `"text"` as a string, `1` as a number. */
export type Wide<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : never;

type Scalar = string | number | boolean;

/** A field with one value: its schema, the validator of its updates, and its initial value. */
export interface ValueSpec {
  readonly schema: $ZodType;
  readonly validator: Validator;
  readonly initial: unknown;
}

/** Throws `OpstateError` when `schema` cannot be part of a state. */
export function checkSchema(kind: string, schema: $ZodType): void {
  // In an array, because a field is not the root of a state: it may have a key "type".
  const faults = inspectStateSchema(new $ZodArray({ type: "array", element: schema }));
  if (faults.length > 0)
    throw invalid(
      kind,
      faults.map((fault) => `schema${fault.path.replace(/^\/\*/, "")}: ${fault.message}`),
    );
}

/** Reads `()`, `(schema)`, `(schema, initial)` and `(text, number or boolean)`. */
export function readValueSpec(
  kind: string,
  schemaOrDefault?: $ZodType | Scalar,
  ...initial: readonly unknown[]
): ValueSpec {
  if (schemaOrDefault === undefined) return checkedValueSpec(kind, new $ZodUnknown({ type: "unknown" }), null);
  if (typeof schemaOrDefault !== "object")
    return checkedValueSpec(kind, schemaOf(kind, schemaOrDefault), schemaOrDefault);
  checkSchema(kind, schemaOrDefault);
  if (initial.length > 0) return checkedValueSpec(kind, schemaOrDefault, initial[0]);
  const own = ownDefault(schemaOrDefault);
  if (own !== undefined) return checkedValueSpec(kind, schemaOrDefault, own);
  const schema = new $ZodNullable({ type: "nullable", innerType: schemaOrDefault });
  return { schema, validator: compileValidator(schemaOrDefault), initial: null };
}

/** The output of the schema for undefined. */
function ownDefault(schema: $ZodType): unknown {
  try {
    const parsed = compileValidator(schema).full(undefined);
    return parsed.ok ? parsed.value : undefined;
  } catch {
    // A check of the author that does not expect undefined.
    return undefined;
  }
}

function checkedValueSpec(kind: string, schema: $ZodType, written: unknown): ValueSpec {
  const validator = compileValidator(schema);
  const copy = copyJson(written, DEFAULT_LIMITS);
  if (!copy.ok) throw invalid(kind, [`initial${copy.fault.path}: ${copy.fault.message}`]);
  const parsed = validator.full(copy.value);
  if (!parsed.ok) throw invalid(kind, [`initial: ${describeIssues(parsed.issues).message}`]);
  return { schema, validator, initial: parsed.value };
}

function schemaOf(kind: string, value: Scalar): $ZodType {
  switch (typeof value) {
    case "string":
      return new $ZodString({ type: "string" });
    case "number":
      return new $ZodNumber({ type: "number" });
    case "boolean":
      return new $ZodBoolean({ type: "boolean" });
    default:
      throw invalid(kind, ["the first argument must be a schema, or a string, number or boolean as the default"]);
  }
}

export function invalid(kind: string, faults: readonly string[]): OpstateError {
  return new OpstateError(
    "invalid_definition",
    `The field ${kind}() cannot work:\n${faults.map((fault) => `- ${fault}`).join("\n")}`,
  );
}
