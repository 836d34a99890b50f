// The entry `@opstate/core`: what an application calls, and the types that it names or exports
// without naming them. What libraries need besides is in the other entries.
//
// At most 60 names: test/surface.test.ts counts them. A compiler finds the name of an inferred type
// in an entry that the application imports, so the types that these functions give are here too.

export { defineState } from "./definition/define-state.ts";
export type { OperationsOf } from "./definition/define-state.ts";
export type {
  AcceptedOperation,
  AcceptedOperationOf,
  AnyDefinition,
  ApplyContext,
  Creators,
  Definition,
  DraftOf,
  OperationOf,
  OperationSpec,
  StateOf,
  UpdateOf,
} from "./definition/definition.ts";
export { defined } from "./defined.ts";
export type { Defined } from "./defined.ts";
export type { Actor } from "./engine/actor.ts";
export type { AnyOperation } from "./engine/operation.ts";
export type { Rejection, RejectionCode } from "./engine/rejection/rejection.ts";
export type { Transition } from "./engine/transition.ts";
export { OpstateError } from "./error.ts";
export type { OpstateErrorCode } from "./error.ts";
export { defineAgentState } from "./fields/agent-state.ts";
export type { AgentState, AgentStateOf } from "./fields/agent-state.ts";
export { append } from "./fields/append.ts";
export { counter } from "./fields/counter.ts";
export { fieldsFromDeclaration } from "./fields/declaration.ts";
export type { Field } from "./fields/field.ts";
export { fixed } from "./fields/fixed.ts";
export { immutable } from "./fields/immutable.ts";
export type { Message, MessageLike } from "./fields/message.ts";
export { messages } from "./fields/messages.ts";
export { oneOf } from "./fields/one-of.ts";
export { replace } from "./fields/replace.ts";
export type { Readable } from "./readable.ts";
export type { ReadonlyDeep } from "./readonly-deep.ts";
export type { Commit, Refusal, Snapshot, Verdict } from "./thread/commit.ts";
export type { Log } from "./thread/log/log.ts";
export { memoryLog } from "./thread/log/memory/memory-log.ts";
export { openThread } from "./thread/open-thread.ts";
export type { OpenThreadOptions } from "./thread/open-thread.ts";
export type { Proposal } from "./thread/results.ts";
export { replay } from "./thread/reading/replay.ts";
export type { Replayed } from "./thread/reading/replay.ts";
export type { HistoryEntry } from "./thread/entries.ts";
export type { Branch, Thread } from "./thread/thread.ts";
export { createReplica } from "./replica/create-replica.ts";
export type { ReplicaOptions } from "./replica/create-replica.ts";
export type { PendingOperation, Replica, Sync } from "./replica/replica.ts";
export { threadTransport } from "./replica/thread-transport.ts";
export type { Transport } from "./replica/transport.ts";
