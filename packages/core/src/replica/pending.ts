// The pending operations of a replica, folded over its confirmed state.
//
// Invariants:
// - An operation that was run on a state is not run on it again: its result is used.
// - A rebased operation changes only what it changed at first, else it counts as refused (law 10).
// - Those that were never sent follow all those that were.
// - What an operation creates is in the view once, also when a snapshot has it before its verdict.

import type { AnyDefinition } from "../definition/definition.ts";
import { defined } from "../defined.ts";
import type { Actor } from "../engine/actor.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import { describeOperation, isHeldToThings, nameStep, otherThing, run } from "@opstate/core/engine";
import type { RunContext, Source } from "../engine/source.ts";
import type { Name, NamedState, Trace } from "../engine/things/index.ts";
import type { Transition } from "../engine/transition.ts";
import { equal } from "../json/equal.ts";
import type { Submission } from "../thread/commit.ts";
import { basisOf } from "./basis.ts";

/** The definition, and what the ids of own operations are made from. */
export interface Side {
  readonly definition: AnyDefinition;
  /** Undefined until it is known: ids are provisional. */
  readonly actor: Actor | undefined;
  /** The incarnation of the thread, when it is a branch. */
  readonly branch?: string | undefined;
  /** The authority is out of reach: what is submitted may get there late. */
  readonly isOffline?: boolean;
}

/** A state; its things have names as long as operations are held to theirs. */
export interface Place {
  readonly state: unknown;
  readonly names: NamedState["names"] | undefined;
}

/** The confirmed state that pending operations are folded over. */
export interface Base extends Place {
  readonly version: number;
}

/** A submission whose outcome this replica does not have yet. */
export interface Pending {
  readonly submission: Submission;
  /** When it was dispatched, ISO 8601 in UTC: its time until the authority stamps it. */
  readonly at: string;
  /** It was stored without that time: `at` is when this replica got it. */
  readonly undated?: boolean | undefined;
  /** It may have reached the authority. */
  readonly sent: boolean;
  /** Of one that an earlier replica had pending: the thread that it was made on. */
  readonly incarnation?: string | undefined;
  /** It was sent, and then a snapshot came, which has it if it got there. Its verdict will say. */
  readonly mayBeConfirmed?: boolean | undefined;
  /** The authority accepted it at this version. The commit has not arrived yet. */
  readonly acceptedAt?: number;
  /** The operation as the reducer accepted it on a confirmed state. */
  readonly acceptedOperation?: unknown;
  /** What it does, in the words of its `describe`, from when the reducer first accepted it. */
  readonly sentence?: string | undefined;
  /**
   * The things that it may change. `"next"`: those that it changes when it is run next. Undefined:
   * only the authority checks it.
   */
  readonly meant?: ReadonlySet<Name> | "next" | undefined;
  readonly ran?: Ran | undefined;
}

/** What a pending operation came to when it was last run. */
export interface Ran {
  readonly on: Place;
  readonly as: Pick<Side, "actor" | "branch">;
  readonly step: Step;
  readonly named: Trace | undefined;
  /** The reducer accepts it, and it would change another thing. */
  readonly other?: Rejection | undefined;
}

type Step = Transition<unknown, AnyOperation>;

export interface Dropped {
  readonly submission: Submission;
  readonly rejection: Rejection;
}

export interface Folded {
  readonly pending: readonly Pending[];
  /** Operations that were never sent and would not be accepted any more. */
  readonly dropped: readonly Dropped[];
  readonly view: Place;
}

/**
 * Applies pending operations in order. The same list is given where each came to what it had.
 * Before the first confirmed state none is dropped: what the initial state refuses, the real one
 * may not.
 */
export function fold(side: Side, base: Base, pending: readonly Pending[]): Folded {
  const kept: Pending[] = [];
  const dropped: Dropped[] = [];
  let view: Place = base;
  let isSame = true;
  for (const entry of pending) {
    const next = runPending(side, base, view, entry);
    const why = refusalOf(next.ran);
    if (why === undefined) view = placeAfter(next.ran);
    else if (!entry.sent && base.version >= 0) {
      dropped.push({ submission: entry.submission, rejection: why });
      continue;
    }
    if (next !== entry) isSame = false;
    kept.push(next);
  }
  return { pending: isSame && dropped.length === 0 ? pending : kept, dropped, view };
}

