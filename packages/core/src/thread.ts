// The entry `@opstate/core/thread`: what the methods of a thread take and give, what was done in
// words, who may do what by default, and the rules of ids, for pages, servers and other libraries
// that hold threads.

export { sameActor } from "./engine/actor.ts";
export { sha256Hex } from "./engine/hash.ts";
export { ID_LIMIT, ID_LIST_LIMIT, ID_RULE, isId, isIdList, isWellFormed } from "./thread/id.ts";
export { randomId } from "./thread/random-id.ts";
export type { SubmissionEvent, SubmissionTimes, ThreadObserver } from "./thread/observe.ts";
export type {
  ApproveOptions,
  DecideOptions,
  DispatchOptions,
  HistoryRange,
  ItemRange,
  MergeOptions,
  OnDependent,
  ProposeOptions,
  RedactOptions,
  SlowOperation,
  UndoOptions,
  UndoTarget,
} from "./thread/options.ts";
export { checkReceipts } from "./thread/log/receipt-time.ts";
export type { ReceiptOptions } from "./thread/log/receipt-time.ts";
export { confirmationOf } from "./thread/proposal/confirmation.ts";
export type { Confirmation, ProposalFacts } from "./thread/proposal/confirmation.ts";
export { digestSince } from "./thread/reading/digest.ts";
export { changesOver } from "./thread/reading/changes-over.ts";
export type { ChangeRange } from "./thread/reading/changes-over.ts";
export { entriesOver } from "./thread/reading/entries-over.ts";
export { reach } from "./thread/reading/reach.ts";
export { eventLoop, Pace } from "./thread/pace.ts";
export type { AbortSignalLike, Scheduler } from "./thread/pace.ts";
export type { BranchChange, Explanation, Merged, ProposalStatus, Redacted } from "./thread/results.ts";
export { thingsFault } from "./thread/things/submitted-things.ts";
export type { SubmittedThing } from "./thread/things/submitted-things.ts";
export { defaultRights, hasRight } from "./thread/rights.ts";
export type { Right, ThreadRight } from "./thread/rights.ts";
export { dependentsOf, undoOutcome } from "./thread/undo-outcome.ts";
export type { Dependent, Dependents, UndoOutcome } from "./thread/undo-outcome.ts";
export { actorText, quoteText, sentenceOf } from "./thread/words.ts";
