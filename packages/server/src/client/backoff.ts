// How long to wait before trying again: doubled each time up to a limit, with jitter so that
// clients of a restarted server spread out.

const FIRST = 250;
const LIMIT = 15_000;

/** Milliseconds before the try after `failures` failures in a row. */
export function backoff(failures: number, random: () => number = Math.random): number {
  const full = Math.min(LIMIT, FIRST * 2 ** Math.max(0, failures - 1));
  return full * (0.5 + random() / 2);
}
