// What a drain is given, and what it says at its end.

/** How long a server that is to stop drains. */
export interface DrainOptions {
  /**
   * Milliseconds in which new requests are still answered, while `/readyz` says 503. Behind a
   * balancer take the time that it needs to notice, such as 5,000. Default 500.
   */
  readonly notice?: number;
  /**
   * Milliseconds, from the call on, until requests and runs that are still open are cut. Default
   * 10,000. It should be less than what the host waits before it kills the process.
   */
  readonly deadline?: number;
}

export interface Drained {
  /** Requests and runs that were not done at the deadline. */
  readonly cut: number;
}

export interface DrainTimes {
  readonly notice: number;
  readonly deadline: number;
}

/** Throws a RangeError for times that are none. */
export function drainTimes({ deadline = 10_000, notice = Math.min(500, deadline) }: DrainOptions): DrainTimes {
  for (const [name, value] of Object.entries({ deadline, notice }))
    if (!(value >= 0 && value < 2 ** 31))
      throw new RangeError(`\`${name}\` must be a number of milliseconds from 0 on, not ${value}.`);
  if (notice > deadline)
    throw new RangeError(
      `\`notice\` (${notice}) must not be longer than \`deadline\` (${deadline}), which includes it.`,
    );
  return { notice, deadline };
}
