// What an author's code threw: a bug. `onFailure` gets the error, the sender a rejection.
//
// The text of such an error may contain secrets: only a rejection in development carries it. A
// DraftError's text is opstate's own and is always carried.
//
// The reducer itself prints nothing (law 1). In development the hook of a definition that has none
// of its own is `printFailure`.

import { describe } from "../../json/describe.ts";
import { Underivable } from "../derive.ts";
import { DraftError, GrowthError, ReservedKeyError } from "../draft/draft.ts";
import { tooManyValues } from "../limits/growth.ts";
import type { Model } from "../model.ts";
import type { AnyOperation } from "../operation.ts";
import { rejection } from "./reject.ts";
import type { Rejection } from "./rejection.ts";
import { DerivedCycle } from "../related-rules.ts";

/** The code of an operation threw, or returned what would be lost. */
export function failed(model: Model, type: string, error: unknown): Rejection {
  const isDraft = isDraftError(error);
  if (isDraft && error instanceof GrowthError) return tooManyValues(type, error.most, error.path);
  // The key may be one that a user chose: no bug.
  const isReserved = isDraft && error instanceof ReservedKeyError;
  if (!isReserved) report(model, type, error);
  if (isDraft)
    return rejection(
      isReserved ? "invalid_state" : "failed",
      type,
      `"${type}" failed: ${error.problem}. Nothing was changed.`,
      { path: error.path },
    );
  return rejection(
    "failed",
    type,
    `"${type}" failed: its code threw an error${text(model, error)}. Nothing was changed.`,
  );
}

/**
 * A derive rule threw on a state that the schema accepts, because it relies on something else, or
 * gave a value that is not JSON. `onFailure` gets the error, the sender reads which field it was.
 * Anything else that was thrown is the schema's own.
 */
export function underivable(model: Model, type: string, error: unknown): Rejection {
  if (isDraftError(error))
    return rejection("invalid_state", type, `A derived field of ${model.name} could not be computed: ${error.problem}`);
  if (!(error instanceof Underivable)) return failed(model, type, error);
  const { pointer, cause } = error;
  report(model, type, cause);
  // The text about a circle of rules is opstate's own.
  const why = cause instanceof DerivedCycle ? `: ${cause.message}` : text(model, cause);
  const message = `The derived field "${pointer}" of ${model.name} could not be computed${why}. Nothing was changed.`;
  return rejection("invalid_state", type, message);
}

/** Hands an error to the definition's hook. */
export function report(model: Model, type: string, error: unknown): void {
  try {
    model.onFailure(error, { type });
  } catch {
    // A hook that throws must not break the reducer.
  }
}

/** The default hook in development. */
export function printFailure(name: string): (error: unknown, operation: AnyOperation) => void {
  return (error, { type }) => console.error(`opstate: the code of "${name}" failed in "${type}":`, error);
}

/** The error's message, in development. */
function text({ development }: Model, error: unknown): string {
  if (!development) return "";
  try {
    return `: ${error instanceof Error ? error.message : describe(error)}`;
  } catch {
    return "";
  }
}

function isDraftError(error: unknown): error is DraftError {
  try {
    return error instanceof DraftError;
  } catch {
    // A proxy whose every trap throws.
    return false;
  }
}

declare const console: { error(...values: readonly unknown[]): void };
