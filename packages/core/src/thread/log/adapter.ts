// The port between a thread and its storage, as an adapter implements it. `createLog` makes a `Log`
// of an adapter; `logContract` in the testing kit tests what it must keep.
//
//   adapter.thread(id, incarnation) ── create, append, commits, ... of that thread, or of none
//   adapter.threads({ parent })     ── the list, in pages
//
// Invariants:
// - Versions of a thread are contiguous from 1. What a write resolved is durable.
// - A receipt is written in the same step as its commit, and outlives compaction.
// - No commit at or below the floor is ever returned, and none above it is ever missing.
// - An incarnation is one thread's for ever. It does not come back after a deletion.
// - Refusals go through `append` too: every verdict is fenced by the head that it was given at.
//   Else a writer that is behind could refuse for ever what the newest state would accept.
// - Everything returned is what was stored when the call was made (plain JSON, detached).
//
// Ids are well-formed text of any kind, and two that differ are two. `createLog` refuses others.
//
// (Long because most of it says what each method guarantees.)

import type { Actor } from "../../engine/actor.ts";
import type { Commit, Refusal } from "../commit.ts";
import type { CallOptions } from "./call.ts";
import type { Entry, Receipt, StoredSnapshot, ThreadInfo, ThreadParent } from "./log.ts";

/** Which part of a list. It ends at `limit` or at `bytes`, whichever comes first. */
export interface PageOptions {
  /** The `next` of the page before. */
  readonly cursor?: string;
  /** At most this many items, from 1. Default 1,000; Infinity: no limit. */
  readonly limit?: number;
  /**
   * At most as many items as have this many bytes of JSON text in UTF-8, and at least one. Default
   * 8 MiB; Infinity: no limit.
   */
  readonly bytes?: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins. Absent: there is nothing more. A page with `next` has an item. */
  readonly next?: string;
}

export interface CommitRange extends PageOptions {
  /** Versions above it; default 0. */
  readonly after?: number;
  /** Versions below it; default: up to the head. */
  readonly before?: number;
  /** Default "ascending". */
  readonly order?: "ascending" | "descending";
}

/** What commits are found by: a commit must match all that is given. */
export interface CommitFilter {
  /**
   * The run of their author: of what was approved, that of the proposal; of what was merged, that
   * of the change.
   */
  readonly runId?: string;
  /** Their author, as `authorOf` returns it, not the actor who approved or merged them. */
  readonly actor?: Actor;
  /** Any of these operation types, such as `["$propose", "$approve"]`. */
  readonly types?: readonly string[];
}

/** How much one append can store. `Infinity` is allowed. */
export interface AppendLimits {
  readonly entries: number;
  /** Of the entries' JSON text, in UTF-8: see `entryBytes`. */
  readonly bytes: number;
}

/** Version 0 of a new thread. */
export interface NewThread {
  readonly definition: string;
  readonly definitionVersion: number;
  readonly state: unknown;
  readonly at: string;
  readonly parent?: ThreadParent;
  /**
   * False: the parent need not be there, as when threads are copied one by one. Default true.
   */
  readonly checkParent?: boolean;
}

export type Created =
  /** The thread is there: made by this call, or by an earlier one with the same incarnation. */
  | { readonly status: "created"; readonly info: ThreadInfo }
  /** Another thread has the id. */
  | { readonly status: "taken"; readonly info: ThreadInfo }
  /** The thread was made, by this call or an earlier one, and is deleted. */
  | { readonly status: "deleted" }
  /** The parent is not there in the incarnation that was given. Nothing was made. */
  | { readonly status: "no_parent" };

/** What is to be stored in the place of what is: by version, and by actor and id. */
export interface Rewrite {
  /** They keep their version, id, actor, run and operation type. */
  readonly commits?: readonly Commit[];
  readonly snapshots?: readonly StoredSnapshot[];
  /** They keep their outcome. */
  readonly receipts?: readonly Receipt[];
}

