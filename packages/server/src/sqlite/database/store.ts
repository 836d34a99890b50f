// What a SQLite log needs from its database, wherever that is: in this thread or in one of its own.
//
//   thread-log.ts: values ── JSON texts, rows ──> Store ── SQL ──> file
//
// Invariants:
// - All that goes in and comes out can be sent to another thread: plain values, no functions.
// - Documents are texts. So they are copied as bytes, and parsed where they are read.

import type { Actor } from "@opstate/core";
import type {
  AppendResult,
  CallOptions,
  CommitFilter,
  CommitRange,
  Created,
  Deleted,
  Page,
  PageOptions,
  Receipt,
  ThreadHead,
  ThreadInfo,
  ThreadsRange,
} from "@opstate/core/log";

/** A thread, in the given incarnation if there is one. */
export interface ThreadKey {
  readonly threadId: string;
  readonly incarnation: string | undefined;
}

export interface ParentRow {
  readonly document: string;
  readonly threadId: string;
  readonly incarnation: string;
}

export interface ThreadRow {
  readonly definition: string;
  readonly definitionVersion: number;
  readonly state: string;
  readonly at: string;
  readonly parent: ParentRow | undefined;
  readonly checkParent: boolean;
}

export interface SnapshotRow {
  readonly version: number;
  readonly definitionVersion: number;
  readonly state: string;
}

/** An entry, as short as it can be sent: a tuple has no names. */
export type EntryRow = readonly [
  actorKind: string,
  actorId: string,
  id: string,
  hash: string,
  /** Null: refused. Then the document is the refusal. */
  accepted: number | null,
  document: string,
  commit: CommitRow | null,
];

export type CommitRow = readonly [
  version: number,
  runId: string | null,
  authorKind: string,
  authorId: string,
  type: string,
];

export interface LoadedRows {
  readonly info: ThreadInfo;
  readonly snapshot: SnapshotRow;
  readonly commits: readonly string[];
  readonly next?: string;
}

export interface RewriteRows {
  readonly commits: readonly (readonly [document: string, version: number])[];
  readonly snapshots: readonly SnapshotRow[];
  /** `refusal`: its document, unless the outcome was accepted. */
  readonly receipts: readonly {
    readonly actor: Actor;
    readonly id: string;
    readonly hash: string;
    readonly refusal?: string;
  }[];
}

/** The options of a call come first, since they are not sent as they are. */
type Call = CallOptions | undefined;

/** The calls. Those of a thread do what the method of that name does in the port `ThreadLog`. */
export interface StoreCalls {
  create(call: Call, of: ThreadKey, thread: ThreadRow): Promise<Created>;
  info(call: Call, of: ThreadKey): Promise<ThreadInfo | undefined>;
  load(call: Call, of: ThreadKey, range: PageOptions): Promise<LoadedRows | undefined>;
  /** `basedOn`: the earliest version that an entry is based on. */
  append(
    call: Call,
    of: ThreadKey,
    version: number,
    basedOn: number,
    entries: readonly EntryRow[],
  ): Promise<AppendResult>;
  receipt(call: Call, of: ThreadKey, actor: Actor, id: string): Promise<Receipt | undefined>;
  receipts(call: Call, of: ThreadKey, range: PageOptions): Promise<Page<Receipt>>;
  find(call: Call, of: ThreadKey, filter: CommitFilter, range: CommitRange): Promise<Page<string>>;
  refusals(call: Call, of: ThreadKey, range: PageOptions): Promise<Page<string>>;
  saveSnapshot(call: Call, of: ThreadKey, snapshot: SnapshotRow): Promise<void>;
  snapshotAt(call: Call, of: ThreadKey, version: number): Promise<SnapshotRow | undefined>;
  compact(call: Call, of: ThreadKey, snapshot: SnapshotRow): Promise<number>;
  dropReceipts(call: Call, of: ThreadKey, version: number): Promise<number>;
  rewrite(call: Call, of: ThreadKey, rows: RewriteRows): Promise<void>;
  delete(call: Call, of: ThreadKey, branches: "delete" | "keep"): Promise<Deleted>;
  threads(call: Call, range: ThreadsRange): Promise<Page<ThreadInfo>>;
  /** Resolves when what was deleted is swept. */
  swept(call: Call): Promise<void>;
  /** Reports the heads of a thread, the present one first. */
  watch(call: Call, threadId: string): Promise<void>;
  unwatch(call: Call, threadId: string): Promise<void>;
  /** What was queued is done. Later calls reject. */
  close(call: Call): Promise<void>;
}

/** What a store is opened with. */
export interface StoreOptions {
  readonly path: string;
  readonly refusalsPerActor: number;
  readonly lockTimeout: number;
  readonly pollInterval: number;
}

/** Gets the head of a watched thread; undefined: it is gone. */
export type OnHead = (threadId: string, head: ThreadHead | undefined) => void;
