// Starts the thread that has the database.

import { Worker } from "node:worker_threads";
import type { StoreOptions } from "../database/store.ts";
import { workerCode } from "./code.ts";

// `node:sqlite` says in this thread already that it is experimental.
const QUIET = "--disable-warning=ExperimentalWarning";

/**
 * Throws where a process may have no further thread. The text of a build needs none of what this
 * process was started with.
 */
export function startWorker(options: StoreOptions): Worker {
  const given = { workerData: options, name: "opstate-sqlite" };
  if (typeof workerCode === "string") return new Worker(workerCode, { ...given, eval: true, execArgv: [QUIET] });
  // Sources import sources. What a test loads first, it loads there too.
  const loaded = process.execArgv.filter((argument) => /^--(?:import|require)=/.test(argument));
  return new Worker(workerCode, { ...given, execArgv: [QUIET, "--conditions=@opstate/source", ...loaded] });
}
