export { readAnswer } from "./approval/answer.ts";
export type { AnswerReading, ApprovalAnswer } from "./approval/answer.ts";
export { connectionOf } from "./approval/connection.ts";
export type { Connection, Credentials, Decider } from "./approval/connection.ts";
export { deciderFor } from "./approval/decider.ts";
export { callText } from "./approval/call-text.ts";
export { approvedBy, carryOut, isEdit } from "./approval/carry-out.ts";
export type { CallResult } from "./approval/carry-out.ts";
export { needsApproval } from "./approval/needs-approval.ts";
export { proposeCall } from "./approval/propose-call.ts";
export { submitOrAsk } from "./approval/submit-or-ask.ts";
export {
  actorName,
  findProposalOutcome,
  lostVerdict,
  proposalOutcome,
  proposedOperation,
} from "./approval/proposal-outcome.ts";
export type { ProposalOutcome } from "./approval/proposal-outcome.ts";
export { openProposalText, questionText } from "./approval/proposal-text.ts";
export { ContextPolicy, DEFAULT_BUDGET } from "./context/context-policy.ts";
export type { ContextBudget, ContextOptions, ContextRequest, Conversation, Place } from "./context/context-policy.ts";
export { commitLine } from "./context/changes-since.ts";
export { digestUpTo } from "./context/digest-since.ts";
export { legalNow } from "./context/legal-now.ts";
export type { StateBase } from "./context/state-base.ts";
export { viewAtEnd, viewOf } from "./context/state-view.ts";
export type { SeenState, StateView } from "./context/state-view.ts";
export { digestText } from "./context/context-parts.ts";
export type { ContextParts, Template, Words } from "./context/context-parts.ts";
export { outline } from "./context/outline.ts";
export type { Outline } from "./context/outline.ts";
export { isIdConflict, sameIdRejection, sameIdVerdict, sameKeyVerdict } from "./ids/same-id.ts";
export { shortId } from "./ids/short-id.ts";
export { submissionOf } from "./ids/submission-id.ts";
export { placeAt } from "./reading/place.ts";
export { readToolsOf } from "./reading/read-tools-of.ts";
export type { ReadableState, ReadTool, ReadToolsOptions } from "./reading/read-tools-of.ts";
export { readRefusal, refusalOf, repeatText, timesRefused } from "./repeated-refusals.ts";
export type { RefusedCall } from "./repeated-refusals.ts";
export { onceIdOf, onceKeyOf } from "./session/call-ids.ts";
export { AgentSession } from "./session/agent-session.ts";
export type {
  AgentCall,
  AgentResult,
  AgentSessionOptions,
  AgentTool,
  ApprovalQuestion,
  OpenQuestion,
  HostApproval,
} from "./session/agent-session.ts";
export { HostCalls } from "./session/host-calls.ts";
export type { HostCall, HostCallsOptions } from "./session/host-calls.ts";
export { HostContext } from "./session/host-context.ts";
export type { HostContextOptions } from "./session/host-context.ts";
export { lastCommitOf } from "./session/last-commit.ts";
export { runBranch } from "./session/run-branch.ts";
export { asData } from "./verdict/as-data.ts";
export { describeChanges, truncatedJson } from "./verdict/describe-changes.ts";
export { NO_RESULT, noResultHereText, notCarriedOutText, notRecordedText } from "./verdict/lost-call.ts";
export { describeCreated } from "./verdict/describe-created.ts";
export { keptVerdict } from "./verdict/kept-verdict.ts";
export { summarize, verdictText } from "./verdict/verdict-text.ts";
export type { VerdictSummary } from "./verdict/verdict-text.ts";
