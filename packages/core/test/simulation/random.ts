// Pseudorandom numbers, the same for the same seed in every process.

export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
}

/** Mulberry32 over a scrambled seed, so that neighbouring seeds have nothing in common. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ (seed >>> 13);

  function below(limit: number): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * limit);
  }

  return { below, pick: (list) => list[below(list.length)] ?? list[0], oneIn: (n) => below(n) === 0 };
}
