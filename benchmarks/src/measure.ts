// Measures candidates side by side, each in a process of its own, so that none warms or spoils the code of another. In every round each
// runs once, in turn, so that a busy machine slows all of them alike. What counts is the ratio to the first candidate in the same run.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export interface Candidate {
  readonly name: string;
  /** The file that exports `prepare(args)`, which gives `run(count)`: so many operations, from the same start each time. */
  readonly module: URL;
  readonly args: unknown;
}

export interface Measured {
  readonly name: string;
  /** Median microseconds of one operation. */
  readonly us: number;
  /** To the first candidate. */
  readonly ratio: number;
}

const ROUNDS = 15;

export async function measure(candidates: readonly Candidate[]): Promise<readonly Measured[]> {
  const children = candidates.map(({ module, args }) =>
    fork(new URL("process.ts", import.meta.url), [module.href, JSON.stringify(args)], { execArgv: [...process.execArgv, "--expose-gc"] }),
  );
  const times = candidates.map((): number[] => []);
  for (const child of children) await ask(child);
  for (let round = 0; round < ROUNDS; round++) for (const [index, child] of children.entries()) times[index]?.push(await ask(child));
  for (const child of children) child.disconnect();
  const medians = times.map((samples) => samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN);
  return candidates.map(({ name }, index) => ({
    name,
    us: medians[index] ?? Number.NaN,
    ratio: (medians[index] ?? Number.NaN) / (medians[0] ?? Number.NaN),
  }));
}

/** One round of a candidate: microseconds of one operation. The first warms it up. */
async function ask(child: ChildProcess): Promise<number> {
  const answer = once(child, "message");
  child.send("round");
  const gone = once(child, "exit").then(([code]) => {
    throw new Error(`a candidate's process ended with code ${String(code)}`);
  });
  gone.catch(() => undefined);
  const [us] = (await Promise.race([answer, gone])) as [number];
  return us;
}
