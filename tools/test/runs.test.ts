import { afterEach, expect, it, vi } from "vitest";
import { fixedSeed, isLong, runs } from "../runs.ts";

afterEach(() => vi.unstubAllEnvs());

it("is the short form unless the long one is requested", () => {
  vi.stubEnv("OPSTATE_DEPTH", "");
  vi.stubEnv("OPSTATE_RUNS", "");
  expect([runs(1_000), isLong()]).toEqual([1_000, false]);
  vi.stubEnv("OPSTATE_DEPTH", "long");
  expect([runs(1_000), runs(10, 500), isLong()]).toEqual([100_000, 500, true]);
});

it("is a number of its own where one is said", () => {
  vi.stubEnv("OPSTATE_RUNS", "7");
  expect([runs(1_000), isLong()]).toEqual([7, true]);
});

it("has a fixed seed, but for a soak", () => {
  vi.stubEnv("OPSTATE_DEPTH", "");
  vi.stubEnv("OPSTATE_RUNS", "");
  expect(fixedSeed()).toBe(1);
  vi.stubEnv("OPSTATE_DEPTH", "long");
  expect(fixedSeed()).toBe(2);
  vi.stubEnv("OPSTATE_RUNS", "7");
  expect(fixedSeed()).toBeUndefined();
});

it.each(["many", "0", "-1", "1.5"])("refuses %s, with words", (asked) => {
  vi.stubEnv("OPSTATE_RUNS", asked);
  expect(() => runs(1)).toThrow(/OPSTATE_RUNS is a number of runs/);
});
