// A log as lines of text, thread by thread, each as it was at one version.
//
// Invariants:
// - Nothing is left out: receipts of forgotten commits and of what changed nothing are there too.
// - What is written while it runs is in it or not, submission by submission. A thread that is
//   deleted meanwhile is discarded. One that is compacted meanwhile cannot be exported: it throws.

import { OpstateError } from "@opstate/core";
import { itemsOfPages, type LogAdapter, type Receipt, receiptKey, type ThreadInfo } from "@opstate/core/log";
import { FORMAT, type Line, type OnProgress } from "./archive.ts";
import { damaged, readReceipts, receiptOfCommit, type Receipts, snapshotsOf } from "./stored-thread.ts";

export interface ExportOptions {
  readonly onProgress?: OnProgress;
}

/**
 * The lines of an export (NDJSON, each with its line break). Throws an OpstateError: `corrupt_log`
 * where the log does not fit together, `compacted` when a thread is compacted meanwhile.
 *
 * @example
 * ```ts
 * import { memoryLog } from "@opstate/core";
 * import { exportLog, restoreLog } from "opstate";
 *
 * const copy = memoryLog();
 * await restoreLog(copy, exportLog(memoryLog())); // { threads: 0, commits: 0 }
 * ```
 */
export async function* exportLog(
  log: Pick<LogAdapter, "thread" | "threads">,
  { onProgress }: ExportOptions = {},
): AsyncGenerator<string, void> {
  yield text({ opstate: { format: FORMAT } });
  let [threads, commits] = [0, 0];
  const write = (line: Line) => {
    if (onProgress === undefined || !("entry" in line || "commit" in line)) return;
    commits += 1;
    onProgress({ threads, commits });
  };
  for await (const { threadId } of itemsOfPages((range) => log.threads(range))) {
    const info = await log.thread(threadId).info();
    if (info === undefined) continue;
    for await (const line of linesOf(log, info)) {
      yield text(line);
      write(line);
    }
    const isWhole = await isUnchanged(log, info);
    yield text(isWhole ? { threadEnd: { threadId, commits: info.version - info.floor } } : { discard: { threadId } });
    if (isWhole) threads += 1;
    onProgress?.({ threads, commits });
  }
  yield text({ end: { threads } });
}

async function* linesOf(log: Pick<LogAdapter, "thread">, info: ThreadInfo): AsyncGenerator<Line, void> {
  const { threadId, incarnation, version, floor, receiptFloor = 0 } = info;
  const thread = log.thread(threadId, incarnation);
  yield { thread: info };
  const start = await thread.snapshotAt(floor);
  if (start?.version === floor) yield { start };
  else if (await isUnchanged(log, info)) throw damaged(threadId, `has no snapshot of version ${floor}`);
  else return;

  const kept: Receipts = { accepted: new Map(), refused: new Map() };
  for await (const receipt of readReceipts(thread, info, kept)) yield { forgotten: receipt };

  let at = floor;
  for await (const commit of itemsOfPages((range) => thread.commits({ ...range, after: floor, before: version + 1 }))) {
    at += 1;
    const receipt = receiptOfCommit(commit, kept.accepted.get(commit.version) ?? []);
    const isReceiptMissing = receipt === undefined && commit.version > receiptFloor;
    if (commit.version !== at || isReceiptMissing) {
      if (!(await isUnchanged(log, info))) return;
      throw damaged(
        threadId,
        isReceiptMissing ? `has no receipt of version ${at}` : `goes on with version ${commit.version} after ${at - 1}`,
      );
    }
    yield receipt === undefined ? { commit } : { entry: { receipt, commit } };
    for (const other of kept.accepted.get(at) ?? []) if (other !== receipt) yield { unchanged: other };
    kept.accepted.delete(at);
  }
  if (at !== version && (await isUnchanged(log, info)))
    throw damaged(threadId, `ends at version ${at}, not ${version}`);

  const refusals: Receipt[] = [];
  for await (const { actor, id, version: refusedAt } of itemsOfPages((range) => thread.refusals(range))) {
    const receipt = kept.refused.get(receiptKey(actor, id));
    if (receipt !== undefined && refusedAt <= version) refusals.push(receipt);
  }
  for (const refusal of refusals.toReversed()) yield { refusal };
  for await (const snapshot of snapshotsOf(thread, info)) if (snapshot.version > floor) yield { snapshot };
}

/**
 * Whether the thread is still there. Throws an OpstateError (`compacted`) when it is, and keeps
 * less than it kept.
 */
async function isUnchanged(log: Pick<LogAdapter, "thread">, before: ThreadInfo): Promise<boolean> {
  const info = await log.thread(before.threadId, before.incarnation).info();
  if (info === undefined) return false;
  if (info.floor === before.floor && info.receiptFloor === before.receiptFloor) return true;
  throw new OpstateError(
    "compacted",
    `Thread "${before.threadId}" was compacted while it was exported. Export a backup of the log: nothing writes to it.`,
  );
}

function text(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}
