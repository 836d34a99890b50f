// One candidate in its own process: warms up at the first message, and runs one round for each message that follows.

import type { Candidates } from "./measure.ts";

const ROUND_MS = 30;
/** Before it counts, a candidate runs this long: hot code is what users have. */
const WARM_MS = 800;

const [module = "", name = "", args = "null"] = process.argv.slice(2);
const { candidates } = (await import(module)) as { candidates: Candidates<unknown> };
const run = candidates[name]?.(JSON.parse(args));
let count = 0;

process.on("message", () => {
  if (count === 0) count = calibrate();
  process.send?.((timed(count) * 1000) / count);
});

/** How many operations fill a round, once they are warm. */
function calibrate(): number {
  let operations = 1;
  let warm = 0;
  for (;;) {
    const took = timed(operations);
    warm += took;
    if (warm >= WARM_MS && took > 0) return Math.max(1, Math.round((operations * ROUND_MS) / took));
    if (took < ROUND_MS) operations *= 2;
  }
}

function timed(operations: number): number {
  if (run === undefined) throw new Error(`there is no candidate "${name}" in ${module}`);
  const start = performance.now();
  run(operations);
  return performance.now() - start;
}
