// The port between a thread and its storage. Memory, SQLite and Postgres implement it; `logContract` in the testing kit says what it must keep.
//
// Invariants: versions of a thread are contiguous from 1; what `append` resolved is durable; a receipt is written in the same step as
// its commit and outlives compaction; everything returned is what was stored when the call was made (plain JSON, detached).
//
// Refusals go through `append` too: a verdict is fenced by the head it was given at, whatever it says. Else a writer that is behind could
// refuse for ever what the newest state would accept.

import type { Actor } from "../engine/actor.ts";
import type { Commit, Refusal, Snapshot } from "./commit.ts";

/** What is remembered of a submission id for ever: which operation it stood for (by hash) and its final outcome. */
export interface Receipt {
  readonly actor: Actor;
  readonly id: string;
  readonly hash: string;
  readonly outcome: { readonly accepted: true; readonly version: number } | { readonly accepted: false; readonly refusal: Refusal };
}

/** One final verdict: an accepted submission with its commit, one that changed nothing (no commit), or a refused one (no commit). */
export interface Entry {
  readonly receipt: Receipt;
  readonly commit?: Commit;
}

/** A stored thread's head line. */
export interface ThreadInfo {
  readonly threadId: string;
  readonly definition: string;
  readonly version: number;
  readonly createdAt: string;
  /** A random id that `create` mints: another one when a thread is deleted and created again, so that nobody takes the two for one. */
  readonly incarnation: string;
}

/** What opening a thread needs: the newest snapshot, and the commits after it. */
export interface StoredThread {
  readonly info: ThreadInfo;
  readonly snapshot: Snapshot & { readonly definitionVersion: number };
  readonly commits: readonly Commit[];
}

export type Appended =
  | { readonly status: "appended" }
  /** Another writer was first: `version` is the head. Nothing was written. */
  | { readonly status: "stale"; readonly version: number }
  /** This id of this actor is known: nothing was written. */
  | { readonly status: "duplicate"; readonly receipt: Receipt };

export interface Log {
  /** Stores version 0. Resolves to false, and changes nothing, when the thread exists. */
  create(thread: { threadId: string; definition: string; definitionVersion: number; state: unknown; at: string }): Promise<boolean>;
  /** The head line alone: what a server needs before it opens a thread. */
  info(threadId: string): Promise<ThreadInfo | undefined>;
  load(threadId: string): Promise<StoredThread | undefined>;
  /**
   * Stores the entries in one durable step, all or none, when the head is `expectedVersion`; `duplicate` is said before `stale`.
   * Rejects, and stores nothing, when the thread is unknown, when the commits' versions do not follow the head one by one, or when an
   * actor's id stands twice in the batch. Of the refusals of one actor in one thread the newest (`refusalsPerActor`, an option of the log,
   * default 1,000) are kept, receipts included, so that garbage cannot fill the disk; receipts of accepted submissions are kept for ever.
   */
  append(threadId: string, expectedVersion: number, entries: readonly Entry[]): Promise<Appended>;
  receipt(threadId: string, actor: Actor, id: string): Promise<Receipt | undefined>;
  /** Commits with `after < version`, ascending, at most `limit`. */
  read(threadId: string, range: { after: number; limit?: number }): Promise<readonly Commit[]>;
  /** The newest refusals, oldest first, at most `limit`. */
  refusals(threadId: string, range?: { limit?: number }): Promise<readonly Refusal[]>;
  /** Remembers the state of a version, so that opening need not replay from 0. */
  saveSnapshot(threadId: string, snapshot: Snapshot & { readonly definitionVersion: number }): Promise<void>;
  /** The newest stored snapshot at or before `version`. */
  snapshotAt(threadId: string, version: number): Promise<(Snapshot & { readonly definitionVersion: number }) | undefined>;
  list(): Promise<readonly ThreadInfo[]>;
  delete(threadId: string): Promise<boolean>;
  /**
   * For logs that other processes write to: calls `onHead` with the thread's head soon after the call, and again whenever it moved, by
   * whomever; ascending, some heads may be skipped, never from within a call to the log. A hint: what there is, `read` says. Returns the
   * function that ends it.
   */
  watch?(threadId: string, onHead: (version: number) => void): () => void;
  close(): Promise<void>;
}
