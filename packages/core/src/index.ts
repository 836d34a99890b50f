export { defineState } from "./definition/define-state.ts";
export type { OperationsOf, StateSpec } from "./definition/define-state.ts";
export type {
  AnyDefinition,
  ApplyContext,
  Batch,
  Creators,
  Definition,
  OperationOf,
  OperationSpec,
  Replace,
  StateOf,
  Taken,
  UpdateOf,
} from "./definition/definition.ts";
export type { Loose } from "./definition/loose.ts";
export type { Actor, ActorKind } from "./engine/actor.ts";
export type { Issue } from "./engine/issues.ts";
export type { Rejection, RejectionCode } from "./engine/rejection.ts";
export type { Accepted, Refused, Transition } from "./engine/transition.ts";
export { OpstateError } from "./error.ts";
export type { OpstateErrorCode } from "./error.ts";
export type { Patch, PatchOperation } from "./patch/index.ts";
export type { Readable } from "./readable.ts";
export { createReplica } from "./replica/create-replica.ts";
export type { ReplicaOptions } from "./replica/create-replica.ts";
export type { PendingOperation, Replica, Sync } from "./replica/replica.ts";
export { threadTransport } from "./replica/thread-transport.ts";
export type { Transport, TransportConnection, TransportMessage, TransportStatus } from "./replica/transport.ts";
export type { Commit, Refusal, Snapshot, Submission, Verdict } from "./thread/commit.ts";
export type { Appended, Entry, Log, Receipt, StoredThread, ThreadInfo } from "./thread/log.ts";
export { memoryLog } from "./thread/memory-log.ts";
export { openThread } from "./thread/open-thread.ts";
export type { OpenThreadOptions } from "./thread/open-thread.ts";
export { replay } from "./thread/replay.ts";
export type { DispatchOptions, HistoryEntry, Thread } from "./thread/thread.ts";
