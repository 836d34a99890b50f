// The verdicts that a field gave itself, by submission: what a tool call's message is made of when
// there is no thread.

import type { Rejection } from "@opstate/core";

/** Enough for every call of one step; a checkpoint stores them all. */
export const KEPT = 128;
/** A larger operation is not kept to compare with: its refusals all count as the first. */
const COMPARED_CHARACTERS = 2048;

/**
 * A verdict as a field records it. `changed` says what changed, in words; `operation` is what was
 * refused, as JSON text, when it is small.
 */
export type Outcome =
  | { readonly accepted: true; readonly version: number; readonly changed?: string }
  | {
      readonly accepted: false;
      readonly version: number;
      readonly rejection: Rejection;
      readonly attempt: number;
      readonly operation?: string;
    };

/** Verdicts by submission id, oldest first. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** `outcomes` with one more, and without the oldest when there are too many. */
export function record(outcomes: Outcomes, id: string, outcome: Outcome): Outcomes {
  return Object.fromEntries([...Object.entries(outcomes), [id, outcome] as const].slice(-KEPT));
}

/** A refusal, with how often this very operation was refused for this very reason. */
export function refusal(outcomes: Outcomes, update: unknown, version: number, rejection: Rejection): Outcome {
  const operation = JSON.stringify(update) ?? "";
  if (operation.length > COMPARED_CHARACTERS) return { accepted: false, version, rejection, attempt: 1 };
  const equal = Object.values(outcomes).filter(
    (past) =>
      !past.accepted &&
      past.operation === operation &&
      past.rejection.code === rejection.code &&
      past.rejection.reason === rejection.reason,
  );
  return { accepted: false, version, rejection, attempt: equal.length + 1, operation };
}

/** What came from another graph, or from a checkpoint, may be anything. */
export function isOutcome(value: unknown): value is Outcome {
  if (typeof value !== "object" || value === null || !("accepted" in value && "version" in value)) return false;
  if (value.accepted === true) return true;
  const rejection: unknown = "rejection" in value ? value.rejection : undefined;
  return typeof rejection === "object" && rejection !== null && "code" in rejection && "message" in rejection;
}
