// Compaction of a history up to a version, and deletion of threads. One statement moves the floor
// and stores its snapshot, or takes the thread's name away. Then the rows that are not visible any
// more are deleted.
//
// Invariants:
// - Nothing at or below the floor is visible, and nothing of a deleted thread. So the rows can be
//   deleted in batches, without the lock on the head that appends wait for.
// - When a sweep fails, the thread's next compaction, or the next deletion of any thread, deletes
//   the rest.

import { spareSnapshots, type StoredSnapshot } from "@opstate/core/log";
import type { Row } from "../log/rows.ts";
import type { Query } from "./database.ts";
import type { Statements } from "./statements.ts";
import { escapeId } from "./stored-id.ts";

/** Rows per statement. */
const BATCH_SIZE = 10_000;

export interface Compaction {
  readonly key: number;
  readonly floor: number;
}

export function missingThread(threadId: string, incarnation: string | undefined): Error {
  return new Error(
    `The Postgres log has no thread "${threadId}"${incarnation === undefined ? "" : ` of incarnation ${incarnation}`}.`,
  );
}

/** Rejects when the thread is unknown or the version above its head. `state` is JSON text. */
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
  const [head] = await query(sql.findThread, [escapeId(threadId), incarnation ?? null]);
  if (!head) throw missingThread(threadId, incarnation);
  if (version > Number(head["version"]))
    throw new RangeError(
      `Thread "${threadId}" has the versions 0 to ${Number(head["version"])}, so it cannot be compacted to ${version}.`,
    );
  return { key: Number(head["key"]), floor: Number(head["floor"]) };
}

/** Deletes commits up to the floor, and snapshots below it. Ends early when `stopped` says so. */
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
  // By version, not by the oldest row: a search for that would scan the rows that were just
  // deleted.
  for (let from = Number(found["oldest"]); from <= newest && !stopped(); from += BATCH_SIZE)
    await query(sql.dropCommits, [key, Math.min(from + BATCH_SIZE - 1, newest)]);
}

/** Deletes snapshots that are not needed, from the floor on. */
export async function thinSnapshots(query: Query, sql: Statements, { key, floor }: Compaction): Promise<void> {
  const rows = await query(sql.snapshotVersions, [key, floor]);
  const spare = spareSnapshots(rows.map((row) => Number(row["version"])));
  if (spare.length > 0) await query(sql.dropSpare, [key, spare]);
}

/** Moves the receipt floor. Rejects as `moveFloor`. */
export async function moveReceiptFloor(
  query: Query,
  sql: Statements,
  threadId: string,
  version: number,
  incarnation: string | undefined,
): Promise<Compaction> {
  const [moved] = await query(sql.moveReceiptFloor, [escapeId(threadId), version, incarnation ?? null]);
  if (moved) return { key: Number(moved["key"]), floor: version };
  const [head] = await query(sql.findThread, [escapeId(threadId), incarnation ?? null]);
  if (!head) throw missingThread(threadId, incarnation);
  if (version > Number(head["version"]))
    throw new RangeError(
      `Thread "${threadId}" has the versions 0 to ${Number(head["version"])}, so it cannot be without the receipts up to ${version}.`,
    );
  return { key: Number(head["key"]), floor: Number(head["receipt_floor"]) };
}

/** Deletes receipts of commits up to a version. Ends early when `stopped` says so. */
export async function sweepReceipts(
  query: Query,
  sql: Statements,
  { key, floor }: Compaction,
  stopped: () => boolean,
): Promise<void> {
  for (let from: readonly unknown[] | undefined = ["", "", ""]; from && !stopped();) {
    const [last]: readonly Row[] = await query(sql.dropOldReceipts, [key, ...from, BATCH_SIZE, floor]);
    from = last && [last["actor_kind"], last["actor_id"], last["id"]];
  }
}

/** Deletes the rows of all deleted threads. Ends early when `stopped` says so. */
export async function sweepDeleted(query: Query, sql: Statements, stopped: () => boolean): Promise<void> {
  for (const row of await query(sql.findDeleted)) {
    const key = Number(row["key"]);
    await sweep(query, sql, { key, floor: Number.MAX_SAFE_INTEGER }, stopped);
    for (let from: readonly unknown[] | undefined = ["", "", ""]; from && !stopped();) {
      const [last]: readonly Row[] = await query(sql.dropReceipts, [key, ...from, BATCH_SIZE]);
      from = last && [last["actor_kind"], last["actor_id"], last["id"]];
    }
    if (!stopped()) await query(sql.emptyThread, [key]);
  }
}