export type Deleted =
  /**
   * The thread is gone. `count`: the threads that this call deleted, branches included; 0 when it
   * was gone before.
   */
  | { readonly status: "deleted"; readonly count: number }
  /** There is no such thread, and there was none that the log remembers. */
  | { readonly status: "unknown" };

/** Where an append goes. */
export interface AppendHead {
  readonly version: number;
  /**
   * What the log gave as the `token` of this version, if it gave one. A storage that replaces whole
   * objects has its entity tag there. Left out, the log compares the version alone.
   */
  readonly token?: string;
  /**
   * The epoch in which the writer owns the thread. A log that knows a newer one refuses the append
   * with `fenced`, in the statement that writes. Left out, ownership is not checked.
   */
  readonly epoch?: number;
}

export type AppendResult =
  | { readonly status: "appended"; readonly token?: string }
  /** Another writer was first: `version` is the head. Nothing was written. */
  | { readonly status: "stale"; readonly version: number; readonly token?: string }
  /** This id of this actor is known: nothing was written. */
  | { readonly status: "duplicate"; readonly receipt: Receipt }
  /**
   * The receipts of one entry's time are gone, so it cannot be known whether it has had its effect.
   * Nothing was written. `receiptFloor`: the entries must be based on it or on a later version.
   */
  | { readonly status: "expired"; readonly receiptFloor: number }
  /** Another writer owns the thread, in a later epoch. Nothing was written. */
  | { readonly status: "fenced"; readonly epoch: number }
  /**
   * The thread of the named incarnation is gone, whether or not another one has its name. Checked
   * first, and only when an incarnation was named.
   */
  | { readonly status: "replaced" };

/** What opening a thread needs: the newest snapshot, and the first page of commits after it. */
export interface LoadedThread {
  readonly info: ThreadInfo;
  readonly snapshot: StoredSnapshot;
  readonly commits: readonly Commit[];
  /** The cursor of the next page of `commits({ after: snapshot.version })`, when there is one. */
  readonly next?: string;
}

/**
 * One thread of a log. With an incarnation, calls reach that thread only, never another one that
 * has its id. Without one, they are for the thread that has the id now. A read of a thread that is
 * not there finds nothing.
 */
