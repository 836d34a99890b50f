// The tables of a Postgres log, created and migrated before the first use, by one node at a time.
//
// Invariants:
// - Documents are JSON text that Postgres never reads (`jsonb` refuses \u0000 and reorders keys).
//   Values that are searched for have columns of their own.
// - One receipt per (thread, actor, id), accepted or refused, by primary key.
// - One commit per (thread, version), by primary key.
// - `schema_version` counts the applied steps.

import { type Commit, OpstateError } from "@opstate/core";
import type { ThreadParent } from "@opstate/core/log";
import type { Database, Query } from "./database.ts";
import { fileByAuthor } from "./file-by-author.ts";
import { columnsOf, storedCommit } from "./stored-commit.ts";
import { parse } from "../log/document.ts";
import { asyncPages, type Row } from "../log/rows.ts";
import { escapeId } from "./stored-id.ts";

/**
 * Step n migrates schema version n to n + 1. A released step never changes. Steps run with the
 * log's schema as search path. Steps that read documents are functions.
 */
export const STEPS: readonly (string | ((query: Query) => Promise<void>))[] = [
  `
  -- Every append updates a head: free space in the page keeps that update out of the indexes.
  CREATE TABLE threads (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    thread_id text COLLATE "C" NOT NULL UNIQUE,
    definition text NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    refusals bigint NOT NULL DEFAULT 0,
    created_at text NOT NULL,
    incarnation text NOT NULL DEFAULT gen_random_uuid()::text
  ) WITH (fillfactor = 50);
  CREATE TABLE commits (
    thread bigint NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    version bigint NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (thread, version)
  );
  CREATE TABLE snapshots (
    thread bigint NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    version bigint NOT NULL,
    definition_version bigint NOT NULL,
    state text NOT NULL,
    PRIMARY KEY (thread, version)
  );
  CREATE TABLE receipts (
    thread bigint NOT NULL REFERENCES threads (key) ON DELETE CASCADE,
    actor_kind text COLLATE "C" NOT NULL,
    actor_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    hash text NOT NULL,
    version bigint,
    refusal text,
    sequence bigint,
    PRIMARY KEY (thread, actor_kind, actor_id, id),
    CHECK ((version IS NULL) <> (refusal IS NULL))
  );
  CREATE INDEX refusals_by_thread ON receipts (thread, sequence) WHERE refusal IS NOT NULL;
  CREATE INDEX refusals_by_actor ON receipts (thread, actor_kind, actor_id, sequence) WHERE refusal IS NOT NULL;
  `,
  `
  ALTER TABLE threads ADD COLUMN floor bigint NOT NULL DEFAULT 0, ADD COLUMN parent text;
  ALTER TABLE commits
    ADD COLUMN run_id text COLLATE "C",
    ADD COLUMN actor_kind text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN actor_id text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN type text COLLATE "C" NOT NULL DEFAULT '';
  `,
  fillCommitColumns,
  `
  CREATE INDEX commits_by_run ON commits (thread, run_id, version) WHERE run_id IS NOT NULL;
  CREATE INDEX commits_by_actor ON commits (thread, actor_kind, actor_id, version);
  CREATE INDEX commits_by_type ON commits (thread, type, version);
  -- A node of the older release that is still running must fail, not write what no search finds.
  ALTER TABLE commits
    ALTER COLUMN actor_kind DROP DEFAULT,
    ALTER COLUMN actor_id DROP DEFAULT,
    ALTER COLUMN type DROP DEFAULT;
  `,
  `
  ALTER TABLE threads ADD COLUMN parent_id text COLLATE "C", ADD COLUMN deleted boolean NOT NULL DEFAULT false;
  `,
  fillParents,
  `
  ALTER TABLE threads ADD CONSTRAINT branches_are_complete CHECK ((parent IS NULL) = (parent_id IS NULL));
  CREATE INDEX threads_by_parent ON threads (parent_id, key) WHERE NOT deleted;
  CREATE INDEX threads_deleted ON threads (key) WHERE deleted;
  `,
  // Approved and merged commits are found by their author. The columns have new names, so that a
  // node of an older release fails instead of filing commits under the approver.
  `
  ALTER TABLE commits RENAME COLUMN actor_kind TO author_kind;
  ALTER TABLE commits RENAME COLUMN actor_id TO author_id;
  `,
  fileByAuthor,
  // Incarnations are given by the caller, and do not come back: of a deleted thread its row stays,
  // with nothing in it but that. The constraint makes a node of an older release fail, whose
  // branches would not be deleted with their parents.
  `
  ALTER TABLE threads
    ADD COLUMN parent_incarnation text COLLATE "C",
    ADD COLUMN receipt_floor bigint NOT NULL DEFAULT 0,
    ADD COLUMN swept boolean NOT NULL DEFAULT false;
  CREATE UNIQUE INDEX threads_by_incarnation ON threads (incarnation);
  DROP INDEX threads_deleted;
  CREATE INDEX threads_deleted ON threads (key) WHERE deleted AND NOT swept;
  `,
  fillParentIncarnations,
  `
  ALTER TABLE threads ADD CONSTRAINT branches_name_incarnations CHECK ((parent IS NULL) = (parent_incarnation IS NULL));
  `,
  // A thread's epoch stands in its head line, which each append updates: so a claim and an append
  // wait for each other, and no append of an older epoch is stored after the claim.
  `
  ALTER TABLE threads ADD COLUMN epoch bigint NOT NULL DEFAULT 0;
  CREATE TABLE nodes (
    node text COLLATE "C" PRIMARY KEY,
    address text NOT NULL,
    draining boolean NOT NULL,
    expires timestamptz NOT NULL
  ) WITH (fillfactor = 50);
  CREATE TABLE owners (
    thread bigint PRIMARY KEY REFERENCES threads (key) ON DELETE CASCADE,
    node text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX owners_by_node ON owners (node, thread);
  -- The owner of a thread, as it is looked up and as a person reads it.
  CREATE VIEW owner AS
    SELECT owners.thread, owners.node, nodes.address, owners.epoch, nodes.expires
    FROM owners JOIN nodes ON nodes.node = owners.node AND nodes.expires > clock_timestamp();
  `,
];

