// What the statements of a log need of a database. `DatabaseSync` of `node:sqlite` has it.

import type { Row } from "../../log/rows.ts";

export type SqlValue = string | number | bigint | null;

export interface SqlStatement {
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): readonly Row[];
  /** One row after the other. `return` ends it before the last one. */
  iterate(...values: readonly SqlValue[]): Iterator<Row>;
  run(...values: readonly SqlValue[]): SqlChange;
}

/** What a statement did. */
export interface SqlChange {
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

export interface SqlDatabase {
  prepare(text: string): SqlStatement;
  /** One or more statements, without values. */
  exec(text: string): void;
}
