// The entry `@opstate/core/log`: what a log stores and answers, for authors of logs and for those
// who read one. The port itself is `Log` of the root; its acceptance suite is `logContract` of
// `@opstate/core/testing`.

export { checkedLog } from "./thread/log/checked-log.ts";
export type {
  Appended,
  Entry,
  ListRange,
  PageRange,
  ReadRange,
  Receipt,
  StoredSnapshot,
  StoredThread,
  ThreadInfo,
  ThreadPage,
  ThreadParent,
} from "./thread/log/log.ts";
export { spareSnapshots } from "./thread/log/thin-snapshots.ts";
export type { MergeOperation } from "./thread/merge-entry.ts";
export type { ApproveOperation, ProposeOperation } from "./thread/proposal-entry.ts";
export { replayLog } from "./thread/reading/replay.ts";
export type { ReplayedLog, VerdictChange } from "./thread/reading/replay.ts";
export type { CompactRange } from "./thread/thread.ts";
export type { UndoOperation } from "./thread/undo/excluded.ts";
