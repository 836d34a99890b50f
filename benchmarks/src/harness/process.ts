// One candidate in its own process: warms up at the first message, and runs one round for each
// message that follows.

import type { Candidates } from "./measure.ts";

/** Before it counts, a candidate runs this long: hot code is what users have. */
const WARM_MS = 800;

const [module = "", name = "", args = "null", roundMs = ""] = process.argv.slice(2);
const { candidates } = (await import(module)) as { candidates: Candidates<unknown> };
const run = await candidates[name]?.(JSON.parse(args));
let count = 0;

// A failure in here is a rejection that no code handles: it ends the process, which `measure` says.
process.on("message", () => void round());
// What a candidate still has open is not used any more.
process.on("disconnect", () => process.exit());

async function round(): Promise<void> {
  if (count === 0) count = await calibrate();
  process.send?.(((await timed(count)) * 1000) / count);
}

/** How many operations fill a round, once they are warm. */
async function calibrate(): Promise<number> {
  let operations = 1;
  let warm = 0;
  for (;;) {
    const took = await timed(operations);
    warm += took;
    if (warm >= WARM_MS && took > 0) return Math.max(1, Math.round((operations * Number(roundMs)) / took));
    if (took < Number(roundMs)) operations *= 2;
  }
}

async function timed(operations: number): Promise<number> {
  if (run === undefined) throw new Error(`there is no candidate "${name}" in ${module}`);
  const start = performance.now();
  await run(operations);
  return performance.now() - start;
}
