// What the calls of a thread take.

import type { Actor } from "../engine/actor.ts";
import type { Right } from "./rights.ts";
import type { SubmittedThing } from "./things/submitted-things.ts";

/** Who submits, and under which id. Without `id` the authority mints one. */
export interface DispatchOptions {
  readonly actor: Actor;
  readonly id?: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly expectedVersion?: number;
  /**
   * The version that the submitter saw. At a newer one the update may change the same things only:
   * those of `things`, else those that it would have changed at that version. When it would change
   * another, it gets `conflict`, reason `other_thing`. A `$replace` is not held to it, nor are
   * operations with `retarget`.
   */
  readonly basedOn?: number;
  /**
   * The things that it may change: JSON Pointers at the version `basedOn`, or what earlier
   * submissions of the same actor create. A replica sends them.
   */
  readonly things?: readonly SubmittedThing[];
  /**
   * When the submission was made, by the submitter's clock: milliseconds since 1970, as `Date.now`
   * gives. Sent again, it has the same value as at first. With it, one that has an `id` is accepted
   * where receipts are not kept for ever (`receipts`), and one that is older than they are is
   * refused. A clock may be wrong by a day; one that is further ahead says nothing.
   */
  readonly madeAt?: number;
}

/** An operation that made all others wait while it was judged. */
export interface SlowOperation {
  readonly threadId: string;
  /** The operation's type. */
  readonly type: string;
  readonly actor: Actor;
  /** The submission's id. */
  readonly id: string;
  readonly milliseconds: number;
}

/** What becomes of a dependent. */
export type OnDependent = "refuse" | "drop" | "keep";

export interface UndoOptions extends DispatchOptions {
  /**
   * What to do with later operations that would do something else now; default "refuse". "drop"
   * takes them back too. "keep" keeps what they did at first, wherever its things still are.
   */
  readonly onDependent?: OnDependent;
  /**
   * Whether the actor may take back what others did. Everybody may take back their own work.
   * Default: users and the system (`defaultRights`).
   */
  readonly allows?: (right: Right) => boolean;
}

export interface ProposeOptions extends DispatchOptions {
  /** ISO 8601: from then on it cannot be approved. */
  readonly expiresAt?: string;
}

export interface DecideOptions extends DispatchOptions {
  /**
   * The version of the proposal's commit. It is needed where two actors proposed under one id, and
   * checked wherever it is given.
   */
  readonly proposedAt?: number;
  /**
   * Whether the actor may approve. The proposer never may. Default: users and the system
   * (`defaultRights`).
   */
  readonly allows?: (right: Right) => boolean;
}

export interface ApproveOptions extends DecideOptions {
  /**
   * Carry it out although what it changes is no longer as it was shown. The commit then has
   * `anyway: true`. With `expectedVersion` the approver says which version they looked at: a
   * replacement then replaces what they saw there too, which is refused without it. An operation
   * that does not hold on the present state stays refused.
   */
  readonly anyway?: boolean;
}

export interface MergeOptions {
  /** Who merges. */
  readonly actor: Actor;
  /** The ids of the changes to merge; default: all. */
  readonly ids?: readonly string[];
  /**
   * Whether the actor may approve what others did. Default: users and the system
   * (`defaultRights`).
   */
  readonly allows?: (right: Right) => boolean;
}

/**
 * What to take back: the commits of some submissions, of a run, or of an actor.
 *
 * - `ids`: for each id the requester's own commit, else the newest of any actor. With `actor`
 *   beside them, that actor's.
 * - `runId`, `actor`: all that the run or the actor is the author of, also what another actor
 *   approved or merged.
 * - `since`: only what was done after that version.
 */
export type UndoTarget =
  | { readonly ids: readonly string[]; readonly actor?: Actor }
  | { readonly runId: string; readonly since?: number }
  | { readonly actor: Actor; readonly since?: number };

/**
 * A part of the history: versions above `after` and below `before`, and at most the first `limit`
 * entries in the given order.
 */
export interface HistoryRange {
  readonly after?: number;
  readonly before?: number;
  readonly limit?: number;
  /** Default "ascending": oldest first. */
  readonly order?: "ascending" | "descending";
  /** Whether refusals are given too; default false. */
  readonly rejections?: boolean;
}

/** A part of a list: the items above a version, at most so many. Default: all. */
export interface ItemRange {
  readonly after?: number;
  readonly limit?: number;
}

/** Whose content is erased. */
export interface RedactOptions {
  readonly actor: Actor;
  /** Who has it erased: the history says so. */
  readonly by: Actor;
}

/** What compaction keeps: the newest `keep` commits, or those from version `before` on. */
export type CompactRange = { readonly keep: number } | { readonly before: number };
