// When the readers of a stream that ended come back, so that they do not all come at once.

/** Milliseconds, without a reason to wait longer. */
const SHORTEST = 500;
const USUAL_SPREAD = 1_000;
const LONGEST_SPREAD = 15_000;

/** Readers per second that a server which just started shall get. */
const RETURNS_PER_SECOND = 500;

/** Milliseconds for a reader that loses its connection alone. */
export function usualRetry(random: () => number = Math.random): number {
  return SHORTEST + random() * USUAL_SPREAD;
}

/** Milliseconds for one of `count` readers whose streams end together. */
export function sharedRetry(count: number, random: () => number = Math.random): number {
  const spread = Math.max(USUAL_SPREAD, (count / RETURNS_PER_SECOND) * 1_000);
  return SHORTEST + random() * Math.min(LONGEST_SPREAD, spread);
}
