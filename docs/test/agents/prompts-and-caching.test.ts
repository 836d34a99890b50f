// "Prompts, caching and what they cost": its programs print what the guide says, and its numbers
// are those of the benchmark.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guideFiles, writeGuide } from "../support/guide.ts";
import { startProgram } from "../support/program.ts";

const name = "prompts-and-caching";
const folder = writeGuide(name);

it.each(["see", "outline"])("prints what the guide says: %s", async (file) => {
  const program = startProgram(folder, `${file}.ts`);
  expect([await program.ended, program.output()]).toEqual([0, guideFiles(name)[`${file}.txt`]]);
});

it("has the numbers of the benchmark", () => {
  const text = readFileSync(join(import.meta.dirname, `../../${name}.md`), "utf8");
  const { prompts } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../benchmarks/results.json"), "utf8"));
  const rows = Object.values<{ unit: string; columns: Record<string, Record<string, number>> }>(prompts.tables);
  const rowOf = (index: number, row: string) => {
    const table = rows[index]!;
    return Object.values(table.columns).map((column) => {
      const value = Object.entries(column).find(([key]) => key.includes(row))![1];
      return table.unit === "%" ? `${value.toFixed(1)} %` : Math.round(value).toLocaleString("en");
    });
  };
  const said = [...text.matchAll(/^\| (?:share|the same|length|what one edit)[^|]*\|(.*)\|$/gm)].map(([, cells = ""]) =>
    cells.split("|").map((cell) => cell.trim()),
  );
  expect(said).toEqual([
    rowOf(0, "**opstate**"),
    rowOf(1, "**opstate**"),
    rowOf(0, 'place: "end"'),
    rowOf(0, 'place: "system"'),
    rowOf(2, "**opstate**"),
    rowOf(4, "**opstate**"),
  ]);
});
