// How far a thread's history is removed, and the snapshot that replaces it.
//
// Invariant: the snapshot of the floor is what the log's own patches lead to. Today's definition
// has no part in it.

import { OpstateError } from "../../error.ts";
import type { Log, ThreadInfo } from "../log/log.ts";
import { eventLoop, type Scheduler } from "../pace.ts";
import { readSnapshotAt } from "../log/state-at.ts";

/**
 * Removes the history up to `version`: its state becomes the oldest that can be read. Resolves to
 * the floor, which is higher when the thread was compacted further before. Throws a RangeError
 * beyond the head, an OpstateError (`corrupt_log`) when the log does not lead there.
 */
export async function compactTo(
  log: Log,
  threadId: string,
  version: number,
  scheduler: Scheduler = eventLoop,
): Promise<number> {
  const info = await readInfo(log, threadId);
  if (!Number.isSafeInteger(version) || version < 0 || version > info.version)
    throw new RangeError(
      `Thread "${threadId}" has the versions 0 to ${info.version}, so it cannot be compacted to ${version}.`,
    );
  if (version <= info.floor) return info.floor;
  try {
    return await log.compact(threadId, await readSnapshotAt(log, threadId, version, scheduler));
  } catch (error) {
    // Another process went further meanwhile.
    if (error instanceof OpstateError && error.code === "compacted") return (await readInfo(log, threadId)).floor;
    throw error;
  }
}

async function readInfo(log: Log, threadId: string): Promise<ThreadInfo> {
  const info = await log.info(threadId);
  if (info === undefined) throw new OpstateError("corrupt_log", `The log has no thread "${threadId}".`);
  return info;
}
