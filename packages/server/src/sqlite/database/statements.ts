// Every statement of a SQLite log, prepared once. Values are bound, never put into the SQL text.

import type { SqlStatement } from "./sql-database.ts";

export type Statements = ReturnType<typeof prepareStatements>;

export function prepareStatements<S extends SqlStatement>(database: { prepare(text: string): S }) {
  const head =
    "SELECT key, thread_id, definition, version, floor, created_at, incarnation, parent, receipt_floor FROM threads";
  return {
    findThread: database.prepare(`${head} WHERE thread_id = ? AND deleted = 0`),
    pageThreads: database.prepare(`${head} WHERE deleted = 0 AND key > ? ORDER BY key LIMIT ?`),
    /** With null: the threads that are not branches. */
    pageBranches: database.prepare(
      `${head} INDEXED BY threads_by_parent WHERE deleted = 0 AND parent_id IS ? AND key > ? ORDER BY key LIMIT ?`,
    ),
    /** Of a thread that is there, or is deleted. */
    findIncarnation: database.prepare(`${head.replace(" FROM", ", deleted FROM")} WHERE incarnation = ?`),
    addThread: database.prepare(
      "INSERT INTO threads (thread_id, definition, version, created_at, incarnation, parent, parent_id, parent_incarnation) VALUES (?, ?, 0, ?, ?, ?, ?, ?)",
    ),
    /** The branches of a thread in one incarnation. */
    findBranches: database.prepare(
      `${head} INDEXED BY threads_by_parent WHERE deleted = 0 AND parent_id = ? AND parent_incarnation = ?`,
    ),
    moveHead: database.prepare("UPDATE threads SET version = ? WHERE key = ?"),
    moveFloor: database.prepare("UPDATE threads SET floor = ? WHERE key = ?"),
    moveReceiptFloor: database.prepare("UPDATE threads SET receipt_floor = ? WHERE key = ?"),
    /** Frees the name at once. The new name cannot be guessed, and no search finds it. */
    markDeleted: database.prepare(
      "UPDATE threads SET deleted = 1, thread_id = lower(hex(randomblob(32))) WHERE key = ?",
    ),
    findDeleted: database.prepare("SELECT key FROM threads WHERE deleted = 1"),
    /** The floors of threads after a key, and whether rows are left below. */
    findFloors: database.prepare(
      `SELECT key, floor, EXISTS (SELECT 1 FROM commits WHERE thread = key AND version <= floor)
       OR EXISTS (SELECT 1 FROM snapshots WHERE thread = key AND version < floor) AS left
       FROM threads WHERE key > ? AND deleted = 0 ORDER BY key LIMIT ?`,
    ),
    /** Its incarnation stays, so that it does not come back. */
    emptyThread: database.prepare(
      "UPDATE threads SET deleted = 2, definition = '', created_at = '', parent = NULL, parent_id = NULL, parent_incarnation = NULL WHERE key = ? AND deleted = 1",
    ),

    addCommit: database.prepare(
      "INSERT INTO commits (thread, version, document, run_id, author_kind, author_id, type) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ),
    /** Deletes the oldest commits up to a floor, about as many as the last parameter. */
    dropCommits: database.prepare(
      "DELETE FROM commits WHERE thread = ?1 AND version <= min(?2, (SELECT min(version) FROM commits WHERE thread = ?1) + ?3)",
    ),

    /** These replace documents, and add nothing. */
    rewriteCommit: database.prepare("UPDATE commits SET document = ? WHERE thread = ? AND version = ?"),
    rewriteSnapshot: database.prepare(
      "UPDATE snapshots SET definition_version = ?, state = ? WHERE thread = ? AND version = ?",
    ),
    rewriteReceipt: database.prepare(
      "UPDATE receipts SET hash = ? WHERE thread = ? AND actor_kind = ? AND actor_id = ? AND id = ?",
    ),
    rewriteRefusal: database.prepare(
      "UPDATE refusals SET hash = ?, document = ? WHERE thread = ? AND actor_kind = ? AND actor_id = ? AND id = ?",
    ),

    addSnapshot: database.prepare(
      "INSERT OR REPLACE INTO snapshots (thread, version, definition_version, state) VALUES (?, ?, ?, ?)",
    ),
    /** Ignores snapshots below the floor, which may not be swept yet. */
    findSnapshot: database.prepare(
      `SELECT version, definition_version, state FROM snapshots WHERE thread = ?1 AND version <= ?2
       AND version >= (SELECT floor FROM threads WHERE key = ?1) ORDER BY version DESC LIMIT 1`,
    ),
    /** Deletes the oldest snapshot below a floor. */
    dropSnapshot: database.prepare(
      "DELETE FROM snapshots WHERE thread = ?1 AND version = (SELECT min(version) FROM snapshots WHERE thread = ?1 AND version < ?2)",
    ),

    snapshotVersions: database.prepare("SELECT version FROM snapshots WHERE thread = ? ORDER BY version"),
    dropSnapshotAt: database.prepare("DELETE FROM snapshots WHERE thread = ? AND version = ?"),

    dropReceipts: database.prepare(
      `DELETE FROM receipts WHERE thread = ?1 AND (actor_kind, actor_id, id) <= (SELECT actor_kind, actor_id, id FROM
       (SELECT actor_kind, actor_id, id FROM receipts WHERE thread = ?1 ORDER BY actor_kind, actor_id, id LIMIT ?2)
       ORDER BY actor_kind DESC, actor_id DESC, id DESC LIMIT 1)`,
    ),
    dropRefusals: database.prepare(
      "DELETE FROM refusals WHERE sequence IN (SELECT sequence FROM refusals WHERE thread = ? LIMIT ?)",
    ),
    addReceipt: database.prepare(
      "INSERT INTO receipts (thread, actor_kind, actor_id, id, hash, version) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    findReceipt: database.prepare(
      "SELECT hash, version FROM receipts WHERE thread = ? AND actor_kind = ? AND actor_id = ? AND id = ?",
    ),

    addRefusal: database.prepare(
      "INSERT INTO refusals (thread, actor_kind, actor_id, id, hash, document) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    findRefusal: database.prepare(
      "SELECT hash, document FROM refusals WHERE thread = ? AND actor_kind = ? AND actor_id = ? AND id = ?",
    ),
    /** Keeps an actor's newest refusals. The last parameter is their number minus one. */
    pruneRefusals: database.prepare(
      `DELETE FROM refusals WHERE thread = ?1 AND actor_kind = ?2 AND actor_id = ?3 AND sequence <
       (SELECT sequence FROM refusals WHERE thread = ?1 AND actor_kind = ?2 AND actor_id = ?3 ORDER BY sequence DESC LIMIT 1 OFFSET ?4)`,
    ),
    readRefusals: database.prepare(
      "SELECT sequence, document FROM refusals WHERE thread = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?",
    ),
    /** Of accepted submissions, after an actor and id. */
    readReceipts: database.prepare(
      `SELECT actor_kind, actor_id, id, hash, version FROM receipts
       WHERE thread = ? AND (actor_kind, actor_id, id) > (?, ?, ?) ORDER BY actor_kind, actor_id, id LIMIT ?`,
    ),
    /** Of refused ones. */
    readRefusedReceipts: database.prepare(
      "SELECT sequence, actor_kind, actor_id, id, hash, document FROM refusals WHERE thread = ? AND sequence > ? ORDER BY sequence LIMIT ?",
    ),
    /** The last of the first receipts after an actor and id. */
    lastReceipt: database.prepare(
      `SELECT actor_kind, actor_id, id FROM
       (SELECT actor_kind, actor_id, id FROM receipts WHERE thread = ?1 AND (actor_kind, actor_id, id) > (?2, ?3, ?4) ORDER BY actor_kind, actor_id, id LIMIT ?5)
       ORDER BY actor_kind DESC, actor_id DESC, id DESC LIMIT 1`,
    ),
    /** Between two actors and ids. */
    dropOldReceipts: database.prepare(
      `DELETE FROM receipts WHERE thread = ?1 AND (actor_kind, actor_id, id) > (?2, ?3, ?4) AND (actor_kind, actor_id, id) <= (?5, ?6, ?7) AND version <= ?8`,
    ),
  };
}
