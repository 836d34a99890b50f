// Threads and replicas over time: long histories, many open at once, long offline.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureHistory } from "./histories.ts";
import { memoryOf } from "../harness/memory.ts";
import { STEP, THREADS } from "./open-threads.ts";
import { cardsHead } from "../boards/boards.ts";
import { INCOMING, measureRebase, PENDING } from "./rebase.ts";
import { measurePending, PENDING as DRAINED } from "./pending.ts";
import { columnsOf, type Table } from "../harness/results.ts";
import { short } from "../harness/short.ts";

export const HISTORIES = "A thread on SQLite, by the length of its history";

export const DRAINS = `${DRAINED.toLocaleString("en")} pending operations, until the last is confirmed`;

export function commitsHead(commits: number): string {
  return `${commits.toLocaleString("en")} commits`;
}

export async function threadTables(): Promise<readonly Table[]> {
  const directory = mkdtempSync(join(tmpdir(), "opstate-bench-"));
  try {
    return [await histories(directory), await openThreads(directory), await rebases(), await drains()];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function histories(directory: string): Promise<Table> {
  const lengths = short ? [1_000, 100_000] : [1_000, 100_000, 1_000_000];
  return {
    title: HISTORIES,
    unit: "ms",
    columns: await columnsOf(lengths, commitsHead, (commits) => measureHistory(directory, commits)),
  };
}

async function openThreads(directory: string): Promise<Table> {
  const memory: Record<string, number> = {};
  // Those of the server are the ones that were made for those before.
  for (const step of [STEP.states, STEP.open, STEP.served]) {
    const { heap } = await memoryOf(new URL("open-threads.ts", import.meta.url), [step, directory]);
    for (const [name, bytes] of Object.entries(heap)) memory[name] = bytes / THREADS;
  }
  return {
    title: `Memory of each of ${THREADS.toLocaleString("en")} threads`,
    unit: "bytes",
    columns: { heap: memory },
  };
}

async function rebases(): Promise<Table> {
  const columns = await columnsOf(
    [INCOMING, 100],
    (commits) => `${commits.toLocaleString("en")} in a message`,
    async (commits) => ({ "until the view is right": await measureRebase(commits) }),
  );
  const title = `A replica rebases ${PENDING.toLocaleString("en")} pending operations on ${INCOMING.toLocaleString("en")} commits`;
  return { title, unit: "ms", columns };
}

/** Milliseconds for all of them. */
async function drains(): Promise<Table> {
  return { title: DRAINS, unit: "ms", columns: await columnsOf([100, 1_000], cardsHead, measurePending) };
}
