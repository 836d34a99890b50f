// What values keep in memory and take to be made, each measured in a process of its own: garbage is
// collected before and after they are made.

import { fork } from "node:child_process";
import { once } from "node:events";

/**
 * Makes values, step by step, and remembers the heap after each. What is returned is alive until
 * the last step.
 */
export type Keep = (mark: (name: string) => Promise<void>, args: readonly string[]) => Promise<unknown>;

export interface Kept {
  /** Bytes of heap beyond what there was at the start, by step. */
  readonly heap: Readonly<Record<string, number>>;
  /** Milliseconds of the step. */
  readonly took: Readonly<Record<string, number>>;
  /** Bytes that the process had at most, by the system's account. */
  readonly peak: number;
}

/** `module` exports `keep`. */
export async function memoryOf(module: URL, args: readonly string[] = []): Promise<Kept> {
  const child = fork(new URL("memory-process.ts", import.meta.url), [module.href, ...args], {
    execArgv: [...process.execArgv, "--expose-gc"],
  });
  const gone = once(child, "exit").then(([code]) => {
    throw new Error(
      `the process that measures memory ended with code ${String(code)}: ${child.spawnargs.slice(-2).join(" ")}`,
    );
  });
  // After the answer its end is no failure.
  gone.catch(() => undefined);
  const [kept] = (await Promise.race([once(child, "message"), gone])) as [Kept];
  child.disconnect();
  return kept;
}
