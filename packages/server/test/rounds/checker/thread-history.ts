// A history by threads: what belongs to each, in its order.

import type { Fault, Rule } from "./fault.ts";
import type { FollowRecord, HistoryRecord, LogRecord, ReadRecord, WriteRecord } from "./records.ts";

export interface Line<R extends HistoryRecord = HistoryRecord> {
  /** From 1. */
  readonly line: number;
  readonly record: R;
}

export class ThreadHistory {
  readonly thread: string;
  readonly lines: Line[] = [];
  readonly writes = new Map<number, WriteRecord>();
  readonly reads = new Map<number, ReadRecord>();
  readonly streams = new Map<number, FollowRecord>();
  readonly faults: Fault[] = [];
  /** The ids of the log, by version from 1. */
  ids: readonly string[] = [];

  constructor(thread: string) {
    this.thread = thread;
  }

  /** Reports a fault that the line shows. */
  report(rule: Rule, line: number, what: string): void {
    this.faults.push({ rule, thread: this.thread, line, what });
  }

  /** The id of a commit. */
  idAt(version: number): string | undefined {
    return this.ids[version - 1];
  }

  linesOf<K extends HistoryRecord["kind"]>(kind: K): readonly Line<Extract<HistoryRecord, { kind: K }>>[] {
    return this.lines.filter((line): line is Line<Extract<HistoryRecord, { kind: K }>> => line.record.kind === kind);
  }
}

/** Throws for records that belong to nothing: such a history says nothing. */
export function threadsOf(records: readonly HistoryRecord[]): readonly ThreadHistory[] {
  const threads = new Map<string, ThreadHistory>();
  const owners = new Map<string, ThreadHistory>();
  const open = (thread: string): ThreadHistory => {
    const history = threads.get(thread) ?? new ThreadHistory(thread);
    threads.set(thread, history);
    return history;
  };
  for (const [index, record] of records.entries()) {
    const line = { line: index + 1, record };
    if (record.kind === "fault" || record.kind === "end") continue;
    const history = "thread" in record ? open(record.thread) : owners.get(keyOf(record));
    if (history === undefined) throw new Error(`Line ${line.line} answers nothing that was begun before.`);
    history.lines.push(line);
    if (record.kind === "write") history.writes.set(record.call, record);
    if (record.kind === "read") history.reads.set(record.call, record);
    if (record.kind === "follow") history.streams.set(record.stream, record);
    if (record.kind === "write" || record.kind === "read" || record.kind === "follow") {
      const key = keyOf(record);
      if (owners.has(key)) throw new Error(`Line ${line.line} begins a second ${key}.`);
      owners.set(key, history);
    }
  }
  return [...threads.values()];
}

function keyOf(record: Exclude<HistoryRecord, LogRecord | { kind: "fault" | "end" }>): string {
  return "stream" in record ? `stream ${record.stream}` : `call ${record.call}`;
}
