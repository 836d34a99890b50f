// What a server has used: asked by its parent. To meter turns takes time itself, so it begins with
// the message that asks for it.

import { meterTurns, type TurnMeter } from "../stalls/turn-meter.ts";

export interface Use {
  /** Milliseconds of CPU time of the process. */
  readonly cpu: number;
  /** Milliseconds of CPU time of the longest turn since the last answer, once they are metered. */
  readonly turn: number;
  /** Bytes, after all garbage was collected. */
  readonly memory: number;
}

export function answerWithUse(): void {
  let turns: TurnMeter | undefined;
  process.on("message", (asked: "use" | "turns") => {
    const { user, system } = process.cpuUsage();
    const turn = turns?.take() ?? 0;
    globalThis.gc?.();
    const use: Use = { cpu: (user + system) / 1_000, turn, memory: process.memoryUsage.rss() };
    if (asked === "turns") turns ??= meterTurns();
    // The collection is no turn of the server's.
    turns?.take();
    process.send?.(use);
  });
}
