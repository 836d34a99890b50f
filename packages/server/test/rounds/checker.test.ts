// The checker of recorded histories: it finds nothing in good ones, and every planted fault.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixedSeed, runs } from "../../../../tools/runs.ts";
import { check } from "./checker/check.ts";
import { parseHistory } from "./checker/records.ts";
import { type GoodOptions, goodHistory } from "./good-history.ts";
import { Good, planted } from "./planted.ts";

const histories: fc.Arbitrary<GoodOptions> = fc.record({
  seed: fc.nat(),
  writers: fc.integer({ min: 1, max: 5 }),
  readers: fc.integer({ min: 1, max: 4 }),
  steps: fc.integer({ min: 0, max: 300 }),
});
const seed = fixedSeed();
const parameters = (short: number) => ({ numRuns: runs(short, 10_000), ...(seed !== undefined && { seed }) });

describe("a history of several nodes", () => {
  it("that one server could have given is found good", () => {
    fc.assert(
      fc.property(histories, (options) => {
        expect(check(goodHistory(options))).toEqual([]);
      }),
      parameters(200),
    );
  });

  it.each(planted)("in which $name is found bad", ({ rule, plant }) => {
    fc.assert(
      fc.property(histories, (options) => {
        const good = new Good(goodHistory({ ...options, steps: options.steps + 100 }));
        // Two commits at least, and one of them in a stream that goes on.
        fc.pre(good.version > 3 && good.before.filter(({ kind }) => kind === "event").length > good.version);
        const faults = check(plant(good));
        expect(faults.map((fault) => fault.rule)).toContain(rule);
      }),
      parameters(10),
    );
  });

  it("is a file of JSON lines, and says nothing without its end, its log and its beginnings", () => {
    const records = goodHistory({ seed: 1, writers: 3, readers: 2, steps: 100 });
    const text = records.map((record) => JSON.stringify(record)).join("\n");
    expect(parseHistory(`${text}\n`)).toEqual(records);
    expect(() => parseHistory(`${text}\n{`)).toThrow(`Line ${records.length + 1} `);
    expect(() => check(records.slice(0, -1))).toThrow("no end");
    expect(() => check(records.filter(({ kind }) => kind !== "log"))).toThrow("no log");
    expect(() => check(records.filter(({ kind }) => kind !== "write"))).toThrow("answers nothing");
  });
});

it("the checker imports nothing but its own files", () => {
  const folder = join(import.meta.dirname, "checker");
  const files = globSync("*.ts", { cwd: folder });
  expect(files.length).toBeGreaterThan(5);
  const imported = files.flatMap((file) => [
    ...readFileSync(join(folder, file), "utf8").matchAll(/(?:from |import\()"([^"]+)"/g),
  ]);
  expect(imported.length).toBeGreaterThan(5);
  for (const [, from = ""] of imported) expect(files.map((file) => `./${file}`)).toContain(from);
});
