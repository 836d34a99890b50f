// The server of the steady soak, in a process of its own, with the quotas that every server has.
// Says its address, then every second its memory.

import { serveTally } from "../limits/tally-server.ts";

export interface Reading {
  /** Bytes of the process. */
  readonly memory: number;
  /** Bytes in use by its JavaScript, garbage included. */
  readonly heap: number;
  /** Milliseconds of CPU time since the start. */
  readonly cpu: number;
  /** What `onError` got since the reading before. */
  readonly errors: readonly string[];
}

const { url, takeErrors } = await serveTally();
process.send?.(url);

setInterval(() => {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const reading: Reading = { memory: rss, heap: heapUsed, cpu: (user + system) / 1_000, errors: takeErrors() };
  process.send?.(reading);
}, 1_000);
