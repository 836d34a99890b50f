// Measures candidates side by side, each in a process of its own, so that none warms or spoils the
// code of another. In every round each runs once, in turn, so that a busy machine slows all of them
// alike. What counts is the ratio to the first candidate in the same run.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { lowerQuartile } from "./median.ts";

/** So many operations, one after another. */
export type Run = (count: number) => void | Promise<void>;

/**
 * By name: what prepares a candidate in its own process. A module that has candidates exports them
 * as `candidates`.
 */
export type Candidates<Args> = Readonly<Record<string, (args: Args) => Run | Promise<Run>>>;

/**
 * By name: the time of one operation in microseconds, the lower quartile of all rounds: what else a
 * machine does only ever adds.
 */
export type Times = Readonly<Record<string, number>>;

/** Fewer make a quick look: `ROUNDS=3 node src/main.ts reducer`. */
const ROUNDS = Number(process.env["ROUNDS"] ?? 25);

/** How often each candidate runs, and how long each time. */
export interface Rounds {
  readonly rounds: number;
  /**
   * Milliseconds. What is done once in a while by its nature, as a disk's housekeeping, needs long
   * ones.
   */
  readonly roundMs: number;
}

const usual: Rounds = { rounds: ROUNDS, roundMs: 30 };
/** For what writes to a disk: a round sees several of its checkpoints. */
export const longRounds: Rounds = { rounds: Math.ceil(ROUNDS / 5), roundMs: 1_000 };

export async function measure<Args>(
  module: URL,
  candidates: Candidates<Args>,
  args: Args,
  { rounds, roundMs }: Rounds = usual,
): Promise<Times> {
  const runners = Object.keys(candidates).map((name) => ({
    name,
    samples: [] as number[],
    child: start(module, name, args, roundMs),
  }));
  for (const { child } of runners) await round(child);
  for (let n = 0; n < rounds; n++) for (const { child, samples } of runners) samples.push(await round(child));
  for (const { child } of runners) child.disconnect();
  return Object.fromEntries(runners.map(({ name, samples }) => [name, lowerQuartile(samples)]));
}

function start(module: URL, name: string, args: unknown, roundMs: number): ChildProcess {
  return fork(new URL("process.ts", import.meta.url), [module.href, name, JSON.stringify(args), String(roundMs)]);
}

/** One round of a candidate: microseconds of one operation. The first warms it up. */
async function round(child: ChildProcess): Promise<number> {
  const settled = new AbortController();
  const { signal } = settled;
  child.send("round");
  try {
    const [answer] = (await Promise.race([once(child, "message", { signal }), gone(child, signal)])) as [number];
    return answer;
  } finally {
    settled.abort();
  }
}

async function gone(child: ChildProcess, signal: AbortSignal): Promise<never> {
  const [code] = (await once(child, "exit", { signal })) as [number | null];
  throw new Error(`the process of a candidate ended with code ${code}: ${child.spawnargs.slice(-2).join(" ")}`);
}
