// The log at the end: contiguous, the same at every node, each id once, and every verdict in it.

import { isRefused } from "./chain.ts";
import type { VerdictRecord } from "./records.ts";
import type { Line, ThreadHistory } from "./thread-history.ts";

/** Also sets the ids of the history's log, which all other rules go by. */
export function checkLog(history: ThreadHistory): void {
  readLogs(history);
  const versions = new Map<string, number>();
  const sent = new Set([...history.writes.values()].map(({ id }) => id));
  const end = history.lines.at(-1)?.line ?? 0;
  for (const [index, id] of history.ids.entries()) {
    const version = index + 1;
    const earlier = versions.get(id);
    if (earlier !== undefined) history.report("two_effects", end, `${id} is at ${earlier} and at ${version}.`);
    else versions.set(id, version);
    if (!sent.has(id)) history.report("never_sent", end, `${id} at ${version} was sent by no one.`);
  }
  checkVerdicts(history, versions);
}

function readLogs(history: ThreadHistory): void {
  const logs = new Map<string, string[]>();
  for (const { line, record } of history.linesOf("log")) {
    const ids = logs.get(record.node) ?? [];
    logs.set(record.node, ids);
    if (record.version !== ids.length + 1)
      history.report("gap", line, `At ${record.node} version ${record.version} comes after ${ids.length}.`);
    ids.push(record.id);
  }
  const [first, ...others] = [...logs];
  if (first === undefined) throw new Error(`The history has no log of thread "${history.thread}".`);
  const [node, ids] = first;
  history.ids = ids;
  for (const [other, otherIds] of others) {
    const length = Math.max(ids.length, otherIds.length);
    const at = Array.from({ length }, (_, index) => index).find((index) => ids[index] !== otherIds[index]);
    if (at === undefined) continue;
    const what = `Version ${at + 1} is ${ids[at]} at ${node}, and ${otherIds[at]} at ${other}.`;
    history.report("logs_differ", history.lines.at(-1)?.line ?? 0, what);
  }
}

function checkVerdicts(history: ThreadHistory, versions: ReadonlyMap<string, number>): void {
  const firsts = new Map<string, VerdictRecord>();
  for (const line of history.linesOf("verdict")) {
    const write = history.writes.get(line.record.call);
    if (write === undefined) throw new Error(`Line ${line.line} is a verdict on no write.`);
    const { record } = line;
    const first = firsts.get(write.id);
    if (record.final) {
      if (first === undefined) firsts.set(write.id, record);
      else if (first.accepted !== record.accepted || first.version !== record.version)
        history.report("two_verdicts", line.line, `${write.id} was ${wordsOf(first)}, and is ${wordsOf(record)}.`);
    }
    checkStored(history, line, write.id, versions.get(write.id));
    // The chain's length is its version.
    const { unless, expected } = write;
    const before = record.accepted ? record.version - 1 : record.version;
    const isWrong = isRefused(before, unless) || (expected !== undefined && expected !== before);
    if (record.accepted === isWrong)
      history.report("wrong_verdict", line.line, `${write.id} is ${wordsOf(record)}, where it is to be the opposite.`);
  }
}

function checkStored(
  history: ThreadHistory,
  { line, record }: Line<VerdictRecord>,
  id: string,
  stored: number | undefined,
): void {
  const verdict = wordsOf(record);
  if (record.accepted) {
    if (stored === undefined) history.report("lost", line, `${id} was ${verdict}, and is not in the log.`);
    else if (stored !== record.version) history.report("moved", line, `${id} was ${verdict}, and is at ${stored}.`);
  } else if (record.final && stored !== undefined)
    history.report("refused_and_stored", line, `${id} was ${verdict}, and is at ${stored}.`);
}

function wordsOf({ accepted, version }: VerdictRecord): string {
  return `${accepted ? "accepted" : "refused"} at ${version}`;
}
