// RESULTS.md: the part between the markers is written from the numbers, the rest is kept by hand.

import { readFileSync, writeFileSync } from "node:fs";
import { budgets } from "./budgets.ts";
import { digits } from "./digits.ts";
import type { Results, Table } from "./results.ts";

const FILE = new URL("../../RESULTS.md", import.meta.url);
const START = "<!-- tables -->";
const END = "<!-- end of tables -->";

export function writeReport(results: Results): void {
  const sections = Object.entries(results).map(([name, { taken, tables }]) =>
    [
      `## ${name[0]?.toUpperCase()}${name.slice(1)}`,
      taken,
      ...Object.entries(tables).flatMap(([title, table]) => [`### ${title}`, show(table)]),
    ].join("\n\n"),
  );
  const text = ["## Budgets", markdown(["what", "budget", "measured", ""], budgets(results)), ...sections].join("\n\n");
  console.log(text);
  const now = readFileSync(FILE, "utf8");
  writeFileSync(FILE, `${now.slice(0, now.indexOf(START))}${START}\n\n${text}\n\n${now.slice(now.indexOf(END))}`);
}

function show({ unit, columns, growth }: Omit<Table, "title">): string {
  const names = [...new Set(Object.values(columns).flatMap((column) => Object.keys(column)))];
  const rows = names.map((name, row) => [
    name,
    ...Object.values(columns).map((column) => cell(unit, column[name], row === 0 ? undefined : column[names[0] ?? ""])),
    ...(growth ? [`×${digits(growthOf(Object.values(columns).map((column) => column[name] ?? Number.NaN)))}`] : []),
  ]);
  return markdown(["", ...Object.keys(columns), ...(growth ? ["per ×10"] : [])], rows);
}

function cell(unit: Table["unit"], value: number | undefined, baseline: number | undefined): string {
  if (value === undefined) return "";
  switch (unit) {
    case "bytes":
      return value < 1_000_000 ? `${(value / 1000).toFixed(1)} KB` : `${digits(value / 1_000_000)} MB`;
    case "tokens":
      return Math.round(value).toLocaleString("en");
    case "operations":
      return value.toLocaleString("en");
    case "ms":
      return `${digits(value)} ms`;
    case "%":
      return `${value.toFixed(1)} %`;
    case "per second":
      return digits(value);
    case "µs":
      return baseline === undefined ? `${digits(value)} µs` : `×${digits(value / baseline)}`;
  }
}

/** The geometric mean of the steps. */
function growthOf(values: readonly number[]): number {
  return ((values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN)) ** (1 / (values.length - 1));
}

/** A table as the formatter leaves it: numbers to the right. */
function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, index) => Math.max(3, title.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, index) => (index === 0 ? (cells[index] ?? "").padEnd(width) : (cells[index] ?? "").padStart(width))).join(" | ")} |`;
  const rule = widths.map((width, index) => (index === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}
