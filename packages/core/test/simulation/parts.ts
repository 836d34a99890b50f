// What a test may put in place of the real parts, to see that the simulation catches it.

import { createReplica, type Log, openThread } from "@opstate/core";

export interface Parts {
  readonly createReplica: typeof createReplica;
  readonly openThread: typeof openThread;
  /** Between a thread and its log. Made once for each run. */
  readonly log: () => (log: Log) => Log;
}

export const realParts: Parts = { createReplica, openThread, log: () => (log) => log };
