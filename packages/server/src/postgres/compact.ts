// Forgets the history up to a version, or a whole thread. The floor moves and gets its snapshot, or
// the thread loses its name, in one statement; then what nobody sees any more is taken away.
//
// Invariant: nothing at or below the floor is seen, nor anything of a deleted thread, whatever is
// still there: so it can go in slices, without the lock of the head that appends wait for. What a
// failure leaves behind, the next compaction of the thread takes, or the next deletion of any.

import { spareSnapshots, type StoredSnapshot } from "@opstate/core/log";
import type { Query, Row } from "./database.ts";
import type { Statements } from "./statements.ts";
import { escapeId } from "./stored-id.ts";

/** Commits in one transaction. */
const SLICE = 10_000;

export interface Compaction {
  readonly key: number;
  readonly floor: number;
}

export function missing(threadId: string, incarnation: string | undefined): Error {
  return new Error(
    `The Postgres log has no thread "${threadId}"${incarnation === undefined ? "" : ` of incarnation ${incarnation}`}.`,
  );
}

/**
 * Rejects when the thread is unknown or the version beyond its head. `state` is the snapshot's
 * text.
 */
export async function moveFloor(
  query: Query,
  sql: Statements,
  threadId: string,
  { version, definitionVersion }: Omit<StoredSnapshot, "state">,
  state: string,
  incarnation: string | undefined,
): Promise<Compaction> {
  const [moved] = await query(sql.moveFloor, [
    escapeId(threadId),
    version,
    definitionVersion,
    state,
    incarnation ?? null,
  ]);
  if (moved) return { key: Number(moved["key"]), floor: version };
  const [head] = await query(sql.findThread, [escapeId(threadId)]);
  if (!head || (incarnation !== undefined && head["incarnation"] !== incarnation)) throw missing(threadId, incarnation);
  if (version > Number(head["version"]))
    throw new RangeError(
      `Thread "${threadId}" has the versions 0 to ${Number(head["version"])}, so it cannot be compacted to ${version}.`,
    );
  return { key: Number(head["key"]), floor: Number(head["floor"]) };
}

/** Ends early when `stopped`. */
export async function sweep(
  query: Query,
  sql: Statements,
  { key, floor }: Compaction,
  stopped: () => boolean,
): Promise<void> {
  await query(sql.dropSnapshots, [key, floor]);
  const [found] = await query(sql.findEnds, [key, floor]);
  if (found?.["oldest"] === null || found === undefined) return;
  const newest = Number(found["newest"]);
  // By position, and not by what is the oldest now: that would walk over what was just deleted.
  for (let from = Number(found["oldest"]); from <= newest && !stopped(); from += SLICE)
    await query(sql.dropCommits, [key, Math.min(from + SLICE - 1, newest)]);
}

/** Of the snapshots from the floor on, those that are not worth their place. */
export async function thinSnapshots(query: Query, sql: Statements, { key, floor }: Compaction): Promise<void> {
  const rows = await query(sql.snapshotVersions, [key, floor]);
  const spare = spareSnapshots(rows.map((row) => Number(row["version"])));
  if (spare.length > 0) await query(sql.dropSpare, [key, spare]);
}

/** Takes away all threads that were deleted. Ends early when `stopped`. */
export async function sweepDeleted(query: Query, sql: Statements, stopped: () => boolean): Promise<void> {
  for (const row of await query(sql.findDeleted)) {
    const key = Number(row["key"]);
    await sweep(query, sql, { key, floor: Number.MAX_SAFE_INTEGER }, stopped);
    for (let from: readonly unknown[] | undefined = ["", "", ""]; from && !stopped();) {
      const [last]: readonly Row[] = await query(sql.dropReceipts, [key, ...from, SLICE]);
      from = last && [last["actor_kind"], last["actor_id"], last["id"]];
    }
    if (!stopped()) await query(sql.dropThread, [key]);
  }
}
