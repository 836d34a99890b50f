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

export class AccessRecheck {
  readonly #options: RecheckOptions;
  #startedAt: number | undefined;
  #hasFailed = false;

  constructor(options: RecheckOptions) {
    this.#options = options;
  }

  /** To be called at each heartbeat. */
  onHeartbeat(): void {
    if (this.#startedAt === undefined) void this.#run();
    else if (performance.now() - this.#startedAt > CHECK_TIMEOUT) this.#refuseUnknown();
  }

  async #run(): Promise<void> {
    const { check, onRefused, onError } = this.#options;
    this.#startedAt = performance.now();
    try {
      await check();
      this.#hasFailed = false;
    } catch (error) {
      if (error instanceof Problem) return onRefused(error);
      onError(error);
      if (this.#hasFailed) this.#refuseUnknown();
      this.#hasFailed = true;
    } finally {
      this.#startedAt = undefined;
    }
  }

  #refuseUnknown(): void {
    const message = "The server could not check whether this stream may go on. Connect again.";
    this.#options.onRefused(new Problem("failure", message));
  }
}
