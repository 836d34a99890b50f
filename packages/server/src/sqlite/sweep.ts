// Takes away what lies at or below a floor, a slice at a time: a million commits at once would hold the process, and other writers of the
// file, for seconds. Nothing of it is seen any more: reads begin above the floor, whatever is still there.

import type { Statements } from "./statements.ts";
import type { Writer } from "./writer.ts";

/** Commits in one transaction. */
const slice = 500;

/** Resolves when all is gone. What a failure or the end of the process leaves behind, the thread's next compaction takes. */
export async function sweep(writer: Writer, sql: Statements, key: number, floor: number): Promise<void> {
  const takeSlice = () => Number(sql.dropSnapshot.run(key, floor).changes) + Number(sql.dropCommits.run(key, floor, slice).changes) > 0;
  try {
    while (await writer.write(takeSlice));
  } catch {
    // Closed, or the disk failed: the floor stands, and this was housekeeping.
  }
}
