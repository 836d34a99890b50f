// The steps that made the tables what they are, the first one in an empty database. (Long because
// it is a list that only grows.)
//
// Invariants:
// - Documents are JSON text as it was written. SQLite never reads them; values that are searched
//   for have columns of their own.
// - A released step never changes.

import type { Commit } from "@opstate/core";
import type { ThreadParent } from "@opstate/core/log";
import { parse } from "../log/document.ts";
import { pages } from "../log/rows.ts";
import { commitColumns } from "./columns.ts";
import type { SqlDatabase } from "./database/sql-database.ts";
import { createTerms } from "./database/terms.ts";
import { fileByAuthor } from "./file-by-author.ts";

/**
 * Step n migrates schema version n to n + 1. A released step never changes. Steps that read
 * documents are functions.
 */
export const STEPS: readonly (string | ((database: SqlDatabase) => void))[] = [
  `
  CREATE TABLE threads (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    thread_id TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE commits (
    thread INTEGER NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (thread, version)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE snapshots (
    thread INTEGER NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    definition_version INTEGER NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (thread, version)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE receipts (
    thread INTEGER NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (thread, actor_kind, actor_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE refusals (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    thread INTEGER NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX refusals_by_thread ON refusals (thread, sequence);
  CREATE INDEX refusals_by_actor ON refusals (thread, actor_kind, actor_id, sequence);
  CREATE UNIQUE INDEX refusals_by_id ON refusals (thread, actor_kind, actor_id, id);
  `,
  `
  ALTER TABLE threads ADD COLUMN incarnation TEXT NOT NULL DEFAULT '';
  UPDATE threads SET incarnation = lower(hex(randomblob(16)));
  `,
  `
  ALTER TABLE threads ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE threads ADD COLUMN parent TEXT;
  ALTER TABLE commits ADD COLUMN run_id TEXT;
  ALTER TABLE commits ADD COLUMN actor_kind TEXT NOT NULL DEFAULT '';
  ALTER TABLE commits ADD COLUMN actor_id TEXT NOT NULL DEFAULT '';
  ALTER TABLE commits ADD COLUMN type TEXT NOT NULL DEFAULT '';
  `,
  fillCommitColumns,
  `
  CREATE INDEX commits_by_run ON commits (thread, run_id, version) WHERE run_id IS NOT NULL;
  CREATE INDEX commits_by_actor ON commits (thread, actor_kind, actor_id, version);
  CREATE INDEX commits_by_type ON commits (thread, type, version);
  -- A process of the older release that still has the file open must fail, not write what no search finds.
  CREATE TRIGGER commits_are_complete BEFORE INSERT ON commits WHEN NEW.type = '' BEGIN
    SELECT RAISE(ABORT, 'this log was brought up to date by a newer release of @opstate/server: restart with that one');
  END;
  `,
  `
  ALTER TABLE threads ADD COLUMN parent_id TEXT;
  ALTER TABLE threads ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
  `,
  fillParents,
  `
  CREATE INDEX threads_by_parent ON threads (parent_id, key) WHERE deleted = 0;
  CREATE INDEX threads_deleted ON threads (key) WHERE deleted = 1;
  CREATE TRIGGER branches_are_complete BEFORE INSERT ON threads WHEN (NEW.parent IS NULL) <> (NEW.parent_id IS NULL) BEGIN
    SELECT RAISE(ABORT, 'this log was brought up to date by a newer release of @opstate/server: restart with that one');
  END;
  `,
  // Documents in the order of their arrival, whatever their thread. So a group over many threads
  // fills one page after another, where a tree by thread and version touched and split a page for
  // each. Searches use terms.ts. A process of the previous release may still write, but its
  // filtered reads fail, since their indexes are gone.
  `
  CREATE TABLE arrivals (
    sequence INTEGER PRIMARY KEY,
    thread INTEGER NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    run_id TEXT,
    actor_kind TEXT NOT NULL DEFAULT '',
    actor_id TEXT NOT NULL DEFAULT '',
    type TEXT NOT NULL DEFAULT '',
    document TEXT NOT NULL,
    CONSTRAINT "this log was brought up to date by a newer release of @opstate/server: restart with that one" CHECK (type <> '')
  ) STRICT;
  INSERT INTO arrivals (thread, version, run_id, actor_kind, actor_id, type, document)
    SELECT thread, version, run_id, actor_kind, actor_id, type, document FROM commits ORDER BY thread, version;
  DROP TABLE commits;
  ALTER TABLE arrivals RENAME TO commits;
  CREATE UNIQUE INDEX commits_by_version ON commits (thread, version);
  `,
  createTerms,
  // Approved and merged commits are found by their author. The columns have new names, so that a
  // process of an older release fails instead of filing commits under the approver.
  `
  ALTER TABLE commits RENAME COLUMN actor_kind TO author_kind;
  ALTER TABLE commits RENAME COLUMN actor_id TO author_id;
  `,
  fileByAuthor,
  // Incarnations are given by the caller, and do not come back: of a deleted thread its row stays
  // (`deleted` is 2), with nothing in it but that. A process of an older release fails instead of
  // making branches that would not be deleted with their parents.
  `
  ALTER TABLE threads ADD COLUMN parent_incarnation TEXT;
  ALTER TABLE threads ADD COLUMN receipt_floor INTEGER NOT NULL DEFAULT 0;
  UPDATE threads SET incarnation = lower(hex(randomblob(16))) WHERE incarnation = '';
  CREATE UNIQUE INDEX threads_by_incarnation ON threads (incarnation);
  `,
  fillParentIncarnations,
  `
  CREATE TRIGGER branches_name_incarnations BEFORE INSERT ON threads WHEN (NEW.parent IS NULL) <> (NEW.parent_incarnation IS NULL) BEGIN
    SELECT RAISE(ABORT, 'this log was brought up to date by a newer release of @opstate/server: restart with that one');
  END;
  `,
];

function fillParents(database: SqlDatabase): void {
  const fill = database.prepare("UPDATE threads SET parent_id = ? WHERE key = ?");
  for (const { key, parent } of database.prepare("SELECT key, parent FROM threads WHERE parent IS NOT NULL").all())
    fill.run(parse<ThreadParent>(parent).threadId, Number(key));
}

function fillParentIncarnations(database: SqlDatabase): void {
  const fill = database.prepare("UPDATE threads SET parent_incarnation = ? WHERE key = ?");
  for (const { key, parent } of database.prepare("SELECT key, parent FROM threads WHERE parent IS NOT NULL").all()) {
    // Of a branch that was stored without one.
    const { incarnation } = parse<Partial<ThreadParent>>(parent);
    fill.run(incarnation ?? "", Number(key));
  }
}

/** Older releases stored the searched values in the documents only. */
function fillCommitColumns(database: SqlDatabase): void {
  const page = database.prepare(
    "SELECT thread, version, document FROM commits WHERE (thread, version) > (?, ?) ORDER BY thread, version LIMIT 1000",
  );
  const fill = database.prepare(
    "UPDATE commits SET run_id = ?, actor_kind = ?, actor_id = ?, type = ? WHERE thread = ? AND version = ?",
  );
  for (const rows of pages((last) => page.all(Number(last?.["thread"] ?? 0), Number(last?.["version"] ?? 0)))) {
    for (const { thread, version, document } of rows)
      fill.run(...commitColumns(parse<Commit>(document)), Number(thread), Number(version));
  }
}

/** Applies a step. */
export function applyStep(database: SqlDatabase, step: (typeof STEPS)[number]): void {
  if (typeof step === "string") database.exec(step);
  else step(database);
}
