// Takes away what nobody sees any more, a slice at a time: a million commits at once would hold the
// process, and other writers of the file, for seconds. Reads begin above a thread's floor and find
// no thread that was deleted, whatever is still there.

import type { Statements } from "./statements.ts";
import type { Writer } from "./writer.ts";

/** Rows in one transaction. */
const SLICE = 500;

/**
 * What lies at or below a floor. Resolves when all is gone. What a failure or the end of the
 * process leaves behind, the thread's next compaction takes.
 */
export async function sweep(writer: Writer, sql: Statements, key: number, floor: number): Promise<void> {
  await inSlices(writer, () => dropSlice(sql, key, floor) > 0);
}

/**
 * Threads that were deleted. What is left of them is taken by the next deletion, or when the log is
 * opened again.
 */
export async function sweepDeleted(writer: Writer, sql: Statements): Promise<void> {
  for (const key of findDeleted(sql)) {
    await inSlices(writer, () => {
      if (dropSlice(sql, key, Number.MAX_SAFE_INTEGER) > 0) return true;
      const others =
        Number(sql.dropReceipts.run(key, SLICE).changes) + Number(sql.dropRefusals.run(key, SLICE).changes);
      if (others > 0) return true;
      sql.dropThread.run(key);
      return false;
    });
  }
}

/** None where the file cannot be read now: this was housekeeping too. */
function findDeleted(sql: Statements): readonly number[] {
  try {
    return sql.findDeleted.all().map((row) => Number(row["key"]));
  } catch {
    return [];
  }
}

function dropSlice(sql: Statements, key: number, floor: number): number {
  return Number(sql.dropSnapshot.run(key, floor).changes) + Number(sql.dropCommits.run(key, floor, SLICE).changes);
}

async function inSlices(writer: Writer, takeSlice: () => boolean): Promise<void> {
  try {
    while (await writer.write(takeSlice));
  } catch {
    // Closed, or the disk failed: what was decided stands, and this was housekeeping.
  }
}
