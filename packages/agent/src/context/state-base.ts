// The snapshot of a large state, before the conversation: when it is made, and made anew.
//
//   call 1   [snapshot v41] conversation                     changes since: none
//   call 2   [snapshot v41] conversation, longer             changes since v41
//   call 9   [snapshot v57] conversation, longer still       changes since: none
//
// A provider's cache has the snapshot and the conversation after it. It does not have the changes:
// they are paid in full with each call. A new snapshot is paid in full once, with the conversation
// after it. So it is made when the changes, over all calls since the last one, have cost as much.
// Whatever comes next, that is at most twice the price of the best choice.
//
// Invariant: a base says which text is shown, to the letter, and is small: a version of the thread,
// and what stands first in the outline. A checkpoint stores it. The text is made again from the log
// after a restart. When compaction removed that version, a new snapshot is made: a cache is missed
// once, and nothing else.

import type { AnyDefinition, StateOf, Thread } from "@opstate/core";
import { changeLines, commitsBetween, type Said } from "./changes-since.ts";
import { recentPointers } from "./recent-pointers.ts";

/** Plain JSON. */
export interface StateBase {
  readonly threadId: string;
  readonly incarnation: string;
  /** The version that the snapshot shows. */
  readonly version: number;
  /** JSON Pointers of what was touched before it, the last one first. */
  readonly focus: readonly string[];
  /** Characters of changes that were sent since. */
  readonly spent: number;
}

/** More commits are not read: a new snapshot is shorter. */
const MAX_COMMITS = 200;
/** Commits whose values stand first in the outline. */
const RECENT_COMMITS = 20;
const MAX_FOCUS = 30;

export interface BaseRequest extends Said {
  readonly version: number;
  /** The characters of the conversation, and of the snapshot. */
  readonly conversation: number;
  readonly snapshot: number;
}

/** The base of the next call: the last one while it is worth it, else one at `version`. */
export async function nextBase<D extends AnyDefinition>(
  thread: Thread<D>,
  last: StateBase | undefined,
  request: BaseRequest,
): Promise<StateBase> {
  const { version, conversation, snapshot } = request;
  if (last !== undefined && isOf(last, thread) && last.version <= version && version - last.version <= MAX_COMMITS) {
    const commits = await commitsBetween(thread, last.version, version);
    if (commits !== undefined) {
      const lines = changeLines(thread.definition, commits, request);
      const size = lines.reduce((sum, { text }) => sum + text.length + 1, 0);
      const spent = last.spent + size;
      if (isWorthKeeping({ size, spent, conversation, snapshot })) return { ...last, spent };
    }
  }
  const after = Math.max(thread.floor, version - RECENT_COMMITS);
  const recent = (await commitsBetween(thread, after, version)) ?? [];
  const focus = recentPointers(
    recent.map(({ patches }) => patches),
    MAX_FOCUS,
  );
  return { threadId: thread.threadId, incarnation: thread.incarnation, version, focus, spent: 0 };
}

/** Whether the snapshot costs less with its changes than a new one. All are characters. */
export function isWorthKeeping(cost: {
  /** The changes of this call, and of all calls since the snapshot. */
  readonly size: number;
  readonly spent: number;
  readonly conversation: number;
  readonly snapshot: number;
}): boolean {
  return cost.size <= cost.snapshot / 2 && cost.spent <= cost.snapshot + cost.conversation;
}

/** The state of a base; undefined when compaction removed it. */
export async function stateOfBase<D extends AnyDefinition>(
  thread: Thread<D>,
  base: StateBase,
): Promise<{ readonly state: StateOf<D> } | undefined> {
  if (!isOf(base, thread) || base.version > thread.version || base.version < thread.floor) return undefined;
  return { state: await thread.stateAt(base.version) };
}

/** Whether the base is of this very thread, and not of another one that had its id. */
function isOf(base: StateBase, { threadId, incarnation }: Pick<Thread, "threadId" | "incarnation">): boolean {
  return base.threadId === threadId && base.incarnation === incarnation;
}
