// A log as it is called: by the handles of `LogAdapter`, or by the calls of the port before, which
// take the id of a thread, and its incarnation as their last argument.
//
// `openThread` and `createServer` take a log of either kind. One that has these calls alone goes on
// working: `fullLog` gives it handles. They stay for one version; new adapters implement
// `LogAdapter`, whose invariants hold here too.
//
// A name may be given to another thread: one is deleted, another created. Calls that take an
// `incarnation` reach the thread of that name and incarnation only.

import type { Actor } from "../../engine/actor.ts";
import type { Commit, Refusal } from "../commit.ts";
import type { AppendResult, CommitFilter, LogAdapter } from "./adapter.ts";
import type { Entry, Receipt, StoredSnapshot, ThreadInfo, ThreadParent } from "./stored.ts";

export type { Entry, Receipt, StoredSnapshot, ThreadInfo, ThreadParent } from "./stored.ts";

/** What an append without an epoch, of entries that are based on nothing older, results in. */
export type Appended = Exclude<AppendResult, { readonly status: "expired" | "fenced" }>;

/** Which commits to read: those that match all that is given. */
export interface ReadRange extends CommitFilter {
  /** Versions above it; default 0. */
  readonly after?: number;
  /** Versions below it; default: up to the head. */
  readonly before?: number;
  /** At most this many, from where the order begins. */
  readonly limit?: number;
  /** Default "ascending". */
  readonly order?: "ascending" | "descending";
}

/** What opening a thread needs: the newest snapshot, and the commits after it. */
export interface StoredThread {
  readonly info: ThreadInfo;
  readonly snapshot: StoredSnapshot;
  readonly commits: readonly Commit[];
}

/** Which threads to list; default: all. */
export interface ListRange {
  /**
   * The branches of the threads that have or had this id; null: those that are no branch. Found by
   * an index.
   */
  readonly parent?: string | null;
}

/** Which part of a list. */
export interface PageRange extends ListRange {
  /** The `next` of the page before. It stays good when threads are deleted meanwhile. */
  readonly after?: string;
  /** At most this many, from 1. */
  readonly limit: number;
}

export interface ThreadPage {
  readonly threads: readonly ThreadInfo[];
  /** Where the next page begins, when there may be one. */
  readonly next?: string;
}

export interface Log {
  /** Stores version 0. Resolves to false, and changes nothing, when the thread exists. */
  create(thread: {
    threadId: string;
    definition: string;
    definitionVersion: number;
    state: unknown;
    at: string;
    parent?: ThreadParent;
  }): Promise<boolean>;
  /** The head line alone: what a server needs before it opens a thread. */
  info(threadId: string): Promise<ThreadInfo | undefined>;
  /** Reads the newest snapshot and what follows it, so its cost does not grow with the history. */
  load(threadId: string): Promise<StoredThread | undefined>;
  /**
   * Stores the entries in one durable step, all or none, when the head is `expectedVersion`;
   * `duplicate` is checked before `stale`. Rejects, and stores nothing, when the thread is unknown,
   * when the commits' versions do not follow the head one by one, or when an actor's id stands
   * twice in the batch. Of the refusals of one actor in one thread the newest (`refusalsPerActor`,
   * an option of the log, default 1,000) are kept, receipts included, so that garbage cannot fill
   * the disk. Receipts of accepted submissions are kept until `ThreadLog.dropReceipts`. With an
   * `incarnation`, a thread that is not there any more is no error but `replaced`.
   */
  append(threadId: string, expectedVersion: number, entries: readonly Entry[], incarnation?: string): Promise<Appended>;
  /**
   * This and the other reads give, of an `incarnation` that is gone, what they give of a thread
   * that never was.
   */
  receipt(threadId: string, actor: Actor, id: string, incarnation?: string): Promise<Receipt | undefined>;
  /**
   * Commits with `after < version < before`. Those of a run, of an actor or of some operation types
   * are found by an index: the cost is that of what is returned, however long the history is. (Of
   * several filters one leads, the others are checked on what it finds.) Run and actor are those of
   * the author: see `authorOf`.
   */
  read(threadId: string, range: ReadRange, incarnation?: string): Promise<readonly Commit[]>;
  /** The newest refusals, oldest first, at most `limit`. */
  refusals(threadId: string, range?: { limit?: number }, incarnation?: string): Promise<readonly Refusal[]>;
  /**
   * Remembers the state of a version, so that opening need not replay from 0. Changes nothing below
   * the floor. Rejects when the thread, or the `incarnation`, is not there. Of the older ones it
   * drops those that `spareSnapshots` names: a long thread keeps few.
   */
  saveSnapshot(threadId: string, snapshot: StoredSnapshot, incarnation?: string): Promise<void>;
  /** The newest stored snapshot at or before `version`: undefined below the floor. */
  snapshotAt(threadId: string, version: number, incarnation?: string): Promise<StoredSnapshot | undefined>;
  /**
   * Forgets the history up to a version: stores its snapshot, makes it the floor, and drops the
   * commits up to it and the snapshots before it, all in one durable step. Receipts and refusals
   * stay. Resolves to the floor; a version at or below the one there is changes nothing. Rejects
   * when the thread, or the `incarnation`, is not there, or the version lies beyond its head.
   */
  compact(threadId: string, snapshot: StoredSnapshot, incarnation?: string): Promise<number>;
  /** In the order in which they were created. */
  list(range?: ListRange): Promise<readonly ThreadInfo[]>;
  /**
   * A part of what `list` gives, in the same order, so that the cost is that of the part. Optional:
   * without it a server reads the whole list. Rejects with a RangeError for an `after` that is no
   * `next` of this log.
   */
  page?(range: PageRange): Promise<ThreadPage>;
  /**
   * False when there is none. Once it resolved, nothing of the thread is seen any more and its name
   * is free; rows may go later, in slices.
   */
  delete(threadId: string, incarnation?: string): Promise<boolean>;
  /**
   * Calls `onHead` with the thread's head and incarnation soon after the call, and again whenever
   * it moved, by any writer, or another thread took the name; with "" for the incarnation when the
   * thread was deleted. Ascending within one incarnation, some heads may be skipped, never from
   * within a call to the log. A hint: what there is, `read` says. Returns the function that ends
   * it.
   *
   * Without it, an open thread sees what another authority wrote with its own next submission.
   */
  watch?(threadId: string, onHead: (version: number, incarnation?: string) => void): () => void;
  close(): Promise<void>;
}

/** A log with the calls of both: what `createLog` makes of an adapter. */
export interface FullLog extends Log, LogAdapter {}

/** A log that says of every thread when its head moves. */
export type WatchedLog = FullLog & Required<Pick<Log, "watch">>;
