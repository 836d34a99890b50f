// Every statement of a SQLite log, prepared once. Values are bound, never put into SQL text.

import type { DatabaseSync } from "node:sqlite";

export function prepareStatements(database: DatabaseSync) {
  return {
    findThread: database.prepare("SELECT key, thread_id, definition, version, created_at, incarnation FROM threads WHERE thread_id = ?"),
    listThreads: database.prepare("SELECT thread_id, definition, version, created_at, incarnation FROM threads ORDER BY key"),
    addThread: database.prepare(
      "INSERT INTO threads (thread_id, definition, version, created_at, incarnation) VALUES (?, ?, 0, ?, lower(hex(randomblob(16)))) ON CONFLICT DO NOTHING",
    ),
    moveHead: database.prepare("UPDATE threads SET version = ? WHERE key = ?"),
    deleteThread: database.prepare("DELETE FROM threads WHERE thread_id = ?"),

    addCommit: database.prepare("INSERT INTO commits (thread, version, document) VALUES (?, ?, ?)"),
    readCommits: database.prepare("SELECT document FROM commits WHERE thread = ? AND version > ? ORDER BY version LIMIT ?"),

    addSnapshot: database.prepare("INSERT OR REPLACE INTO snapshots (thread, version, definition_version, state) VALUES (?, ?, ?, ?)"),
    findSnapshot: database.prepare(
      "SELECT version, definition_version, state FROM snapshots WHERE thread = ? AND version <= ? ORDER BY version DESC LIMIT 1",
    ),

    addReceipt: database.prepare("INSERT INTO receipts (thread, actor_kind, actor_id, id, hash, version) VALUES (?, ?, ?, ?, ?, ?)"),
    findReceipt: database.prepare("SELECT hash, version FROM receipts WHERE thread = ? AND actor_kind = ? AND actor_id = ? AND id = ?"),

    addRefusal: database.prepare("INSERT INTO refusals (thread, actor_kind, actor_id, id, hash, document) VALUES (?, ?, ?, ?, ?, ?)"),
    findRefusal: database.prepare("SELECT hash, document FROM refusals WHERE thread = ? AND actor_kind = ? AND actor_id = ? AND id = ?"),
    /** Keeps an actor's newest refusals: the last parameter is how many, less one. */
    pruneRefusals: database.prepare(
      `DELETE FROM refusals WHERE thread = ?1 AND actor_kind = ?2 AND actor_id = ?3 AND sequence <
       (SELECT sequence FROM refusals WHERE thread = ?1 AND actor_kind = ?2 AND actor_id = ?3 ORDER BY sequence DESC LIMIT 1 OFFSET ?4)`,
    ),
    readRefusals: database.prepare("SELECT document FROM refusals WHERE thread = ? ORDER BY sequence DESC LIMIT ?"),
  };
}
