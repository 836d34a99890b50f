// The state of a past version: the nearest stored snapshot at or before it, and the patches from
// there.

import { OpstateError } from "../../error.ts";
import { applyCommits } from "../confirmed.ts";
import type { Log, StoredSnapshot } from "./log.ts";
import { readPages } from "./scan.ts";
import { eventLoop, Pace, type Scheduler } from "../pace.ts";

/** Throws as `readSnapshotAt`. */
export async function readStateAt(
  log: Log,
  threadId: string,
  version: number,
  scheduler: Scheduler = eventLoop,
): Promise<unknown> {
  return (await readSnapshotAt(log, threadId, version, scheduler)).state;
}

/**
 * Throws an OpstateError: `compacted` below the floor, `corrupt_log` when the log does not lead
 * there.
 */
export async function readSnapshotAt(
  log: Log,
  threadId: string,
  version: number,
  scheduler: Scheduler = eventLoop,
): Promise<StoredSnapshot> {
  for (let floor = 0; ;) {
    try {
      return await replayTo(log, threadId, version, new Pace(scheduler));
    } catch (error) {
      // A compaction meanwhile removed what was still to be read. Its own snapshot is a newer
      // start.
      const info = await log.info(threadId);
      if (info !== undefined && info.floor > version) throw compacted(threadId, version, info.floor);
      if (info === undefined || info.floor <= floor) throw error;
      ({ floor } = info);
    }
  }
}

async function replayTo(log: Log, threadId: string, version: number, pace: Pace): Promise<StoredSnapshot> {
  const snapshot = await log.snapshotAt(threadId, version);
  if (snapshot === undefined)
    throw new OpstateError("corrupt_log", `Thread "${threadId}" has no snapshot at or before version ${version}.`);
  let { state, definitionVersion } = snapshot;
  let reached = snapshot.version;
  for await (const commits of readPages(log, threadId, { after: reached, before: version + 1 })) {
    state = await applyCommits(state, reached, commits, pace);
    reached += commits.length;
    definitionVersion = commits.at(-1)?.definitionVersion ?? definitionVersion;
  }
  if (reached < version)
    throw new OpstateError(
      "corrupt_log",
      `Thread "${threadId}" has nothing after version ${reached}: version ${version} cannot be reached.`,
    );
  return { version, state, definitionVersion };
}

function compacted(threadId: string, version: number, floor: number): OpstateError {
  return new OpstateError(
    "compacted",
    `Thread "${threadId}" keeps nothing before version ${floor}: its history was compacted up to there, so version ${version} is not kept. Read version ${floor} or a later one.`,
  );
}
