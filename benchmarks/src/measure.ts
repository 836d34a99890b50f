// Measures candidates side by side: in every round each runs once, in turn, so that a busy machine slows all of them alike.
// What counts is the ratio to the first candidate in the same run; the times are of this machine at this moment.

export interface Candidate {
  readonly name: string;
  /** Does `count` operations, from the same start each time. */
  readonly run: (count: number) => void;
  /** A slow candidate does this share of the operations; the time is for one. */
  readonly share?: number;
}

export interface Measured {
  readonly name: string;
  /** Median microseconds of one operation. */
  readonly us: number;
  /** To the first candidate. */
  readonly ratio: number;
}

const ROUNDS = 15;
const ROUND_MS = 30;

export function measure(candidates: readonly Candidate[], rounds = ROUNDS): readonly Measured[] {
  const counts = candidates.map((candidate) => calibrate(candidate));
  const times = candidates.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, candidate] of candidates.entries()) {
      const count = counts[index] ?? 1;
      globalThis.gc?.();
      const start = performance.now();
      candidate.run(count);
      times[index]?.push(((performance.now() - start) * 1000) / count);
    }
  }
  const medians = times.map((samples) => samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN);
  return candidates.map(({ name }, index) => ({
    name,
    us: medians[index] ?? Number.NaN,
    ratio: (medians[index] ?? Number.NaN) / (medians[0] ?? Number.NaN),
  }));
}

/** How many operations fill a round; warms the candidate up on the way. */
function calibrate({ run, share = 1 }: Candidate): number {
  let count = 1;
  for (;;) {
    const start = performance.now();
    run(count);
    const took = performance.now() - start;
    if (took >= ROUND_MS * share || count >= 1 << 16)
      return Math.max(1, Math.round(count * Math.min(1, (ROUND_MS * share) / Math.max(took, 0.001))));
    count *= 2;
  }
}
