// Checks at each heartbeat whether a stream may go on, with the request that opened it.
//
// Invariants:
// - A reader whose rights were revoked gets nothing more once that is known.
// - The check runs at every heartbeat.
// - A missing answer is no permission: the stream ends when a check takes until the next heartbeat,
//   or when two checks in a row fail.

import { Problem } from "./problem.ts";

export interface RecheckOptions {
  /**
   * Rejects with a Problem when the same request would be refused now, and with any other error
   * when that could not be found out.
   */
  readonly check: () => Promise<void>;
  /** May be called more than once. */
  readonly onRefused: (problem: Problem) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Milliseconds for one check, less than the time between two heartbeats. Measured by the clock: an
 * event loop that was blocked has several heartbeats at once.
 */
const CHECK_TIMEOUT = 10_000;

/** Returns the function to call at each heartbeat. */
export function recheckAccess({ check, onRefused, onError }: RecheckOptions): () => void {
  let startedAt: number | undefined;
  let failed = false;

  function refuseUnknown(): void {
    onRefused(new Problem("failure", "The server could not check whether this stream may go on. Connect again."));
  }

  async function run(): Promise<void> {
    startedAt = performance.now();
    try {
      await check();
      failed = false;
    } catch (error) {
      if (error instanceof Problem) return onRefused(error);
      onError(error);
      if (failed) refuseUnknown();
      failed = true;
    } finally {
      startedAt = undefined;
    }
  }

  return () => {
    if (startedAt === undefined) void run();
    else if (performance.now() - startedAt > CHECK_TIMEOUT) refuseUnknown();
  };
}
