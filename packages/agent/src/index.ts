export { readAnswer } from "./approval/answer.ts";
export type { AnswerReading, ApprovalAnswer } from "./approval/answer.ts";
export { connectionOf, isCredentials } from "./approval/connection.ts";
export type { Connection, Credentials, Decider } from "./approval/connection.ts";
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
export { legalNow } from "./context/legal-now.ts";
export type { StateBase } from "./context/state-base.ts";
export { viewAtEnd, viewOf } from "./context/state-view.ts";
export type { SeenState, StateView } from "./context/state-view.ts";
export type { ContextParts, Template, Words } from "./context/context-parts.ts";
export { outline } from "./context/outline.ts";
export type { Outline } from "./context/outline.ts";
export { shortId } from "./ids/short-id.ts";
export { submissionOf } from "./ids/submission-id.ts";
export { readToolsOf } from "./reading/read-tools-of.ts";
export type { ReadableState, ReadTool, ReadToolsOptions } from "./reading/read-tools-of.ts";
export { readRefusal, refusalOf, repeatText, timesRefused } from "./repeats/repeated-refusals.ts";
export type { RefusedCall } from "./repeats/repeated-refusals.ts";
export { describeChanges, truncatedJson } from "./verdict/describe-changes.ts";
export { NO_RESULT, noResultHereText, notCarriedOutText, notRecordedText } from "./verdict/lost-call.ts";
export { describeCreated } from "./verdict/describe-created.ts";
export { summarize, verdictText } from "./verdict/verdict-text.ts";
export type { VerdictSummary } from "./verdict/verdict-text.ts";
