// Forgets the history up to a version. The floor moves, and gets its snapshot, in one statement; then what lies below it is taken away.
//
// Invariant: nothing at or below the floor is seen any more, whatever is still there: so it can go in slices, without the lock of the head
// that appends wait for. What a failure leaves behind, the thread's next compaction takes.

import type { StoredSnapshot } from "@opstate/core";
import type { Query } from "./database.ts";
import type { Statements } from "./statements.ts";
import { escapeId } from "./stored-text.ts";

/** Commits in one transaction. */
const slice = 10_000;

export interface Compaction {
  readonly key: number;
  readonly floor: number;
}

/** Rejects when the thread is unknown or the version beyond its head. `state` is the snapshot's text. */
export async function moveFloor(
  query: Query,
  sql: Statements,
  threadId: string,
  { version, definitionVersion }: Omit<StoredSnapshot, "state">,
  state: string,
): Promise<Compaction> {
  const [moved] = await query(sql.moveFloor, [escapeId(threadId), version, definitionVersion, state]);
  if (moved) return { key: Number(moved["key"]), floor: version };
  const [head] = await query(sql.findThread, [escapeId(threadId)]);
  if (!head) throw new Error(`The Postgres log has no thread "${threadId}".`);
  if (version > Number(head["version"]))
    throw new RangeError(`Thread "${threadId}" has the versions 0 to ${Number(head["version"])}, so it cannot be compacted to ${version}.`);
  return { key: Number(head["key"]), floor: Number(head["floor"]) };
}

/** Ends early when `stopped`. */
export async function sweep(query: Query, sql: Statements, { key, floor }: Compaction, stopped: () => boolean): Promise<void> {
  await query(sql.dropSnapshots, [key, floor]);
  const [oldest] = await query(sql.findOldest, [key, floor]);
  if (oldest?.["version"] === null || oldest === undefined) return;
  // By position, and not by what is the oldest now: that would walk over what was just deleted.
  for (let from = Number(oldest["version"]); from <= floor && !stopped(); from += slice)
    await query(sql.dropCommits, [key, Math.min(from + slice - 1, floor)]);
}
