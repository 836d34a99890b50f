// The verdicts that a field recorded, by submission. Without a thread the messages of tool calls
// are made from them.

import type { Rejection } from "@opstate/core";

/** Enough for every call of one step. A checkpoint stores all of them. */
export const MAX_OUTCOMES = 128;
/** A larger operation is not stored for comparison: each of its refusals counts as the first. */
const MAX_COMPARED_CHARACTERS = 2048;

/**
 * A verdict as a field records it. `changed` says in words what changed, `created` what has a new
 * id. `operation` is the refused operation as JSON text, unless it is large.
 */
export type Outcome =
  | { readonly accepted: true; readonly version: number; readonly changed?: string; readonly created?: string }
  | {
      readonly accepted: false;
      readonly version: number;
      readonly rejection: Rejection;
      readonly attempt: number;
      readonly operation?: string;
    };

/** Verdicts by submission id, oldest first. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** `outcomes` with one more; the oldest are dropped when there are too many. */
export function record(outcomes: Outcomes, id: string, outcome: Outcome): Outcomes {
  return Object.fromEntries([...Object.entries(outcomes), [id, outcome] as const].slice(-MAX_OUTCOMES));
}

/** A refusal. `attempt` counts the refusals of the same operation for the same reason. */
export function refusal(outcomes: Outcomes, update: unknown, version: number, rejection: Rejection): Outcome {
  const operation = JSON.stringify(update) ?? "";
  if (operation.length > MAX_COMPARED_CHARACTERS) return { accepted: false, version, rejection, attempt: 1 };
  const earlier = Object.values(outcomes).filter(
    (past) =>
      !past.accepted &&
      past.operation === operation &&
      past.rejection.code === rejection.code &&
      past.rejection.reason === rejection.reason,
  );
  return { accepted: false, version, rejection, attempt: earlier.length + 1, operation };
}

/** Checks a value from another graph or from a checkpoint, which may be anything. */
export function isOutcome(value: unknown): value is Outcome {
  if (typeof value !== "object" || value === null || !("accepted" in value && "version" in value)) return false;
  if (value.accepted === true) return true;
  const rejection: unknown = "rejection" in value ? value.rejection : undefined;
  return typeof rejection === "object" && rejection !== null && "code" in rejection && "message" in rejection;
}
