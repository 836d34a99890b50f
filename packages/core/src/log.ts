// The entry `@opstate/core/log`: what a log stores and answers, for authors of logs and for those
// who read one. The port itself is `Log` of the root; its acceptance suite is `logContract` of
// `@opstate/core/testing`.

export type {
  AppendHead,
  AppendLimits,
  AppendResult,
  CommitFilter,
  CommitRange,
  Created,
  Deleted,
  Rewrite,
  Finder,
  LoadedThread,
  LogAdapter,
  NewThread,
  Page,
  PageOptions,
  ThreadLog,
  ThreadsRange,
} from "./thread/log/adapter.ts";
export { checkCall, withinCall } from "./thread/log/call.ts";
export type { CallOptions, CallSignal } from "./thread/log/call.ts";
export { checkedLog } from "./thread/log/old-port/checked-log.ts";
export { createLog, fullLog } from "./thread/log/create-log.ts";
export { entryBytes } from "./thread/log/entry-size.ts";
export { findCommits } from "./thread/log/find-commits.ts";
export { commitSpan, cursorNumber, cutPage, itemsOfPages, pageLimits } from "./thread/log/pages.ts";
export { actorKey, receiptKey } from "./thread/log/receipt-key.ts";
export { HeadWatchers } from "./thread/log/head-watchers.ts";
export type { ThreadHead } from "./thread/log/head-watchers.ts";
export type {
  Appended,
  Entry,
  FullLog,
  ListRange,
  PageRange,
  ReadRange,
  Receipt,
  StoredSnapshot,
  StoredThread,
  ThreadInfo,
  ThreadPage,
  ThreadParent,
  WatchedLog,
} from "./thread/log/log.ts";
export { timedLog } from "./thread/log/timed-log.ts";
export { spareSnapshots } from "./thread/log/thin-snapshots.ts";
export {
  APPROVE,
  DECLINE,
  droppedVersions,
  isApprove,
  isDecision,
  isDecline,
  isRedact,
  isMerge,
  isMigrate,
  isPropose,
  isUndo,
  MERGE,
  PROPOSE,
  REDACT,
  UNDO,
} from "./thread/entries.ts";
export type {
  ApproveOperation,
  DeclineOperation,
  MergeOperation,
  MigrateOperation,
  ProposeOperation,
  UndoOperation,
} from "./thread/entries.ts";
export { proposalChange } from "./thread/proposal/proposal-change.ts";
export type { ProposalChange } from "./thread/proposal/proposal-change.ts";
export { authorOf } from "./thread/origin.ts";
export type { Author } from "./thread/origin.ts";
export { countVersions, hasVersion, versionsIn } from "./thread/version-ranges.ts";
export type { VersionRange, VersionRanges } from "./thread/version-ranges.ts";
export { replayLog } from "./thread/reading/replay.ts";
export type { ReplayedLog, VerdictChange } from "./thread/reading/replay.ts";
export type { CompactRange } from "./thread/options.ts";
