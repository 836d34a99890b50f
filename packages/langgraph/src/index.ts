export { agentStateSchema } from "./fields/agent-state-schema.ts";
export type { AgentFieldUpdate, AgentSchemaFields, AgentStateSchema, AgentValue } from "./fields/agent-state-schema.ts";
export { clear } from "./fields/clear.ts";
export type { Clear } from "./fields/clear.ts";
export type { FieldOptions, OnReject, RefusedUpdate } from "./fields/on-reject.ts";
export { stateField } from "./fields/state-field.ts";
export type { StateFieldUpdate } from "./fields/state-field.ts";
export { snapshotField } from "./fields/snapshot-field.ts";
export type {
  FieldSnapshot,
  FieldSubmission,
  SnapshotFieldOptions,
  SnapshotFieldUpdate,
} from "./fields/snapshot-field.ts";
export type { Outcome, Outcomes } from "./fields/outcomes.ts";
export { snapshotOf } from "./fields/thread-snapshot.ts";
export type { ThreadSnapshot } from "./fields/thread-snapshot.ts";
export { operationTools, replacementTool } from "./tools/operation-tools.ts";
export type { OperationToolsOptions, ReplacementToolOptions } from "./tools/operation-tools.ts";
export { readTools } from "./tools/read-tools.ts";
export type { ReadToolsOptions } from "./tools/read-tools.ts";
export { operation } from "./tools/own-operation.ts";
export type { OperationOptions, OperationResult } from "./tools/own-operation.ts";
export type { OperationTool, ToolTarget } from "./tools/operation-tool.ts";
export type { OpstateEvent, StreamedVerdict } from "./tools/streamed-verdict.ts";
export type { Approval, ApprovalOptions, Ask, Approver } from "./approval/approval-options.ts";
export type { ApprovalAnswer } from "@opstate/agent";
export type { ApprovalRequest } from "./approval/ask-first.ts";
export { opstateMiddleware } from "./middleware/opstate-middleware.ts";
export type { OpstateMiddleware, OpstateMiddlewareOptions } from "./middleware/opstate-middleware.ts";
export type { Narrow } from "./middleware/thread-context.ts";
export type { ContextBudget, ContextParts, Place, Template, Words } from "@opstate/agent";
export { offeredTools } from "./middleware/offered-tools.ts";
export { operationsNode } from "./graph/operations-node.ts";
export type { OperationsNodeOptions, OperationsNodeState } from "./graph/operations-node.ts";
export { verdictsNode } from "./graph/verdicts-node.ts";
export type { VerdictsNodeOptions } from "./graph/verdicts-node.ts";
export { queueRuns } from "./graph/queue-runs.ts";
export type { Runs } from "./graph/queue-runs.ts";
export { threadOfRun } from "./thread/thread-source.ts";
export type { ActorSource, OpstateRun, RunConfig, ThreadSource } from "./thread/thread-source.ts";
