// The server of the soak, in a process of its own, without quotas, which would refuse most of what
// the soak sends. Says its address, then every second its longest turn and its memory.

import { serveTally } from "./tally-server.ts";

export interface Reading {
  /** Milliseconds of CPU time of the longest turn of the event loop. */
  readonly turn: number;
  /** Bytes. */
  readonly memory: number;
  /** What `onError` got. */
  readonly errors: readonly string[];
}

const { url, takeErrors } = await serveTally({ quotas: { decide: () => 0 } });
process.send?.(url);

let longest = 0;
let before = threadTime();
function look(): void {
  const now = threadTime();
  longest = Math.max(longest, now - before);
  before = now;
  setImmediate(look);
}
setImmediate(look);
setInterval(() => {
  const reading: Reading = { turn: longest, memory: process.memoryUsage.rss(), errors: takeErrors() };
  process.send?.(reading);
  longest = 0;
}, 1_000);

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
