// Judges a recorded history of several nodes, from outside: whether they were as one server that
// does one thing after the other. It shares no code with what it judges.
//
//   history ── threads ──┬─ log at the end: contiguous, each id once, every verdict in it
//                        ├─ real time: no answer older than what was over before it began
//                        └─ streams: without a gap, and all of it soon after the last write

import type { Fault } from "./fault.ts";
import { checkLog } from "./log-rules.ts";
import { checkOrder } from "./order-rules.ts";
import type { EndRecord, HistoryRecord } from "./records.ts";
import { checkReaders, checkStreams } from "./stream-rules.ts";
import { type Line, threadsOf } from "./thread-history.ts";

export interface CheckOptions {
  /** Milliseconds after the last write in which every reader has to have it. */
  readonly readersWithin?: number;
}

/** All that is wrong with it. Throws for a history that says nothing: no end, no log. */
export function check(
  records: readonly HistoryRecord[],
  { readersWithin = 5_000 }: CheckOptions = {},
): readonly Fault[] {
  const record = records.at(-1);
  if (record?.kind !== "end") throw new Error("The history has no end: its recording was broken off.");
  const end: Line<EndRecord> = { line: records.length, record };
  return threadsOf(records).flatMap((history) => {
    checkLog(history);
    checkOrder(history);
    checkStreams(history);
    checkReaders(history, end, readersWithin);
    return history.faults;
  });
}
