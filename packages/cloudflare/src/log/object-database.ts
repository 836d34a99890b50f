// The SQLite of a Durable Object in the shape of `node:sqlite`, for the statements of a log.

import type { SqlDatabase, SqlStatement, SqlValue } from "@opstate/server/sql";
import type { SqlStorage, SqlStorageValue } from "../platform.ts";
import type { LongTexts } from "./long-texts.ts";

export function objectDatabase(sql: SqlStorage, longTexts: LongTexts): SqlDatabase {
  return {
    exec: (text) => void sql.exec(text),
    prepare: (text) => new Statement(sql, text, longTexts),
  };
}

class Statement implements SqlStatement {
  readonly #sql: SqlStorage;
  readonly #text: string;
  readonly #longTexts: LongTexts;

  constructor(sql: SqlStorage, text: string, longTexts: LongTexts) {
    this.#sql = sql;
    this.#text = text;
    this.#longTexts = longTexts;
  }

  get(...values: readonly SqlValue[]): Record<string, SqlStorageValue> | undefined {
    const { value } = this.iterate(...values).next();
    return value === undefined ? undefined : value;
  }

  all(...values: readonly SqlValue[]): readonly Record<string, SqlStorageValue>[] {
    return Array.from(this.#exec(values), (row) => this.#longTexts.restore(row));
  }

  *iterate(...values: readonly SqlValue[]): Generator<Record<string, SqlStorageValue>, undefined> {
    for (const row of this.#exec(values)) yield this.#longTexts.restore(row);
    return undefined;
  }

  run(...values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number } {
    this.#exec(values.map((value) => this.#longTexts.store(value)));
    // Triggers and indexes count among the rows that a cursor says were written.
    const [row] = this.#sql.exec("SELECT changes() AS changes, last_insert_rowid() AS id");
    return { changes: Number(row?.["changes"]), lastInsertRowid: Number(row?.["id"]) };
  }

  #exec(values: readonly SqlValue[]) {
    return this.#sql.exec(this.#text, ...values.map(boundValue));
  }
}

/** Versions and keys are safe integers. */
function boundValue(value: SqlValue): SqlStorageValue {
  return typeof value === "bigint" ? Number(value) : value;
}
