// Exponential backoff with jitter, so that the clients of a restarted server spread out.

/** Milliseconds. */
const FIRST_DELAY = 250;
const DELAY_LIMIT = 15_000;

/** Milliseconds to wait after `failures` failures in a row. */
export function backoff(failures: number, random: () => number = Math.random): number {
  const full = Math.min(DELAY_LIMIT, FIRST_DELAY * 2 ** Math.max(0, failures - 1));
  return full * (0.5 + random() / 2);
}
