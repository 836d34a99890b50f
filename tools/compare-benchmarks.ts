// Benchmarks of two checkouts, in turn, so that a busy machine slows both alike:
//
//   git worktree add ../before <commit>
//   (cd ../before && npx -y pnpm@12.21.0 install && npx -y pnpm@12.21.0 build)
//   node tools/compare-benchmarks.ts ../before reducer log ag-ui --repeats 3
//
// A row is slower when it is in every repeat, by more than the spread that is printed with it. Then
// the process ends with status 1. The checkouts keep the results that they had.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** As `benchmarks/src/harness/results.ts` writes it: by section, title, column and row. */
type Results = Readonly<Record<string, { readonly tables: Readonly<Record<string, Table>> }>>;

interface Table {
  readonly unit: string;
  readonly columns: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface Row {
  readonly name: string;
  /** The time here in each repeat, the one of the other checkout being 1. */
  readonly ratios: readonly number[];
  /** Of a checkout: its slowest repeat by its fastest. Of the two the larger one. */
  readonly spread: number;
  /** In every repeat, and by more than the spread. */
  readonly isSlower: boolean;
}

/** The rows that both have, by the runs of either in their order. */
export function compare(there: readonly Results[], here: readonly Results[]): readonly Row[] {
  const [before, after] = [there.map(timesIn), here.map(timesIn)];
  return [...(after[0]?.keys() ?? [])].flatMap((name) => {
    const [old, now] = [before.map((times) => times.get(name)), after.map((times) => times.get(name))];
    if (!areNumbers(old) || !areNumbers(now)) return [];
    const ratios = now.map((time, index) => time / (old[index] ?? NaN));
    const spread = Math.max(...[old, now].map((times) => Math.max(...times) / Math.min(...times)));
    return [{ name, ratios, spread, isSlower: ratios.every((ratio) => ratio > spread) }];
  });
}

/** By section, title, column and row. What is counted per second is taken as a time. */
function timesIn(results: Results): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const [section, { tables }] of Object.entries(results))
    for (const [title, { unit, columns }] of Object.entries(tables))
      for (const [column, rows] of Object.entries(columns))
        for (const [row, value] of Object.entries(rows))
          times.set([section, title, column, row].join(" | "), unit === "per second" ? 1 / value : value);
  return times;
}

function areNumbers(values: (number | undefined)[]): values is number[] {
  return values.length > 0 && values.every((value) => value !== undefined && Number.isFinite(value) && value > 0);
}

/** One run in a checkout, whose own files are put back afterwards. */
function run(checkout: string, sections: readonly string[]): Results {
  const files = ["results.json", "RESULTS.md"].map((name) => join(checkout, "benchmarks", name));
  const kept = files.map((file) => readFileSync(file, "utf8"));
  try {
    execFileSync(process.execPath, ["src/main.ts", ...sections], {
      cwd: join(checkout, "benchmarks"),
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const all = JSON.parse(readFileSync(join(checkout, "benchmarks/results.json"), "utf8")) as Results;
    return Object.fromEntries(Object.entries(all).filter(([section]) => sections.includes(section)));
  } finally {
    for (const [index, file] of files.entries()) writeFileSync(file, kept[index] ?? "");
  }
}

function main(): number {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { repeats: { type: "string", default: "3" } },
  });
  const [other, ...sections] = positionals;
  if (other === undefined || sections.length === 0) {
    console.error(
      "Say the other checkout and the sections: node tools/compare-benchmarks.ts ../before reducer log ag-ui",
    );
    return 2;
  }
  const [there, here]: [Results[], Results[]] = [[], []];
  for (let repeat = 1; repeat <= Number(values.repeats); repeat += 1) {
    console.error(`repeat ${repeat} of ${values.repeats}`);
    there.push(run(resolve(other), sections));
    here.push(run(fileURLToPath(new URL("..", import.meta.url)), sections));
  }
  const rows = compare(there, here);
  for (const { name, ratios, spread, isSlower } of rows)
    console.log(
      `${isSlower ? "SLOWER" : "      "} ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}  spread ${spread.toFixed(2)}  ${name}`,
    );
  console.log(`${rows.length} rows, ${rows.filter(({ isSlower }) => isSlower).length} slower in every repeat`);
  return rows.some(({ isSlower }) => isSlower) ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
