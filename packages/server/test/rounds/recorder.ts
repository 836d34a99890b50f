// Writes a history: each record gets its time and its place when it is made.

import type { HistoryRecord } from "./checker/records.ts";

type WithoutTime<R> = R extends HistoryRecord ? Omit<R, "at"> : never;

export class Recorder {
  readonly records: HistoryRecord[] = [];
  readonly #begin = performance.now();
  /** How many there are. */
  verdicts = 0;
  #numbers = 0;

  /** For a call or a stream. */
  number(): number {
    return (this.#numbers += 1);
  }

  add(record: WithoutTime<HistoryRecord>): void {
    const at = Math.round((performance.now() - this.#begin) * 10) / 10;
    if (record.kind === "verdict") this.verdicts += 1;
    this.records.push({ ...record, at });
  }

  /** JSON lines. */
  text(): string {
    return this.records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }
}
