// What a server has used: asked by its parent with any message.

import { meterTurns } from "../stalls/turn-meter.ts";

export interface Use {
  /** Milliseconds of CPU time of the process. */
  readonly cpu: number;
  /** Milliseconds of CPU time of the longest turn since the last answer. */
  readonly turn: number;
  /** Bytes, after all garbage was collected. */
  readonly memory: number;
}

export function answerWithUse(): void {
  const turns = meterTurns();
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    const turn = turns.take();
    globalThis.gc?.();
    const use: Use = { cpu: (user + system) / 1_000, turn, memory: process.memoryUsage.rss() };
    // The collection is no turn of the server's.
    turns.take();
    process.send?.(use);
  });
}
