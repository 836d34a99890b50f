// Whether a stream may go on: asked again at each heartbeat, with the request that it was opened
// by.
//
// Invariant: a reader whose rights were taken gets nothing more once that is known, and it is asked
// within a heartbeat. Not to get an answer is no right for ever: who waits for one until the next
// heartbeat, or fails at two of them in a row, goes too.

import { Problem } from "./problem.ts";

export interface StillAllowedOptions {
  /**
   * Rejects with a Problem when the request would be refused by now; with anything else when that
   * could not be found out.
   */
  readonly check: () => Promise<void>;
  /** Maybe called more than once. */
  readonly onRefused: (problem: Problem) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Milliseconds for an answer, less than a heartbeat takes. By the clock: a loop that was held has
 * heartbeats all at once.
 */
const PATIENCE = 10_000;

/** Returns what to call at each heartbeat. */
export function stillAllowed({ check, onRefused, onError }: StillAllowedOptions): () => void {
  let asked: number | undefined;
  let failed = false;

  function refuseUnknown(): void {
    onRefused(new Problem("failure", "Whether this may go on could not be found out; come again."));
  }

  async function ask(): Promise<void> {
    asked = performance.now();
    try {
      await check();
      failed = false;
    } catch (error) {
      if (error instanceof Problem) return onRefused(error);
      onError(error);
      if (failed) refuseUnknown();
      failed = true;
    } finally {
      asked = undefined;
    }
  }

  return () => {
    if (asked === undefined) void ask();
    else if (performance.now() - asked > PATIENCE) refuseUnknown();
  };
}
