// What the calls of a thread take.

import type { Actor } from "../engine/actor.ts";

/** Who submits, and under which id. Without `id` the authority mints one. */
export interface DispatchOptions {
  readonly actor: Actor;
  readonly id?: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly expectedVersion?: number;
}

/**
 * A right that only the caller's own check can give: to take back what others did, or to approve
 * what they propose.
 */
export type Right = "undo" | "approve";

export interface UndoOptions extends DispatchOptions {
  /** What to do when later operations no longer hold; default "refuse". */
  readonly onDependent?: "refuse" | "drop";
  /**
   * Whether the actor may take back what others did; its own work it always may. Default: every
   * kind but agents and webhooks.
   */
  readonly allows?: (right: Right) => boolean;
}

export interface ProposeOptions extends DispatchOptions {
  /** ISO 8601: from then on it cannot be approved. */
  readonly expiresAt?: string;
}

export interface DecideOptions extends DispatchOptions {
  /**
   * The version of the proposal's commit: needed where two actors proposed under one id, checked
   * wherever it is given.
   */
  readonly proposedAt?: number;
  /** Whether the actor may approve; the proposer never may. Default: users and the system. */
  readonly allows?: (right: Right) => boolean;
}

export interface ApproveOptions extends DecideOptions {
  /**
   * Carry it out although what it changes is not any more as it was shown; the commit then says
   * `anyway: true`. Whoever looked at what was changed says with `expectedVersion` up to where. An
   * operation that does not hold on the state as it is stays refused.
   */
  readonly anyway?: boolean;
}

export interface MergeOptions {
  /** Who merges. */
  readonly actor: Actor;
  /** The ids of the changes to merge; default: all. */
  readonly ids?: readonly string[];
  /** Whether the actor may approve what others did. Default: users and the system. */
  readonly allows?: (right: Right) => boolean;
}

/**
 * What to take back: the commits of some submissions, of a run, or of an actor. A run or an actor
 * means all that it is the author of, also what somebody else approved or merged. `ids` are the
 * asker's own where it has such, else the newest of anybody; `actor` beside them says whose.
 * `since` leaves out what was done up to that version.
 */
export type UndoTarget =
  | { readonly ids: readonly string[]; readonly actor?: Actor }
  | { readonly runId: string; readonly since?: number }
  | { readonly actor: Actor; readonly since?: number };

/**
 * Which part of the history: versions above `after` and below `before`, at most `limit` entries
 * from where the order begins.
 */
export interface HistoryRange {
  readonly after?: number;
  readonly before?: number;
  readonly limit?: number;
  /** Default "ascending": oldest first. */
  readonly order?: "ascending" | "descending";
  /** Refusals too. */
  readonly rejections?: boolean;
}

/** What compaction keeps: the newest commits, or those from a version on. */
export type CompactRange = { readonly keep: number } | { readonly before: number };
