// The tables of Postgres streams, created before the first use, by one node at a time.
//
// Invariants:
// - `schema_version` counts the applied steps.
// - A database that may lose what it acknowledged is refused.

import { OpstateError } from "@opstate/core";
import type { Program } from "../sql/program.ts";

/** Step n migrates schema version n to n + 1. A released step never changes. */
const STEPS = [
  [
    // Every append updates a head: free space in the page keeps that update out of the indexes.
    `CREATE TABLE streams (
      key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" UNIQUE,
      incarnation text NOT NULL,
      content_type text NOT NULL,
      tail bigint NOT NULL,
      bytes bigint NOT NULL,
      closed smallint NOT NULL,
      closed_by text,
      ttl bigint,
      expires_at bigint,
      seq text,
      owner text COLLATE "C",
      source text,
      source_key bigint,
      inherited text,
      forks bigint NOT NULL,
      gone smallint NOT NULL,
      producers bigint NOT NULL
    ) WITH (fillfactor = 50)`,
    "CREATE INDEX streams_by_owner ON streams (owner) WHERE gone = 0",
    "CREATE INDEX streams_by_expiry ON streams (expires_at) WHERE gone = 0",
    "CREATE INDEX streams_dead ON streams (key) WHERE id IS NULL",
    `CREATE TABLE records (
      stream bigint NOT NULL,
      position bigint NOT NULL,
      until bigint NOT NULL,
      append_until bigint NOT NULL,
      size bigint NOT NULL,
      data bytea NOT NULL,
      PRIMARY KEY (stream, until)
    )`,
    `CREATE TABLE producers (
      stream bigint NOT NULL,
      id text COLLATE "C" NOT NULL,
      epoch bigint NOT NULL,
      seq bigint NOT NULL,
      PRIMARY KEY (stream, id)
    )`,
  ],
];

export function* prepareSchema(schema: string): Program<void> {
  yield { text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", values: [`opstate streams ${schema}`] };
  const [found] = yield {
    text: `SELECT to_regnamespace($1) IS NOT NULL AS schema, to_regclass($2) IS NOT NULL AS version,
      (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace($1)) > 0 AS used, current_setting('synchronous_commit') AS durable`,
    values: [`"${schema}"`, `"${schema}".schema_version`],
  };
  if (found?.["durable"] === "off") {
    throw new OpstateError(
      "log_unavailable",
      "This Postgres has synchronous_commit = off, so acknowledged writes can be lost. Turn it on for the role or the database of the streams.",
    );
  }
  if (found?.["version"] === false && found["used"] === true) {
    throw new OpstateError(
      "log_unavailable",
      `The Postgres schema "${schema}" belongs to another program. Give postgresStreams a schema of its own.`,
    );
  }
  if (found?.["schema"] === false) yield { text: `CREATE SCHEMA "${schema}"`, values: [] };
  if (found?.["version"] === false)
    yield { text: "CREATE TABLE schema_version (version integer NOT NULL)", values: [] };
  const [row] = yield { text: "SELECT version FROM schema_version", values: [] };
  const version = Number(row?.["version"] ?? 0);
  if (version > STEPS.length) {
    throw new OpstateError(
      "log_unavailable",
      `The Postgres streams in "${schema}" have schema version ${version}; this release of @opstate/streams knows versions up to ${STEPS.length}. Open them with the release that wrote them, or a newer one.`,
    );
  }
  if (version === STEPS.length) return;
  for (const text of STEPS.slice(version).flat()) yield { text, values: [] };
  yield { text: "DELETE FROM schema_version", values: [] };
  yield { text: "INSERT INTO schema_version VALUES ($1)", values: [STEPS.length] };
}
