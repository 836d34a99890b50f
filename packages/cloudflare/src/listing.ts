// What an object has to report to the index: the threads that were created or deleted since.
//
//   threads ── trigger ──> unlisted ── report ──> the index; what arrived is dropped here
//                             └── alarm, when a report failed or the object was lost before it
//
// Invariants:
// - A change and its row are written in one transaction, so no change is lost.
// - The index may get a row twice: incarnations make that harmless.

import type { ObjectStub, SqlStorage } from "./platform.ts";
import { LISTING_PATH } from "./addresses.ts";

export interface ListedThread {
  readonly threadId: string;
  readonly incarnation: string;
  readonly definition: string;
  readonly at: string;
  readonly isThere: boolean;
}

/** Branches, and the log's own thread, whose id has a space, are in no list. */
const IS_LISTED = (row: string) => `${row}.parent_id IS NULL AND instr(${row}.thread_id, ' ') = 0`;

const PUT = (row: string, isThere: 0 | 1) =>
  `INSERT OR REPLACE INTO unlisted (incarnation, thread_id, definition, at, is_there) VALUES (${row}.incarnation, ${row}.thread_id, ${row}.definition, ${row}.created_at, ${isThere})`;

export class Listing {
  readonly #sql: SqlStorage;

  /** To be made when the tables of the log are there. */
  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS unlisted (incarnation TEXT PRIMARY KEY, thread_id TEXT NOT NULL, definition TEXT NOT NULL, at TEXT NOT NULL, is_there INTEGER NOT NULL) STRICT;
       CREATE TRIGGER IF NOT EXISTS threads_to_list AFTER INSERT ON threads WHEN ${IS_LISTED("NEW")} BEGIN ${PUT("NEW", 1)}; END;
       CREATE TRIGGER IF NOT EXISTS threads_to_unlist AFTER UPDATE OF deleted ON threads WHEN OLD.deleted = 0 AND NEW.deleted = 1 AND ${IS_LISTED("OLD")} BEGIN ${PUT("OLD", 0)}; END`,
    );
  }

  get hasNews(): boolean {
    return this.#sql.exec("SELECT 1 AS one FROM unlisted LIMIT 1").next().value !== undefined;
  }

  /** Whether the object has a thread, or a branch. */
  get hasThreads(): boolean {
    return this.#sql.exec("SELECT 1 AS one FROM threads WHERE deleted = 0 LIMIT 1").next().value !== undefined;
  }

  /** Rejects when the index did not get it. Then all of it is there still. */
  async report(index: ObjectStub): Promise<void> {
    const news = this.#read();
    if (news.length === 0) return;
    const request = new Request(`https://index${LISTING_PATH}`, { method: "POST", body: JSON.stringify(news) });
    const { ok, status } = await index.fetch(request);
    if (!ok) throw new Error(`The index object answered with ${status}.`);
    for (const { incarnation, isThere } of news)
      this.#sql.exec("DELETE FROM unlisted WHERE incarnation = ? AND is_there = ?", incarnation, isThere ? 1 : 0);
  }

  #read(): readonly ListedThread[] {
    const rows = this.#sql.exec(
      "SELECT incarnation, thread_id, definition, at, is_there FROM unlisted ORDER BY is_there",
    );
    return Array.from(rows, (row) => ({
      threadId: textOf(row["thread_id"]),
      incarnation: textOf(row["incarnation"]),
      definition: textOf(row["definition"]),
      at: textOf(row["at"]),
      isThere: row["is_there"] === 1,
    }));
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