async function fillParents(query: Query): Promise<void> {
  const rows = await query({ text: "SELECT key, parent FROM threads WHERE parent IS NOT NULL" });
  await query(
    {
      text: "UPDATE threads SET parent_id = found.id FROM unnest($1::bigint[], $2::text[]) AS found (key, id) WHERE threads.key = found.key",
    },
    [rows.map((row) => row["key"]), rows.map((row) => escapeId(parse<ThreadParent>(row["parent"]).threadId))],
  );
}

async function fillParentIncarnations(query: Query): Promise<void> {
  const rows = await query({ text: "SELECT key, parent FROM threads WHERE parent IS NOT NULL" });
  const incarnations = rows.map((row) => {
    // Of a branch that was stored without one.
    const { incarnation } = parse<Partial<ThreadParent>>(row["parent"]);
    return escapeId(incarnation ?? "");
  });
  await query(
    {
      text: "UPDATE threads SET parent_incarnation = found.incarnation FROM unnest($1::bigint[], $2::text[]) AS found (key, incarnation) WHERE threads.key = found.key",
    },
    [rows.map((row) => row["key"]), incarnations],
  );
}

/** Older releases stored the searched values in the documents only. */
async function fillCommitColumns(query: Query): Promise<void> {
  const page =
    "SELECT thread, version, document FROM commits WHERE (thread, version) > ($1, $2) ORDER BY thread, version LIMIT 1000";
  const fill = `
    UPDATE commits SET run_id = found.run_id, actor_kind = found.actor_kind, actor_id = found.actor_id, type = found.type
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) AS found (thread, version, run_id, actor_kind, actor_id, type)
    WHERE commits.thread = found.thread AND commits.version = found.version`;
  const read = (last: Row | undefined) => query({ text: page }, [last?.["thread"] ?? 0, last?.["version"] ?? 0]);
  for await (const rows of asyncPages(read)) {
    const found = rows.map((row) => storedCommit(parse<Commit>(row["document"])));
    await query({ text: fill }, [
      rows.map((row) => row["thread"]),
      rows.map((row) => row["version"]),
      ...columnsOf(found),
    ]);
  }
}

/**
 * Creates missing tables and applies missing steps. Refuses tables that this release does not know.
 */
export async function prepareSchema(database: Database, schema: string): Promise<void> {
  await database.transaction(async (query) => {
    await query({ text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))" }, [`opstate log ${schema}`]);
    const [found] = await query(
      {
        text: `SELECT to_regnamespace($1) IS NOT NULL AS schema, to_regclass($2) IS NOT NULL AS version,
          (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace($1)) > 0 AS used, current_setting('synchronous_commit') AS durable`,
      },
      [`"${schema}"`, `"${schema}".schema_version`],
    );
    if (found?.["durable"] === "off") {
      throw new OpstateError(
        "log_unavailable",
        "This Postgres has synchronous_commit = off, so acknowledged writes can be lost. Turn it on for the role or the database of the log.",
      );
    }
    if (found?.["version"] === false && found["used"] === true) {
      throw new OpstateError(
        "log_unavailable",
        `The Postgres schema "${schema}" belongs to another program. Give postgresLog a schema of its own.`,
      );
    }
    if (found?.["schema"] === false) await query({ text: `CREATE SCHEMA "${schema}"` });
    await query({ text: "SELECT set_config('search_path', $1, true)" }, [`"${schema}"`]);
    if (found?.["version"] === false) await query({ text: "CREATE TABLE schema_version (version integer NOT NULL)" });
    const [row] = await query({ text: "SELECT version FROM schema_version" });
    const version = Number(row?.["version"] ?? 0);
    if (version > STEPS.length) {
      throw new OpstateError(
        "log_unavailable",
        `The Postgres log "${schema}" has schema version ${version}; this release of @opstate/server knows versions up to ${STEPS.length}. Open it with the release that wrote it, or a newer one. To go back to this release, restore what was saved before the upgrade, or let the newer one export the log and restore that into an empty log: npx opstate log export, npx opstate log restore.`,
      );
    }
    if (version === STEPS.length) return;
    for (const step of STEPS.slice(version)) await (typeof step === "string" ? query({ text: step }) : step(query));
    await query({ text: "DELETE FROM schema_version" });
    await query({ text: "INSERT INTO schema_version VALUES ($1)" }, [STEPS.length]);
  });
}
