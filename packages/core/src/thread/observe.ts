// What a thread reports to its observer: of each submission its verdict and where its time went,
// and nothing of what is in it.

import type { Actor } from "../engine/actor.ts";
import type { RejectionCode } from "../engine/rejection/rejection.ts";

/** In milliseconds. */
export interface SubmissionTimes {
  /** From the call to the verdict. */
  readonly duration: number;
  /** Until the authority took it up. */
  readonly queued: number;
  /** In the reducer and the checks around it, or in working out an undo, a merge or an approval. */
  readonly judged: number;
  /** Until the log had stored it, with the others of its batch. */
  readonly appended: number;
  /** How many submissions were judged and stored together. */
  readonly batch: number;
  /** How often another writer was first, so that it was judged again. */
  readonly conflicts: number;
}

/** One submission that got its verdict, or failed. */
export interface SubmissionEvent extends SubmissionTimes {
  readonly type: "submission";
  readonly threadId: string;
  /** The name of the thread's definition. */
  readonly definition: string;
  /** The operation's type; "$replace" for a replacement, "unknown" for an undefined type. */
  readonly operation: string;
  readonly actor: Actor;
  readonly id: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  /** "failed" is also said when the call rejected, as it does when the log cannot be reached. */
  readonly code: "accepted" | RejectionCode;
  /** The definition's own reason for a refusal. */
  readonly reason?: string;
  /** The version of its commit; when it has none, the one that it was judged at. */
  readonly version: number;
}

/**
 * Gets an event in the asynchronous context of the call that it is about, just before the call
 * resolves. What it throws is ignored.
 */
export type ThreadObserver = (event: SubmissionEvent) => void;