/** A pending operation that was run on a view; the same object where it was run on it before. */
export function runPending(side: Side, base: Base, view: Place, entry: Pending): Pending & { readonly ran: Ran } {
  const ran = runOn(side, view, entry);
  if (ran === entry.ran) return entry as Pending & { readonly ran: Ran };
  const { step, named } = ran;
  if (!step.accepted) return { ...entry, ran };
  const { definition, isOffline = false } = side;
  const isProvisional = base.version < 0;
  const worded =
    entry.acceptedOperation === undefined
      ? {
          acceptedOperation: isProvisional ? undefined : step.operation,
          sentence: describeOperation(definition.model, step.operation, ran.on.state),
        }
      : undefined;
  // What it is for is found out on a confirmed state.
  if (isProvisional || entry.meant !== "next" || named === undefined) return { ...entry, ...worded, ran };
  const meant = isHeldToThings(definition.model, step.operation) ? new Set(named.touched) : undefined;
  const submission = entry.sent
    ? entry.submission
    : { ...entry.submission, ...basisOf(definition.model, base, entry.submission, meant, isOffline) };
  return { ...entry, ...worded, submission, meant, ran };
}

/** Why an operation is not in the view. */
export function refusalOf({ step, other }: Ran): Rejection | undefined {
  return step.accepted ? other : step.rejection;
}

/** The view after an operation that is in it. */
export function placeAfter({ on, step, named }: Ran): Place {
  return { state: step.state, names: named?.after.names ?? on.names };
}

function runOn(side: Side, on: Place, entry: Pending): Ran {
  const { definition, actor, branch } = side;
  const { ran } = entry;
  const earlier = ran !== undefined && ran.on.state === on.state && isSameSide(ran.as, side) ? ran : undefined;
  if (earlier !== undefined && earlier.on.names === on.names) return earlier;
  const source = sourceOf(side, entry);
  const step = earlier?.step ?? runOnce(definition, on.state, entry, { actor, source });
  const as = { actor, branch };
  const { state, names } = on;
  if (!step.accepted || names === undefined) return { on, as, step, named: undefined };
  const before = { state, names };
  const named = nameStep(definition.model, before, step, source);
  const { meant } = entry;
  const others = meant instanceof Set ? named.touched.filter((name) => !meant.has(name)) : [];
  const other = others.length > 0 ? otherThing(step.operation.type, before, others) : undefined;
  return { on, as, step, named, other };
}

/** What an operation comes to; nothing where the state has what it creates already. */
function runOnce({ model }: AnyDefinition, state: unknown, entry: Pending, context: RunContext): Step {
  const made: string[] = [];
  const step = run(model, state, entry.submission.operation, { ...context, onId: (id) => made.push(id) });
  if (!step.accepted || !entry.mayBeConfirmed) return step;
  const text = JSON.stringify(state);
  return made.some((id) => text.includes(JSON.stringify(id))) ? { ...step, state, patches: [], inverse: [] } : step;
}

/**
 * The same operations, when `view` takes the place of the equal state that they lead to.
 * `changesState`: one of them leads there. Else the confirmed state is that state.
 */
export function leadingTo(
  view: unknown,
  pending: readonly Pending[],
): { readonly pending: readonly Pending[]; readonly changesState: boolean } {
  const last = pending.findLastIndex(({ ran }) => ran !== undefined && changes(ran));
  const moved = pending.map((entry, index) => {
    const { ran } = entry;
    if (ran === undefined || index < last) return entry;
    const on = index === last ? ran.on : { ...ran.on, state: view };
    // What would change another thing leads to a state of its own. It is found again by a run.
    const isRefused = index > last && ran.other;
    return { ...entry, ran: isRefused ? undefined : { ...ran, on, step: { ...ran.step, state: view } } };
  });
  return { pending: moved, changesState: last >= 0 };
}

function changes(ran: Ran): boolean {
  return refusalOf(ran) === undefined && ran.step.state !== ran.on.state;
}

/** What the ids and the time of a pending operation come from. */
export function sourceOf(
  { actor, branch }: Pick<Side, "actor" | "branch">,
  { submission: { id }, at }: Pick<Pending, "submission" | "at">,
): Source {
  return { actor, id, at, ...defined({ branch }) };
}

/** Whether an operation makes the same ids on both sides. */
export function isSameSide(a: Pick<Side, "actor" | "branch">, b: Pick<Side, "actor" | "branch">): boolean {
  return a.branch === b.branch && equal(a.actor, b.actor);
}
