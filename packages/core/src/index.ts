export { defineState } from "./definition/define-state.ts";
export type { OperationsOf, StateSpec } from "./definition/define-state.ts";
export { defined } from "./defined.ts";
export type { Defined } from "./defined.ts";
export type {
  AcceptedOperation,
  AcceptedOperationOf,
  AnyDefinition,
  ApplyContext,
  Batch,
  Creators,
  Definition,
  Narrowed,
  OperationOf,
  OperationSpec,
  Replace,
  StateOf,
  UpdateOf,
} from "./definition/definition.ts";
export type { Loose } from "./definition/loose.ts";
export { append } from "./fields/append.ts";
export type { AppendUpdate } from "./fields/append.ts";
export { defineAgentState } from "./fields/agent-state.ts";
export type { AgentFields, AgentState, AgentStateOf, AgentTransition, AgentUpdate } from "./fields/agent-state.ts";
export type { AgentSchema } from "./fields/agent-schema.ts";
export { counter } from "./fields/counter.ts";
export { fieldsFromDeclaration } from "./fields/declaration.ts";
export type { FieldDeclaration, FieldDeclarations } from "./fields/declaration.ts";
export type { AnyField, Field, FieldTransition } from "./fields/field.ts";
export { immutable } from "./fields/immutable.ts";
export type { Message, MessageLike, MessageType, RemoveMessage } from "./fields/message.ts";
export { messages } from "./fields/messages.ts";
export { oneOf } from "./fields/one-of.ts";
export { replace } from "./fields/replace.ts";
export type { Actor, ActorKind } from "./engine/actor.ts";
export type { AnyOperation } from "./engine/operation.ts";
export type { Issue } from "./engine/validation/issues.ts";
export type { Rejection, RejectionCode } from "./engine/rejection.ts";
export type { Accepted, Refused, Transition } from "./engine/transition.ts";
export { OpstateError } from "./error.ts";
export type { OpstateErrorCode } from "./error.ts";
export type { Patch, PatchOperation } from "./patch/index.ts";
export type { Readable } from "./readable.ts";
export { createReplica } from "./replica/create-replica.ts";
export type { ReplicaOptions } from "./replica/create-replica.ts";
export type { PendingOperation, Replica, Sync } from "./replica/replica.ts";
export { createReplicaCache } from "./replica/replica-cache.ts";
export type { CachedReplica, PageReplicaOptions, ReplicaCache } from "./replica/replica-cache.ts";
export { threadTransport } from "./replica/thread-transport.ts";
export type { Transport, TransportConnection, TransportMessage, TransportStatus } from "./replica/transport.ts";
export type { Commit, Refusal, Snapshot, Submission, Verdict } from "./thread/commit.ts";
export type { Explanation } from "./thread/reading/explain.ts";
export { checkedLog } from "./thread/log/checked-log.ts";
export { idRule, isId, isWellFormed } from "./thread/id.ts";
export type { BranchChange } from "./thread/branch/changes.ts";
export type {
  Appended,
  Entry,
  ListRange,
  Log,
  PageRange,
  ReadRange,
  Receipt,
  StoredSnapshot,
  StoredThread,
  ThreadInfo,
  ThreadPage,
  ThreadParent,
} from "./thread/log/log.ts";
export { memoryLog } from "./thread/log/memory-log.ts";
export { openThread } from "./thread/open-thread.ts";
export { authorOf } from "./thread/origin.ts";
export type { Author } from "./thread/origin.ts";
export type { OpenThreadOptions } from "./thread/open-thread.ts";
export type { Scheduler } from "./thread/pace.ts";
export { spareSnapshots } from "./thread/log/thin-snapshots.ts";
export { replay, replayLog } from "./thread/reading/replay.ts";
export type { Replayed, ReplayedLog, VerdictChange } from "./thread/reading/replay.ts";
export type { MergeOperation } from "./thread/merge-entry.ts";
export type { Proposal } from "./thread/proposal/open-proposals.ts";
export type { ApproveOperation, ProposeOperation } from "./thread/proposal-entry.ts";
export type {
  ApproveOptions,
  Branch,
  CompactRange,
  DecideOptions,
  DispatchOptions,
  HistoryEntry,
  HistoryRange,
  Merged,
  MergeOptions,
  ProposeOptions,
  Right,
  Thread,
  UndoOptions,
} from "./thread/thread.ts";
export type { UndoOperation } from "./thread/undo/excluded.ts";
export type { UndoTarget } from "./thread/undo/target.ts";
export { createHistoryFeed } from "./feeds/history-feed.ts";
export type { HistoryFeed, HistoryFeedOptions, HistorySource, HistoryState } from "./feeds/history-feed.ts";
export type { CommitSource, SyncView } from "./feeds/commit-source.ts";
export { createProposalFeed } from "./feeds/proposal-feed.ts";
export type { ProposalFeed, ProposalSource, ProposalState } from "./feeds/proposal-feed.ts";
export { accessThread } from "./feeds/thread-access.ts";
export type {
  AccessOptions,
  ApproveAccessOptions,
  BranchAccess,
  DecideAccessOptions,
  LocalAccess,
  ThreadAccess,
  UndoAccessOptions,
} from "./feeds/thread-access.ts";
export { createUndoStack } from "./feeds/undo-stack.ts";
export type { UndoSource, UndoStack, UndoStackOptions, UndoState } from "./feeds/undo-stack.ts";
export type { UndoStep } from "./feeds/undo-steps.ts";
