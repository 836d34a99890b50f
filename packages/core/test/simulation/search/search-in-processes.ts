// Many runs on all cores. The seeds do not depend on the number of processes.

import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Found } from "./found.ts";
import { PAGE_BUILD } from "../page-build.ts";

export interface LongSearch {
  readonly first: number;
  readonly runs: number;
  readonly processes?: number;
  /** Whether the replicas are those of the page's build; default false. */
  readonly onPageBuild?: boolean;
  onProgress?(done: number): void;
}

/** Seeds that a process gets at a time. */
const STRETCH = 500;
// A run leaves nothing behind. With a large young generation little is copied by the collector.
const EXEC_ARGV = ["--conditions=@opstate/source", "--max-semi-space-size=64"];

/** The first failing run that a process found, if any did. Rejects when a process crashes. */
export async function searchInProcesses({
  first,
  runs,
  processes = availableParallelism(),
  onPageBuild = false,
  onProgress,
}: LongSearch): Promise<Found | undefined> {
  let next = 0;
  let done = 0;
  let result: Found | undefined;

  /** Gives one process stretch after stretch until none is left or a failing run was found. */
  async function employ(): Promise<void> {
    const execArgv = onPageBuild ? [...EXEC_ARGV, PAGE_BUILD] : EXEC_ARGV;
    const child = fork(fileURLToPath(new URL("./search-process.ts", import.meta.url)), { execArgv });
    try {
      await new Promise<void>((resolve, reject) => {
        let stretch = 0;
        child.on("error", reject);
        child.on("exit", (code) => reject(new Error(`A process ended early, with code ${code}.`)));
        child.on("message", ({ found }: { readonly found?: Found }) => {
          done += stretch;
          if (stretch > 0) onProgress?.(done);
          result ??= found;
          if (result !== undefined || next >= runs) return resolve();
          stretch = Math.min(STRETCH, runs - next);
          child.send({ first: first + next, runs: stretch });
          next += stretch;
        });
      });
    } finally {
      child.removeAllListeners();
      child.kill();
    }
  }

  await Promise.all(Array.from({ length: processes }, employ));
  return result;
}
