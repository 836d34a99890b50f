// What a long history costs: to open its thread, to take something back, to forget most of it. On
// SQLite, each length in a file of its own.

import { join } from "node:path";
import type { Log, Thread } from "@opstate/core";
import { sqliteLog } from "@opstate/server/sqlite";
import { median, timed } from "../harness/median.ts";
import { lengthen, openBoard, ada, renameBoard, renameOf, robot } from "../boards/rename-board.ts";

type BoardThread = Thread<typeof renameBoard>;

/** Rows that budgets speak of. */
export const HISTORY = {
  open: "open the file and the thread",
  undoLast: "undo the last 10 commits, by id",
} as const;

const OPENINGS = 15;
const UNDOS = 7;
const UNDONE = 10;
/** Commits that stand between a run and its undo. */
const LATER = 500;
const KEPT = 500;

/** Milliseconds, by what is done. */
export async function measureHistory(directory: string, commits: number): Promise<Readonly<Record<string, number>>> {
  const path = join(directory, `history-${commits}.sqlite`);
  await using(path, (thread) => lengthen(thread, commits));
  const opened: number[] = [];
  for (let n = 0; n < OPENINGS; n++) {
    const start = performance.now();
    await using(path, async () => void opened.push(performance.now() - start));
  }
  return using(path, async (thread) => ({
    [HISTORY.open]: median(opened),
    [HISTORY.undoLast]: await undoing(thread, async (n) => {
      const ids = Array.from({ length: UNDONE }, (_, i) => `undone-${n}-${i}`);
      for (const [i, id] of ids.entries()) await thread.dispatch(renameOf(i), { actor: ada, id });
      return { ids };
    }),
    [`undo the last run, of ${UNDONE} commits`]: await undoing(thread, (n) => run(thread, `last-${n}`)),
    [`undo a run of ${UNDONE} commits, ${LATER} commits later`]: await undoing(thread, async (n) => {
      const target = await run(thread, `earlier-${n}`);
      await lengthen(thread, thread.version + LATER);
      return target;
    }),
    ...(await compacting(thread)),
  }));
}

async function using<T>(path: string, work: (thread: BoardThread) => Promise<T>): Promise<T> {
  const log: Log = sqliteLog({ path });
  const thread = await openBoard(log, "history");
  try {
    return await work(thread);
  } finally {
    await thread.close();
    await log.close();
  }
}

async function run(thread: BoardThread, runId: string): Promise<{ runId: string }> {
  for (let i = 0; i < UNDONE; i++) await thread.dispatch(renameOf(i), { actor: robot, runId });
  return { runId };
}

async function undoing(
  thread: BoardThread,
  prepare: (n: number) => Promise<{ readonly ids: readonly string[] } | { readonly runId: string }>,
): Promise<number> {
  const samples: number[] = [];
  for (let n = 0; n < UNDOS; n++) {
    const target = await prepare(n);
    const start = performance.now();
    const verdict = await thread.undo(target, { actor: ada });
    samples.push(performance.now() - start);
    if (!verdict.accepted) throw new Error(`what was to be measured was refused: ${verdict.rejection.message}`);
  }
  return median(samples);
}

/** Meanwhile another actor goes on renaming cards, one at a time. */
async function compacting(thread: BoardThread): Promise<Readonly<Record<string, number>>> {
  const waits: number[] = [];
  const over = new AbortController();
  const took = timed(() => thread.compact({ keep: KEPT })).finally(() => over.abort());
  while (!over.signal.aborted) waits.push(await timed(() => thread.dispatch(renameOf(waits.length), { actor: ada })));
  return {
    [`forget all but the newest ${KEPT} commits`]: await took,
    "the longest that a commit waited meanwhile": Math.max(0, ...waits),
  };
}
