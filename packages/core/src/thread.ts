// The entry `@opstate/core/thread`: what the methods of a thread take and give, and the rule of
// ids, for servers and other libraries that hold threads.

export type { BranchChange } from "./thread/branch/changes.ts";
export { idRule, isId, isWellFormed } from "./thread/id.ts";
export type { Scheduler } from "./thread/pace.ts";
export type { Explanation } from "./thread/reading/explain.ts";
export type {
  ApproveOptions,
  DecideOptions,
  DispatchOptions,
  HistoryRange,
  Merged,
  MergeOptions,
  ProposeOptions,
  Right,
  UndoOptions,
} from "./thread/thread.ts";
export type { UndoTarget } from "./thread/undo/target.ts";
