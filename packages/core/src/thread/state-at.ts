// The state of a past version: the nearest stored snapshot at or before it, and the patches from there.

import { OpstateError } from "../error.ts";
import { applyCommits } from "./confirmed.ts";
import type { Log } from "./log.ts";

const PAGE = 1_000;

/** Throws an OpstateError (`corrupt_log`) when the log does not lead there. */
export async function readStateAt(log: Log, threadId: string, version: number): Promise<unknown> {
  const snapshot = await log.snapshotAt(threadId, version);
  if (snapshot === undefined)
    throw new OpstateError("corrupt_log", `Thread "${threadId}" has no snapshot at or before version ${version}.`);
  let { state } = snapshot;
  for (let at = snapshot.version; at < version;) {
    const commits = await log.read(threadId, { after: at, limit: Math.min(PAGE, version - at) });
    if (commits.length === 0)
      throw new OpstateError("corrupt_log", `Thread "${threadId}" has nothing after version ${at}: version ${version} cannot be reached.`);
    state = applyCommits(state, at, commits);
    at += commits.length;
  }
  return state;
}
