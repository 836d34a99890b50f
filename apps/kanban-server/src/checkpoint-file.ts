// A file with the checkpoints of conversations, by which the agent goes on with a run that its
// process did not survive.
//
// Invariant: what is written outlives the process, at the latest when `write` has returned. A loss
// of power may take the last ones.

import type { MemorySaver } from "@langchain/langgraph";
import { DatabaseSync } from "node:sqlite";

/** The newest checkpoints of a conversation by namespace, and what tasks wrote since. */
export interface Stored {
  readonly checkpoints: MemorySaver["storage"][string];
  readonly writes: MemorySaver["writes"];
}

export class CheckpointFile {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS conversations (id TEXT PRIMARY KEY, active INTEGER NOT NULL, stored TEXT NOT NULL) STRICT;
    `);
  }

  /** The conversations, the least recently active first. */
  read(): readonly (readonly [id: string, stored: Stored])[] {
    const rows = this.#database.prepare("SELECT id, stored FROM conversations ORDER BY active").all();
    return rows.map(({ id, stored }) => [String(id), JSON.parse(String(stored), revive) as Stored]);
  }

  write(id: string, stored: Stored): void {
    this.#database
      .prepare(
        `INSERT INTO conversations VALUES (:id, (SELECT coalesce(max(active), 0) + 1 FROM conversations), :stored)
         ON CONFLICT (id) DO UPDATE SET active = excluded.active, stored = excluded.stored`,
      )
      .run({ id, stored: JSON.stringify(stored, replace) });
  }

  delete(id: string): void {
    this.#database.prepare("DELETE FROM conversations WHERE id = ?").run(id);
  }

  close(): void {
    this.#database.close();
  }
}

/** Bytes are the only values that JSON lacks. */
function replace(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : value;
}

function revive(_key: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && "bytes" in value && typeof value.bytes === "string"
    ? new Uint8Array(Buffer.from(value.bytes, "base64"))
    : value;
}
