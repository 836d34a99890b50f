// Every number of the last run of each section is in results.json; RESULTS.md shows them, and is
// written anew from all of them each time.

import { readFileSync, writeFileSync } from "node:fs";

export interface Table {
  readonly title: string;
  /** Times in µs are shown as ratios to the first row, the rest as it is. */
  readonly unit: "µs" | "ms" | "bytes" | "operations" | "%" | "per second" | "tokens";
  /**
   * The columns are sizes, each ten times the one before: shows the mean growth from one to the
   * next.
   */
  readonly growth?: true;
  readonly columns: Columns;
}

/** By column head, then by row. */
export type Columns = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Section {
  /** When and where. */
  readonly taken: string;
  /** By title. */
  readonly tables: Readonly<Record<string, Omit<Table, "title">>>;
}

export type Results = Readonly<Record<string, Section>>;

const JSON_FILE = new URL("../../results.json", import.meta.url);

export async function columnsOf<T>(
  items: readonly T[],
  head: (item: T) => string,
  column: (item: T) => Promise<Columns[string]>,
): Promise<Columns> {
  const columns: Record<string, Columns[string]> = {};
  for (const item of items) columns[head(item)] = await column(item);
  return columns;
}

export function readResults(): Results {
  return JSON.parse(readFileSync(JSON_FILE, "utf8")) as Results;
}

export function writeResults(results: Results): void {
  writeFileSync(JSON_FILE, `${JSON.stringify(results, undefined, 2)}\n`);
}

/** A number of a table; undefined when it was not measured. */
export function numberAt(results: Results, title: string, column: string, row: string): number | undefined {
  for (const { tables } of Object.values(results)) {
    const found = tables[title]?.columns[column]?.[row];
    if (found !== undefined) return found;
  }
  return undefined;
}
