// Deletes rows that are not visible any more, in small transactions. A million commits at once
// would block this process, and other writers of the file, for seconds.
//
// Invariant: reads begin above a thread's floor and find no deleted thread. So it does not matter
// which of the swept rows still exist.

import type { Statements } from "./statements.ts";
import type { Writer } from "./writer.ts";

/** Rows per transaction. */
const BATCH_SIZE = 500;

/**
 * Deletes commits up to a floor, and snapshots below it. Resolves when they are gone. If it fails
 * or the process ends, the thread's next compaction deletes the rest.
 */
export async function sweep(writer: Writer, sql: Statements, key: number, floor: number): Promise<void> {
  await inBatches(writer, () => dropBatch(sql, key, floor) > 0);
}

/**
 * Deletes the rows of deleted threads. If it fails, the next deletion, or the next opening of the
 * log, deletes the rest.
 */
export async function sweepDeleted(writer: Writer, sql: Statements): Promise<void> {
  for (const key of findDeleted(sql)) {
    await inBatches(writer, () => {
      if (dropBatch(sql, key, Number.MAX_SAFE_INTEGER) > 0) return true;
      const others =
        Number(sql.dropReceipts.run(key, BATCH_SIZE).changes) + Number(sql.dropRefusals.run(key, BATCH_SIZE).changes);
      if (others > 0) return true;
      sql.dropThread.run(key);
      return false;
    });
  }
}

/** Empty when the file cannot be read now; the next sweep tries again. */
function findDeleted(sql: Statements): readonly number[] {
  try {
    return sql.findDeleted.all().map((row) => Number(row["key"]));
  } catch {
    return [];
  }
}

function dropBatch(sql: Statements, key: number, floor: number): number {
  return Number(sql.dropSnapshot.run(key, floor).changes) + Number(sql.dropCommits.run(key, floor, BATCH_SIZE).changes);
}

async function inBatches(writer: Writer, dropNext: () => boolean): Promise<void> {
  try {
    while (await writer.write(dropNext));
  } catch {
    // The log was closed, or the disk failed. What is left is not visible, and the next sweep
    // deletes it.
  }
}
