// Tables, to the terminal and to RESULTS.md; the numbers alone to results.json, for the plot.

import { readFileSync, writeFileSync } from "node:fs";
import type { Measured } from "./measure.ts";

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Candidates down, sizes across: the first candidate in microseconds, the others as ratios to it. */
export function ratioTable(title: string, columns: readonly { readonly head: string; readonly measured: readonly Measured[] }[]): Table {
  const names = columns[0]?.measured.map(({ name }) => name) ?? [];
  const rows = names.map((name, row) => [name, ...columns.map(({ measured }) => cell(measured[row], row === 0))]);
  return { title, head: ["", ...columns.map(({ head }) => head)], rows };
}

function cell(measured: Measured | undefined, baseline: boolean): string {
  if (measured === undefined) return "";
  return baseline ? `${digits(measured.us)} µs` : `×${digits(measured.ratio)}`;
}

function digits(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(2);
}

const FILE = new URL("../RESULTS.md", import.meta.url);
const START = "<!-- tables -->";
const END = "<!-- end of tables -->";

export function writeResults(
  tables: readonly Table[],
  machine: { readonly cpu: string; readonly cores: number; readonly node: string },
): void {
  const text = tables.map(markdown).join("\n");
  console.log(text);
  const taken = `Taken on ${new Date().toISOString().slice(0, 10)} by \`npx -y pnpm@12.21.0 bench\`: ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, NODE_ENV=production.`;
  const now = readFileSync(FILE, "utf8");
  const before = now.slice(0, now.indexOf(START) + START.length);
  writeFileSync(FILE, `${before}\n${taken}\n\n${text}${now.slice(now.indexOf(END))}`);
}

function markdown({ title, head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [`### ${title}`, "", line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line), ""].join("\n");
}
