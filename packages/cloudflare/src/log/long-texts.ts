// Texts that are longer than a row may be, in pieces.
//
//   bound value, long ──> pieces (id, part, text), and "~pieces <id>" in its place
//   column "~pieces <id>" ──> the text again
//
// Invariants:
// - Documents and states are JSON, which never begins with "~".
// - Triggers delete the pieces with the row that names them, in the same transaction.

import { randomId } from "@opstate/core/thread";
import type { SqlValue } from "@opstate/server/sql";
import type { SqlStorage, SqlStorageValue } from "../platform.ts";

/** UTF-16 units of one piece: at most three bytes each, so below the 2 MB of a row. */
const PIECE_LENGTH = 500_000;

const MARK = "~pieces ";

/** The columns that may be long. */
const LONG = [
  ["commits", "document"],
  ["refusals", "document"],
  ["snapshots", "state"],
] as const;

export class LongTexts {
  readonly #sql: SqlStorage;

  /** `prepare` makes its tables. */
  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** To be called when the tables of the log are there. */
  prepare(): void {
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS pieces (id TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (id, part)) STRICT, WITHOUT ROWID",
    );
    // Rows that a REPLACE removes fire no trigger.
    this.#sql.exec(
      "CREATE TRIGGER IF NOT EXISTS snapshots_replaced BEFORE INSERT ON snapshots BEGIN DELETE FROM snapshots WHERE thread = NEW.thread AND version = NEW.version; END",
    );
    for (const [table, column] of LONG) {
      const isLong = `substr(OLD.${column}, 1, ${MARK.length}) = '${MARK}'`;
      const drop = `BEGIN DELETE FROM pieces WHERE id = substr(OLD.${column}, ${MARK.length + 1}); END`;
      this.#sql.exec(
        `CREATE TRIGGER IF NOT EXISTS ${table}_drop_pieces AFTER DELETE ON ${table} WHEN ${isLong} ${drop};
         CREATE TRIGGER IF NOT EXISTS ${table}_change_pieces AFTER UPDATE OF ${column} ON ${table} WHEN ${isLong} AND NEW.${column} <> OLD.${column} ${drop}`,
      );
    }
  }

  /** What is bound in the place of a value. Inside of the transaction that stores it. */
  store(value: SqlValue): SqlValue {
    if (typeof value !== "string" || value.length <= PIECE_LENGTH) return value;
    const id = randomId();
    for (const [part, text] of piecesOf(value).entries())
      this.#sql.exec("INSERT INTO pieces (id, part, text) VALUES (?, ?, ?)", id, part, text);
    return `${MARK}${id}`;
  }

  /** The row with its long texts. */
  restore(row: Record<string, SqlStorageValue>): Record<string, SqlStorageValue> {
    for (const column of ["document", "state"]) {
      const value = row[column];
      if (typeof value === "string" && value.startsWith(MARK)) row[column] = this.#read(value.slice(MARK.length));
    }
    return row;
  }

  #read(id: string): string {
    return Array.from(this.#sql.exec("SELECT text FROM pieces WHERE id = ? ORDER BY part", id), ({ text }) =>
      typeof text === "string" ? text : "",
    ).join("");
  }
}

/** Never cut between the halves of a surrogate pair, which are no text by themselves. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + PIECE_LENGTH;
    const last = text.charCodeAt(end - 1);
    const cut = end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
    pieces.push(text.slice(at, cut));
    at = cut;
  }
  return pieces;
}
