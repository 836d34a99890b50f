// One thread as a page holds it: its state, its edits, its past, in one object. The actor and the
// rights are those of the client's connection.

import type {
  AcceptedOperation,
  Actor,
  AnyDefinition,
  HistoryEntry,
  OperationOf,
  Proposal,
  Readable,
  Rejection,
  Replica,
  Snapshot,
  StateOf,
  Sync,
  UpdateOf,
  Verdict,
} from "@opstate/core";
import type { ThreadInfo } from "@opstate/core/log";
import type {
  BranchChange,
  Explanation,
  HistoryRange,
  Merged,
  OnDependent,
  ProposalStatus,
  UndoTarget,
} from "@opstate/core/thread";
import type { Participant, PresenceValue } from "./carrier.ts";
import type { HistoryFeed, HistoryFeedOptions } from "./history/history-feed.ts";
import type { ProposalFeed } from "./proposal-feed.ts";
import type { UndoState } from "./undo/undo-stack.ts";

type Accepted<D extends AnyDefinition> = AcceptedOperation<OperationOf<D>>;
type VerdictOf<D extends AnyDefinition> = Promise<Verdict<Accepted<D>>>;

export interface CallOptions {
  /** A call with an id has one effect, however often it is sent. */
  readonly id?: string;
  /** When it was made at first, for one that is sent again: `Date.now` then. Default: now. */
  readonly madeAt?: number;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly expectedVersion?: number;
}

/** The sync of a thread with its authority, and the actor who edits it here. */
export interface ThreadSync extends Sync {
  /** Who submits here, once it is known. */
  readonly actor?: Actor;
  /** The actor of the last time: the server has not said yet who is connected. */
  readonly isUnconfirmed?: true;
  /**
   * Edits that are not sent: another actor made them, or they are of another definition. They stay
   * in the store, for the actor who made them.
   */
  readonly lost: Sync["pending"];
  /** Why edits are not kept over a reload now, such as a `StorageError` of a store that is full. */
  readonly storage?: Error;
}

export interface ClientThread<D extends AnyDefinition = AnyDefinition> extends Omit<
  Replica<D>,
  "sync" | "close" | "snapshot" | "restore"
> {
  readonly threadId: string;
  readonly sync: Readable<ThreadSync>;
  /** Undefined when the operation would be accepted now, else the rejection that it would get. */
  can(operation: UpdateOf<D>): Rejection | undefined;
  readonly history: ThreadHistory<D>;
  readonly undo: ThreadUndo<D>;
  readonly proposals: ThreadProposals<D>;
  readonly branches: ThreadBranches<D>;
  readonly presence: ThreadPresence;
}

export type HistoryOptions = Omit<HistoryFeedOptions, "onError">;

/** The past, newest first, in pages. Live while it has a subscriber. */
export interface ThreadHistory<D extends AnyDefinition = AnyDefinition> extends HistoryFeed<Accepted<D>> {
  /**
   * The past with other options, such as refusals too. The same options give the same object, so
   * that whatever shows it shares its reads.
   */
  with(options: HistoryOptions): HistoryFeed<Accepted<D>>;
  read(range?: HistoryRange): Promise<readonly HistoryEntry<Accepted<D>>[]>;
  stateAt(version: number): Promise<Snapshot<StateOf<D>>>;
  explain(pointer: string): Promise<Explanation<Accepted<D>> | undefined>;
}

/** `onDependent`: what becomes of later work that would do something else. Default "refuse". */
export type UndoCallOptions = CallOptions & { readonly onDependent?: OnDependent };

export type ThreadUndoState<D extends AnyDefinition = AnyDefinition> = UndoState<Accepted<D>> & {
  /** What the last call threw, such as a lost connection. The next call clears it. */
  readonly error?: unknown;
};

/**
 * Called, it takes back: by default the last own edit, resolving to undefined when there is none.
 * Read, it says what would be undone. A call that fails rejects, and its error is in the state;
 * it need not be awaited.
 */
export interface ThreadUndo<D extends AnyDefinition = AnyDefinition> extends Readable<ThreadUndoState<D>> {
  (target?: "last", options?: UndoCallOptions): Promise<Verdict<Accepted<D>> | undefined>;
  (target: UndoTarget, options?: UndoCallOptions): VerdictOf<D>;
  /** Does again what the last undo took back. */
  redo(options?: UndoCallOptions): Promise<Verdict<Accepted<D>> | undefined>;
}

export type DecideOptions = CallOptions & { readonly proposedAt?: number };
/** `anyway`: approve although the values that the proposal changes are no longer the shown ones. */
export type ApproveOptions = DecideOptions & { readonly anyway?: boolean };

/** A proposal as a page shows it. A decision about it counts for no other version of it. */
export type ShownProposal = Pick<Proposal, "id" | "version">;

/** `proposal`: one of the list, or an id, whatever its version. */
export interface ThreadProposals<D extends AnyDefinition = AnyDefinition> extends ProposalFeed<Accepted<D>> {
  /** What became of a proposal; undefined when the log knows none. */
  find(id: string): Promise<ProposalStatus<Accepted<D>> | undefined>;
  propose(update: UpdateOf<D>, options?: CallOptions & { readonly expiresAt?: string }): VerdictOf<D>;
  approve(proposal: string | ShownProposal, options?: ApproveOptions): VerdictOf<D>;
  decline(proposal: string | ShownProposal, options?: DecideOptions & { readonly reason?: string }): VerdictOf<D>;
}

/** One for each thread id. */
export interface ThreadBranches<D extends AnyDefinition = AnyDefinition> {
  list(): Promise<readonly ThreadInfo[]>;
  /** At a version (default: the newest). One of the same `name` and version is returned again. */
  create(options?: { readonly version?: number; readonly name?: string }): Promise<ThreadBranch<D>>;
  open(threadId: string): ThreadBranch<D>;
}

export interface ThreadBranch<D extends AnyDefinition = AnyDefinition> {
  readonly threadId: string;
  /** The branch is a thread too: read it and edit it as any other. */
  readonly thread: ClientThread<D>;
  /**
   * The changes, oldest first. While it has a subscriber it is read again after each commit of the
   * branch and of the thread that it is a branch of: both decide what can be merged.
   */
  readonly changes: BranchChanges<Accepted<D>>;
  diff(): Promise<readonly BranchChange<Accepted<D>>[]>;
  merge(options?: { readonly ids?: readonly string[] }): Promise<readonly Merged<Accepted<D>>[]>;
  discard(): Promise<void>;
}

export interface BranchChangesState<Operation = unknown> {
  readonly changes: readonly BranchChange<Operation>[];
  /** Whether a read is under way, or none has begun yet. */
  readonly loading: boolean;
  /** What the last read threw. The next commit, a reconnection or `refresh` reads again. */
  readonly error?: unknown;
}

export interface BranchChanges<Operation = unknown> extends Readable<BranchChangesState<Operation>> {
  /** Reads the changes now. Never rejects: see `error`. */
  refresh(): Promise<void>;
}

/**
 * Who else is here, and what they work on; this tab is not among them. It is never in the log. It
 * ends with the connection, or some heartbeats after the tab went silent.
 */
export interface ThreadPresence extends Readable<readonly Participant[]> {
  /** Shows what this tab works on; undefined: nothing. Throttled, and sent while connected. */
  show(value: PresenceValue | undefined): void;
}
