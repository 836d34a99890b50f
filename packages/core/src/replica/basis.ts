// What a submission is sent with so that the authority can hold it to its things: the version that
// it is based on, and the things that it changes there.

import type { Model } from "../engine/model.ts";
import type { Name } from "../engine/things/index.ts";
import type { Submission } from "../thread/commit.ts";
import type { Base, Pending } from "./pending.ts";
import { submittedThing, THINGS_LIMIT } from "@opstate/core/engine";

type Basis = Pick<Submission, "basedOn" | "things">;

/**
 * `meant`: the things that the operation changes; undefined when it may change any. Nothing is sent
 * with a submission that has an `expectedVersion`, or that changes more things than may be named.
 * `isLate`: it is made while the authority is out of reach.
 */
export function basisOf(
  model: Model,
  { version, state, names }: Base,
  { expectedVersion }: Submission,
  meant: ReadonlySet<Name> | undefined,
  isLate: boolean,
): Basis {
  if (meant === undefined || names === undefined || version < 0 || expectedVersion !== undefined) return {};
  const things = [...meant].map((name) => submittedThing(model, { state, names }, name, isLate));
  const known = things.filter((thing) => thing !== undefined);
  return known.length === things.length && known.length <= THINGS_LIMIT ? { basedOn: version, things: known } : {};
}

type Stored = Pick<Pending, "submission" | "incarnation">;

/**
 * Takes the basis from submissions that were made on another thread: its versions are not those of
 * this one. `incarnation`: this thread's, when it is known. `earlier`: the thread of those that
 * name none.
 */
export function onThread<P extends Stored>(
  pending: readonly P[],
  incarnation: string | undefined,
  earlier = incarnation,
): readonly P[] {
  return pending.map((entry) =>
    (entry.incarnation ?? earlier) === incarnation || incarnation === undefined
      ? entry
      : { ...entry, incarnation: undefined, submission: withoutBasis(entry.submission) },
  );
}

/** A submission that is sent to another thread than the one it was made on. */
export function withoutBasis(submission: Submission): Submission {
  const { basedOn: _, things: __, ...kept } = submission;
  return kept;
}
