import { describe, expect, it } from "vitest";
import { backoff } from "../../../src/connection/http/backoff.ts";

describe("the delay before the next attempt", () => {
  it("grows up to a limit, and differs between clients", () => {
    const half = () => 0.5;
    expect([1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => backoff(failures, half) / 0.75)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
    ]);
    expect([backoff(3, () => 0), backoff(3, () => 1)]).toEqual([500, 1_000]);
  });
});
