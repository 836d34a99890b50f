// A field reducer: `(current, update) => next`, with the members that an agent state and
// LangGraph's channels need.
//
// Invariants of every kind of field:
// - It is total and pure.
// - Null and undefined are not updates (LangGraph writes both). `Clear` sets a field to null.
// - An update is copied and checked to be plain JSON before `step` gets it.
// - A refusal, and an update that changes nothing, return the very reference that came in.

import type { $ZodType } from "zod/v4/core";
import { deepFreeze } from "../engine/freeze.ts";
import { copyJson, DEFAULT_LIMITS } from "../engine/limits/limits.ts";
import { faultRejection, rejection } from "../engine/rejection/reject.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import { isClear } from "./clear.ts";
import { plainMessages } from "./message-class.ts";

/**
 * Accepted: the next value, the same reference when nothing changed. Refused: the same reference,
 * and why.
 */
export type FieldTransition<Value> =
  | { readonly accepted: true; readonly state: Value }
  | { readonly accepted: false; readonly state: Value; readonly rejection: Rejection };

/**
 * One field of an agent state: a plain reducer. In LangGraph: `{ reducer: field, default:
 * field.default }`.
 */
export interface Field<Value, Update = Value> {
  /**
   * The next value; the same reference when the update is refused or changes nothing. `undefined`
   * stands for the initial value. Never throws.
   */
  (this: void, current: Value | undefined, update: Update | null | undefined): Value;
  /** `append`, `messages`, `replace`...: the `operation.type` of its rejections. */
  readonly kind: string;
  readonly initial: Value;
  readonly default: (this: void) => Value;
  readonly schema: $ZodType<Value>;
  /** The next value, or the refusal with its reason. Never throws. */
  readonly transition: (this: void, current: Value | undefined, update: unknown) => FieldTransition<Value>;
}

/** Any field, where its types do not matter. */
// oxlint-disable-next-line typescript/no-explicit-any -- both variances
export type AnyField = Field<any, any>;

/** The next value, or why the update is refused. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly rejection: Rejection };

export interface FieldSpec {
  readonly kind: string;
  readonly schema: $ZodType;
  readonly initial: unknown;
  /** Whether a `Clear` sets the field to null. Otherwise it is refused. */
  readonly isClearable?: boolean;
  /**
   * Applies an update, a detached copy of plain JSON. Returns `current` itself when nothing
   * changes, and does not mutate it.
   */
  readonly step: (current: unknown, update: unknown) => Outcome;
}

/** Makes a field. The schema and the step must agree with the types `Value` and `Update`. */
export function createField<Value, Update>({
  kind,
  schema,
  initial: written,
  isClearable = false,
  step,
}: FieldSpec): Field<Value, Update> {
  const initial = deepFreeze(written);
  const transition = (current: unknown, update: unknown): FieldTransition<unknown> => {
    const state = current === undefined ? initial : current;
    if (update === undefined || update === null) return { accepted: true, state };
    const outcome = attempt(state, update);
    return outcome.ok
      ? { accepted: true, state: outcome.value }
      : { accepted: false, state, rejection: outcome.rejection };
  };
  const attempt = (state: unknown, update: unknown): Outcome => {
    try {
      const copy = copyJson(plainMessages(update), DEFAULT_LIMITS);
      if (!copy.ok) return { ok: false, rejection: faultRejection(kind, copy.fault) };
      if (!isClear(copy.value)) return step(state, copy.value);
      return isClearable ? { ok: true, value: null } : { ok: false, rejection: notClearable(kind) };
    } catch {
      return {
        ok: false,
        rejection: rejection("failed", kind, "A check of the field's schema threw an error. Nothing was changed."),
      };
    }
  };
  const reduce = (current: unknown, update: unknown): unknown => transition(current, update).state;
  // The engine works on JSON. A value that the schema accepted has the types.
  return Object.assign(reduce, { kind, initial, default: () => initial, schema, transition }) as Field<Value, Update>;
}

function notClearable(kind: string): Rejection {
  return rejection(
    "invalid_operation",
    kind,
    "The field cannot be cleared: only a replace() field can, whose schema accepts null",
  );
}
