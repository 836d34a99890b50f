export { createClient } from "./client.ts";
export type { Client, ClientOptions, ServerOptions, SignedOut, ThreadsOptions } from "./client.ts";
export type { Participant, PresenceValue } from "./carrier.ts";
export { createLocal } from "./local.ts";
export type { LocalOptions } from "./local.ts";
export { RequestError } from "./connection/http/request.ts";
export type { RequestHeaders, RequestOptions } from "./connection/http/request.ts";
export type {
  ApproveOptions,
  BranchChanges,
  BranchChangesState,
  CallOptions,
  ClientThread,
  DecideOptions,
  HistoryOptions,
  ShownProposal,
  ThreadBranch,
  ThreadBranches,
  ThreadHistory,
  ThreadPresence,
  ThreadProposals,
  ThreadSync,
  ThreadUndo,
  ThreadUndoState,
  UndoCallOptions,
} from "./client-thread.ts";
export type { ClientStorage, StorageScope, StoredEdit, StoredSnapshot, StoredThread } from "./storage/storage.ts";
export { indexedDbStorage } from "./storage/indexed-db-storage.ts";
export type { IndexedDbStorageOptions } from "./storage/database-storage.ts";
export { memoryStorage } from "./storage/memory-storage.ts";
export { StorageError, type StorageErrorCode } from "./storage/storage-error.ts";
export type { ThreadOptions } from "./thread/create-client-thread.ts";
export type { HistoryFeed, HistoryState } from "./history/history-feed.ts";
export type { ProposalFeed, ProposalState } from "./proposal-feed.ts";
export type { UndoState } from "./undo/undo-stack.ts";
export type { UndoStep } from "./undo/undo-steps.ts";
export { dependentsOf, undoOutcome } from "@opstate/core/thread";
export type { Dependent, Dependents, UndoOutcome } from "@opstate/core/thread";
