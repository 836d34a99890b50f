// The verdicts that a field recorded, by submission. Without a thread the messages of tool calls
// are made from them.
//
// Invariant: an outcome is kept until the messages of its call had time to be written, however many
// calls a superstep has. So none of the last supersteps is dropped, and of older ones the newest
// are kept.

import type { Rejection } from "@opstate/core";

/** Of what is older than the last supersteps. A checkpoint stores all of them. */
const MAX_OLD_OUTCOMES = 128;
/** Calls are answered within a few supersteps, also after several stages of subgraphs. */
const KEPT_STEPS = 32;
/** A larger operation is not stored for comparison: each of its refusals counts as the first. */
const MAX_COMPARED_CHARACTERS = 2048;

/**
 * A verdict as a field records it. `changed` says in words what changed, `created` what has a new
 * id. `operation` is the refused operation as JSON text, unless it is large. `step` is the
 * superstep in which it was recorded.
 */
export type Outcome =
  | {
      readonly accepted: true;
      readonly version: number;
      readonly changed?: string;
      readonly created?: string;
      readonly step?: number;
    }
  | {
      readonly accepted: false;
      readonly version: number;
      readonly rejection: Rejection;
      readonly attempt: number;
      readonly operation?: string;
      readonly step?: number;
    };

/** Verdicts by submission id, oldest first. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** `outcomes` with one more. `step` is the superstep that records it, if it is known. */
export function record(outcomes: Outcomes, id: string, outcome: Outcome, step: number | undefined): Outcomes {
  const { step: _, ...verdict } = outcome;
  const added: Outcome = step === undefined ? verdict : { ...verdict, step };
  const entries: [string, Outcome][] = [...Object.entries(outcomes), [id, added]];
  if (entries.length <= MAX_OLD_OUTCOMES) return Object.fromEntries(entries);
  const isOld = ([, { step: at }]: [string, Outcome]) =>
    at === undefined || step === undefined || at <= step - KEPT_STEPS;
  let dropped = entries.filter(isOld).length - MAX_OLD_OUTCOMES;
  return Object.fromEntries(entries.filter((entry) => !isOld(entry) || --dropped < 0));
}

/** Whether older outcomes may have been dropped: then one that is not here may have been there. */
export function mayBeIncomplete(outcomes: Outcomes): boolean {
  return Object.keys(outcomes).length >= MAX_OLD_OUTCOMES;
}

/** The outcomes for a subgraph, which counts its own supersteps. What is no outcome is left out. */
export function inherited(outcomes: Readonly<Record<string, unknown>>): Outcomes {
  return Object.fromEntries(
    Object.entries(outcomes).flatMap(([id, outcome]) => {
      if (!isOutcome(outcome)) return [];
      const { step: _, ...verdict } = outcome;
      return [[id, verdict]];
    }),
  );
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

/** Whether a model would read the same. */
export function isSameVerdict(one: Outcome, other: Outcome): boolean {
  if (one.accepted !== other.accepted || one.version !== other.version) return false;
  if (!one.accepted || !other.accepted) return JSON.stringify(rejectionIn(one)) === JSON.stringify(rejectionIn(other));
  return one.changed === other.changed && one.created === other.created;
}

function rejectionIn(outcome: Outcome): Rejection | undefined {
  return outcome.accepted ? undefined : outcome.rejection;
}

/** Checks a value from another graph or from a checkpoint, which may be anything. */
export function isOutcome(value: unknown): value is Outcome {
  if (typeof value !== "object" || value === null || !("accepted" in value && "version" in value)) return false;
  if (value.accepted === true) return true;
  const rejection: unknown = "rejection" in value ? value.rejection : undefined;
  return typeof rejection === "object" && rejection !== null && "code" in rejection && "message" in rejection;
}
