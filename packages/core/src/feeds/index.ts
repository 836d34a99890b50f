// The entry `@opstate/core/feeds`: what pages show of a thread, for bindings and for applications
// without one.

export { createReplicaCache } from "../replica/replica-cache.ts";
export type { CachedReplica, PageReplicaOptions, ReplicaCache } from "../replica/replica-cache.ts";
export type { CommitSource, SyncView } from "./commit-source.ts";
export { createHistoryFeed } from "./history-feed.ts";
export type { HistoryFeed, HistoryFeedOptions, HistorySource, HistoryState } from "./history-feed.ts";
export { createProposalFeed } from "./proposal-feed.ts";
export type { ProposalFeed, ProposalSource, ProposalState } from "./proposal-feed.ts";
export { accessThread } from "./thread-access.ts";
export type {
  AccessOptions,
  ApproveAccessOptions,
  BranchAccess,
  DecideAccessOptions,
  LocalAccess,
  ThreadAccess,
  UndoAccessOptions,
} from "./thread-access.ts";
export { sentenceOf } from "../thread/words.ts";
export { dependentsOf, undoOutcome } from "./undo-outcome.ts";
export type { Dependent, Dependents, UndoOutcome } from "./undo-outcome.ts";
export { createUndoStack } from "./undo-stack.ts";
export type { UndoSource, UndoStack, UndoStackOptions, UndoState } from "./undo-stack.ts";
export type { UndoStep } from "./undo-steps.ts";
