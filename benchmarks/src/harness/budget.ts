// One budget: what it bounds, and how its number is read out of the tables of the last run.

/** A number of the budget's table; undefined when it was not measured. */
export type Read = (column: string, row: string) => number | undefined;

export interface Budget {
  readonly what: string;
  readonly table: string;
  readonly bound: "at most" | "at least";
  readonly limit: number;
  readonly unit: "×" | "%" | "KB" | "µs" | "ms" | "per second" | "tokens";
  readonly measured: (read: Read) => number | undefined;
}

export function atMost(limit: number) {
  return { bound: "at most", limit, unit: "×" } as const;
}

export function atLeast(limit: number) {
  return { bound: "at least", limit, unit: "×" } as const;
}

export function ratio(read: Read, column: string, row: string, to: string): number | undefined {
  return quotient(read(column, row), read(column, to));
}

export function quotient(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined ? undefined : value / by;
}

export function least(heads: readonly string[], of: (head: string) => number | undefined): number | undefined {
  const values = heads.map(of).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : Math.min(...values);
}
