import { expect, it } from "vitest";
import { compare } from "../compare-benchmarks.ts";

const results = (values: Readonly<Record<string, number>>, unit = "µs") => ({
  reducer: { tables: { Move: { unit, columns: { "100 cards": values } } } },
});
const name = (row: string) => `reducer | Move | 100 cards | ${row}`;

it("a row is slower when it is in every repeat by more than the spread", () => {
  const there = [results({ a: 10, b: 10, c: 10 }), results({ a: 11, b: 10, c: 10 })];
  const here = [results({ a: 15, b: 15, c: 20 }), results({ a: 16, b: 10, c: 12 })];
  expect(compare(there, here).map((row) => [row.name, row.isSlower])).toEqual([
    [name("a"), true],
    [name("b"), false],
    [name("c"), false],
  ]);
});

it("of what is counted per second, less is slower", () => {
  const [there, here] = [[results({ a: 100 }, "per second")], [results({ a: 50 }, "per second")]];
  expect(compare(there, here)).toMatchObject([{ ratios: [2], isSlower: true }]);
});

it("only what both have in every repeat is compared", () => {
  const there = [results({ a: 1, old: 1 }), results({ a: 1, old: 1 })];
  const here = [results({ a: 1, new: 1 }), results({ a: 1 })];
  expect(compare(there, here).map((row) => row.name)).toEqual([name("a")]);
});
