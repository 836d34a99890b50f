// When readers come back: soon, and not all at once.

import { describe, expect, it } from "vitest";
import { sharedRetry, usualRetry } from "../../src/http/retry-delay.ts";

const ends = (delay: (random: () => number) => number) => [delay(() => 0), delay(() => 1)];

describe("readers come back", () => {
  it("within one and a half seconds when they lose their connection alone", () => {
    expect(ends(usualRetry)).toEqual([500, 1_500]);
  });

  it("over more time the more of them a closing server ends, up to fifteen seconds", () => {
    expect([1, 500, 2_000, 100_000].map((count) => ends((random) => sharedRetry(count, random)))).toEqual([
      [500, 1_500],
      [500, 1_500],
      [500, 4_500],
      [500, 15_500],
    ]);
  });

  it("each at another time", () => {
    expect(new Set(Array.from({ length: 100 }, () => Math.round(usualRetry()))).size).toBeGreaterThan(50);
  });
});
