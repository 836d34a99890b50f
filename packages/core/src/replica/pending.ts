// The pending operations of a replica, folded over its confirmed state.
//
// Invariants:
// - An operation that was run on a state is not run on it again: what it came to is taken.
// - Those that were never sent follow all those that were.

import { type Actor, sameActor } from "../engine/actor.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Rejection } from "../engine/rejection.ts";
import { run } from "../engine/run.ts";
import type { Source } from "../engine/source.ts";
import type { Transition } from "../engine/transition.ts";
import type { AnyDefinition } from "../definition/definition.ts";
import type { Submission } from "../thread/commit.ts";

/** The definition, and what the ids of own operations are made from. */
export interface Side {
  readonly definition: AnyDefinition;
  /** Undefined until it is known: ids are provisional. */
  readonly actor: Actor | undefined;
  /** The incarnation of the thread, when it is a branch. */
  readonly branch?: string | undefined;
}

/** A submission whose outcome this replica does not have yet. */
export interface Pending {
  readonly submission: Submission;
  /** When it was dispatched, ISO 8601 in UTC: its time until the authority stamps it. */
  readonly at: string;
  /** It may have reached the authority. */
  readonly sent: boolean;
  /** The authority accepted it at this version. The commit has not arrived yet. */
  readonly acceptedAt?: number;
  /** The operation as the reducer last accepted it. */
  readonly acceptedOperation?: unknown;
  readonly ran?: Ran;
}

/** What a pending operation came to when it was last run. */
export interface Ran {
  readonly on: unknown;
  readonly as: Pick<Side, "actor" | "branch">;
  readonly step: Transition<unknown, AnyOperation>;
}

export interface Dropped {
  readonly submission: Submission;
  readonly rejection: Rejection;
}

export interface Folded {
  readonly pending: readonly Pending[];
  /** Operations that were never sent and that the reducer rejects now. */
  readonly dropped: readonly Dropped[];
  readonly view: unknown;
}

/** Applies pending operations in order. The same list is given where each came to what it had. */
export function fold(side: Side, state: unknown, pending: readonly Pending[]): Folded {
  const kept: Pending[] = [];
  const dropped: Dropped[] = [];
  let view = state;
  let isSame = true;
  for (const entry of pending) {
    const ran = runOn(side, view, entry);
    const { step } = ran;
    if (!step.accepted && !entry.sent) {
      dropped.push({ submission: entry.submission, rejection: step.rejection });
      continue;
    }
    if (step.accepted) view = step.state;
    if (ran === entry.ran) kept.push(entry);
    else {
      isSame = false;
      kept.push(withRun(entry, ran));
    }
  }
  return { pending: isSame && dropped.length === 0 ? pending : kept, dropped, view };
}

/** Runs an operation on a state, or takes what it came to when it was run on it before. */
export function runOn(side: Side, state: unknown, entry: Pick<Pending, "submission" | "at" | "ran">): Ran {
  const { ran } = entry;
  const { definition, actor, branch } = side;
  if (ran !== undefined && ran.on === state && isSameSide(ran.as, side)) return ran;
  const { operation } = entry.submission;
  const step = run(definition.model, state, operation, { actor, source: sourceOf(side, entry) });
  return { on: state, as: { actor, branch }, step };
}

export function withRun(entry: Pending, ran: Ran): Pending {
  if (!ran.step.accepted || entry.acceptedOperation !== undefined) return { ...entry, ran };
  return { ...entry, acceptedOperation: ran.step.operation, ran };
}

/**
 * The same operations, when `view` takes the place of the equal state that they lead to.
 * `changesState`: one of them leads there. Else the confirmed state is that state.
 */
export function leadingTo(
  view: unknown,
  pending: readonly Pending[],
): { readonly pending: readonly Pending[]; readonly changesState: boolean } {
  const last = pending.findLastIndex(({ ran }) => ran?.step.accepted === true && ran.step.state !== ran.on);
  const moved = pending.map((entry, index) => {
    const { ran } = entry;
    if (ran === undefined || index < last) return entry;
    return { ...entry, ran: { ...ran, on: index === last ? ran.on : view, step: { ...ran.step, state: view } } };
  });
  return { pending: moved, changesState: last >= 0 };
}

/** What the ids and the time of a pending operation come from. */
export function sourceOf(
  { actor, branch }: Pick<Side, "actor" | "branch">,
  { submission: { id }, at }: Pick<Pending, "submission" | "at">,
): Source {
  return { actor, id, at, ...(branch === undefined ? {} : { branch }) };
}

function isSameSide(a: Pick<Side, "actor" | "branch">, b: Pick<Side, "actor" | "branch">): boolean {
  if (a.branch !== b.branch) return false;
  return a.actor === b.actor || (a.actor !== undefined && b.actor !== undefined && sameActor(a.actor, b.actor));
}