export interface ThreadLog {
  /**
   * Makes the thread, in the incarnation of the handle, which the caller draws at random; rejects
   * without one. With a parent, the parent's present incarnation is checked in the same step. May
   * be repeated: it has the same outcome.
   */
  create(thread: NewThread, call?: CallOptions): Promise<Created>;
  /** The head line alone: what a server needs before it opens a thread. */
  info(call?: CallOptions): Promise<ThreadInfo | undefined>;
  /**
   * The newest snapshot and what follows it, read at one point in time. The cost does not grow with
   * the history.
   */
  load(range?: Omit<PageOptions, "cursor">, call?: CallOptions): Promise<LoadedThread | undefined>;
  /**
   * Stores the entries in one durable step, all or none, when the head is as given. Results are
   * checked in this order: `replaced`, `fenced`, `duplicate`, `expired`, `stale`. Rejects, and
   * stores nothing, when no incarnation was named and the thread is unknown, when the commits'
   * versions do not follow the head one by one, when an actor's id stands twice in the batch, or
   * beyond the limits. Of the refusals of one actor in one thread the newest (`refusalsPerActor`,
   * an option of the log, default 1,000) are kept, receipts included, so that garbage cannot fill
   * the disk.
   */
  append(head: AppendHead, entries: readonly Entry[], call?: CallOptions): Promise<AppendResult>;
  receipt(actor: Actor, id: string, call?: CallOptions): Promise<Receipt | undefined>;
  /** All receipts, in an order of the log's own: to copy a thread. */
  receipts(range?: PageOptions, call?: CallOptions): Promise<Page<Receipt>>;
  /** Commits with `after < version < before`, in the order of their versions. */
  commits(range?: CommitRange, call?: CallOptions): Promise<Page<Commit>>;
  /** Refusals, newest first. */
  refusals(range?: PageOptions, call?: CallOptions): Promise<Page<Refusal>>;
  /**
   * Remembers the state of a version, so that opening need not replay from 0. Changes nothing below
   * the floor. Rejects when the thread is not there. Of the older ones it drops those that
   * `spareSnapshots` names: a long thread keeps few.
   */
  saveSnapshot(snapshot: StoredSnapshot, call?: CallOptions): Promise<void>;
  /** The newest stored snapshot at or before `version`: undefined below the floor. */
  snapshotAt(version: number, call?: CallOptions): Promise<StoredSnapshot | undefined>;
  /**
   * Forgets the history up to a version: stores its snapshot, makes it the floor, and drops the
   * commits up to it and the snapshots before it, all in one durable step. Receipts and refusals
   * stay. Resolves to the floor; a version at or below the one there is changes nothing. Rejects
   * when the thread is not there, or the version lies beyond its head.
   */
  compact(snapshot: StoredSnapshot, call?: CallOptions): Promise<number>;
  /**
   * Forgets the receipts of verdicts given at or below a version, in one durable step. From then on
   * an append of what is based on an earlier version is `expired`. Resolves to the receipt floor; a
   * version at or below the one there is changes nothing. Rejects as `compact`.
   */
  dropReceipts(version: number, call?: CallOptions): Promise<number>;
  /**
   * Replaces the documents of commits, snapshots and receipts, in one durable step, and erases what
   * was there as far as the storage can. What is not there any more is left out: it adds nothing.
   * `redact` does so, and nothing else. Rejects when the thread is not there.
   */
  rewrite(documents: Rewrite, call?: CallOptions): Promise<void>;
  /**
   * Deletes the thread with its branches, and theirs, in one step: when it resolved, nothing of
   * them is seen any more and their ids are free; rows may go later, in slices. May be repeated.
   * `branches: "keep"` leaves them: they are orphans then.
   */
  delete(options?: { readonly branches?: "delete" | "keep" }, call?: CallOptions): Promise<Deleted>;
}

/** Which threads to list. */
export interface ThreadsRange extends PageOptions {
  /**
   * The branches of the threads that have or had this id; null: those that are no branch. Found by
   * an index. Default: all.
   */
  readonly parent?: string | null;
}

/**
 * Finds commits by an index: the cost is that of what is returned, however long the history is. Of
 * several filters one leads, the others are checked on what it finds.
 */
export interface Finder {
  find(
    thread: { readonly threadId: string; readonly incarnation?: string | undefined },
    filter: CommitFilter,
    range?: CommitRange,
    call?: CallOptions,
  ): Promise<Page<Commit>>;
}

export interface LogAdapter {
  /** How much one append can store. Larger ones are cut by the caller. */
  readonly limits: AppendLimits;
  /** Optional: without it, commits are found by reading all of them. */
  readonly finder?: Finder;
  /** Does nothing by itself, and knows nothing of whether there is such a thread. */
  thread(threadId: string, incarnation?: string): ThreadLog;
  /**
   * In the order in which they were created. A cursor stays good when threads are deleted
   * meanwhile. Rejects with a RangeError for a cursor that is no `next` of this log.
   */
  threads(range?: ThreadsRange, call?: CallOptions): Promise<Page<ThreadInfo>>;
  /**
   * Calls `onHead` with the thread's head and incarnation soon after the call, and again whenever
   * it moved, by any writer, or another thread took the name; with "" for the incarnation when the
   * thread was deleted. Ascending within one incarnation, some heads may be skipped, never from
   * within a call to the log. A hint: what there is, reading says. Returns the function that ends
   * it.
   *
   * Without it, an open thread sees what another authority wrote with its own next submission.
   */
  watch?(threadId: string, onHead: (version: number, incarnation?: string) => void): () => void;
  close(): Promise<void>;
}
