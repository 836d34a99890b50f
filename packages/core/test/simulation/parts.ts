// The parts that a test may replace with broken ones, to see that the simulation catches them.

import { createReplica, type Log, openThread } from "@opstate/core";

export interface Parts {
  readonly createReplica: typeof createReplica;
  readonly openThread: typeof openThread;
  /** Wraps the log of a thread. Called once for each run. */
  readonly log: () => (log: Log) => Log;
}

export const realParts: Parts = { createReplica, openThread, log: () => (log) => log };
