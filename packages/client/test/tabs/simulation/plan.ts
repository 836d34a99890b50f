// The plan of a simulated run: steps with numbers that choose among what there is then, so that a
// plan can be shortened.

import { type Random, randomOf } from "../../../../core/test/simulation/random.ts";

export const KINDS = [
  ["run", 60],
  ["edit", 8],
  ["open", 5],
  ["follow", 5],
  ["unfollow", 2],
  ["kill", 2],
  ["killLeader", 2],
  ["close", 1],
  ["freeze", 2],
  ["freezeLeader", 1],
  ["thaw", 3],
  ["timer", 6],
  ["cut", 2],
  ["unreachable", 1],
  ["reachable", 2],
  ["signIn", 1],
  ["repeat", 2],
  ["lose", 1],
] as const;

export interface Step {
  readonly do: (typeof KINDS)[number][0];
  readonly pick: number;
  readonly other: number;
}

const TOTAL = KINDS.reduce((sum, [, weight]) => sum + weight, 0);

export function planOf(seed: number): readonly Step[] {
  const random = randomOf(seed);
  return Array.from({ length: 40 + random.below(160) }, () => ({
    do: kind(random),
    pick: random.below(1_000_000),
    other: random.below(1_000_000),
  }));
}

function kind(random: Random): Step["do"] {
  let left = random.below(TOTAL);
  for (const [name, weight] of KINDS) {
    if (left < weight) return name;
    left -= weight;
  }
  return "run";
}
