// Runs one `keep` and sends what it kept.

import type { Keep } from "./memory.ts";

const [module = "", ...args] = process.argv.slice(2);
const { keep } = (await import(module)) as { keep: Keep };

const heap: Record<string, number> = {};
const took: Record<string, number> = {};
const start = await settledHeap();
let stepStart = performance.now();
const kept = await keep(mark, args);
// Still in use, so that nothing of it was collected before its time.
if (kept === undefined) throw new Error("a `keep` returns what it keeps");
process.send?.({ heap, took, peak: process.resourceUsage().maxRSS * 1024 });
process.on("disconnect", () => process.exit());

async function mark(name: string): Promise<void> {
  took[name] = performance.now() - stepStart;
  heap[name] = (await settledHeap()) - start;
  stepStart = performance.now();
}

/** After what waits for the end of a turn has gone too. */
async function settledHeap(): Promise<number> {
  for (let n = 0; n < 3; n++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
