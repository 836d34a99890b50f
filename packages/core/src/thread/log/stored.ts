// What a log keeps of a thread, as plain JSON.

import type { Actor } from "../../engine/actor.ts";
import type { Commit, Refusal, Snapshot } from "../commit.ts";

/**
 * What is remembered of a submission id, for ever unless receipts are dropped: which operation it
 * stood for (by hash) and its final outcome.
 */
export interface Receipt {
  readonly actor: Actor;
  readonly id: string;
  readonly hash: string;
  readonly outcome:
    | { readonly accepted: true; readonly version: number }
    | { readonly accepted: false; readonly refusal: Refusal };
}

/**
 * One final verdict: an accepted submission with its commit, one that changed nothing (no commit),
 * or a refused one (no commit).
 */
export interface Entry {
  readonly receipt: Receipt;
  readonly commit?: Commit;
  /**
   * The version that the submission was made at. Left out: it is new for certain, since its id was
   * drawn for it just now. See `ThreadLog.dropReceipts`.
   */
  readonly basedOn?: number;
}

/** Where a branch began: its version 0 is the state of that version of that thread. */
export interface ThreadParent {
  readonly threadId: string;
  readonly version: number;
  readonly incarnation: string;
}

/** A stored thread's head line. */
export interface ThreadInfo {
  readonly threadId: string;
  readonly definition: string;
  readonly version: number;
  /**
   * The versions 1 to `floor` have no commits any more; 0 when all are there. There is a snapshot
   * of the floor itself.
   */
  readonly floor: number;
  readonly createdAt: string;
  /**
   * A random id. A thread that is deleted and created again has another one, so that the two can be
   * distinguished.
   */
  readonly incarnation: string;
  /** The receipts of verdicts given at or below this version are gone. Absent: all are there. */
  readonly receiptFloor?: number;
  /** The token of the head, where the log has such: see `AppendHead`. */
  readonly token?: string;
  /** Of a branch. */
  readonly parent?: ThreadParent;
}

/** A snapshot as a log keeps it: with the version of the definition that wrote the state. */
export interface StoredSnapshot extends Snapshot {
  readonly definitionVersion: number;
}
