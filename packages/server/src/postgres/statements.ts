// Every statement of a Postgres log. Values are bound; the only thing put into the text is the schema's name, which was checked.

import type { Statement } from "./database.ts";

export type Statements = ReturnType<typeof statementsFor>;

export function statementsFor(schema: string) {
  const table = (name: string) => `"${schema}".${name}`;
  const [threads, commits, snapshots, receipts] = [table("threads"), table("commits"), table("snapshots"), table("receipts")];
  const head = "SELECT key, thread_id, definition, version, created_at, incarnation";
  // A name stands for one text per connection, and two logs may share a pool.
  const prepared = (name: string, text: string): Statement => ({ name: `${schema}:${name}`, text });

  return {
    findThread: prepared("find_thread", `${head} FROM ${threads} WHERE thread_id = $1`),
    listThreads: { text: `${head} FROM ${threads} ORDER BY key` },
    findHeads: { text: `SELECT key, thread_id, version FROM ${threads} WHERE thread_id = ANY ($1::text[])` },
    addThread: {
      text: `
      WITH added AS (
        INSERT INTO ${threads} (thread_id, definition, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING key
      )
      INSERT INTO ${snapshots} (thread, version, definition_version, state) SELECT key, 0, $4, $5 FROM added RETURNING thread`,
    },
    deleteThread: { text: `DELETE FROM ${threads} WHERE thread_id = $1 RETURNING key` },

    /** Check, commits and receipts in one statement, so in one transaction and one round trip. No row: the head is another, nothing was written. */
    append: prepared(
      "append",
      `
      WITH head AS (
        UPDATE ${threads} SET version = $3, refusals = refusals + $4 WHERE thread_id = $1 AND version = $2 RETURNING key, refusals - $4 AS refused
      ), stored AS (
        INSERT INTO ${commits} (thread, version, document)
        SELECT head.key, entry.version, entry.document FROM head, unnest($5::bigint[], $6::text[]) AS entry (version, document)
      ), noted AS (
        INSERT INTO ${receipts} (thread, actor_kind, actor_id, id, hash, version, refusal, sequence)
        SELECT head.key, entry.actor_kind, entry.actor_id, entry.id, entry.hash, entry.version, entry.refusal, head.refused + entry.place
        FROM head, unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::bigint[])
          AS entry (actor_kind, actor_id, id, hash, version, refusal, place)
      )
      SELECT key FROM head`,
    ),
    /** Keeps the newest $4 refusals of each of the actors. */
    pruneRefusals: {
      text: `
      DELETE FROM ${receipts} old USING (
        SELECT actor.kind, actor.id, (
          SELECT sequence FROM ${receipts} kept
          WHERE kept.thread = $1 AND kept.actor_kind = actor.kind AND kept.actor_id = actor.id AND kept.refusal IS NOT NULL
          ORDER BY sequence DESC OFFSET $4 LIMIT 1
        ) AS last FROM unnest($2::text[], $3::text[]) AS actor (kind, id)
      ) past
      WHERE old.thread = $1 AND old.actor_kind = past.kind AND old.actor_id = past.id AND old.refusal IS NOT NULL AND old.sequence <= past.last`,
    },
    /** The head, and which of the ids are known: one statement, so one moment. */
    findKnown: prepared(
      "find_known",
      `
      SELECT head.version AS head, known.actor_kind, known.actor_id, known.id, known.hash, known.version, known.refusal
      FROM ${threads} head LEFT JOIN LATERAL (
        SELECT receipt.* FROM unnest($2::text[], $3::text[], $4::text[]) AS asked (actor_kind, actor_id, id)
        JOIN ${receipts} receipt ON receipt.thread = head.key AND receipt.actor_kind = asked.actor_kind
          AND receipt.actor_id = asked.actor_id AND receipt.id = asked.id
      ) known ON true
      WHERE head.thread_id = $1`,
    ),

    readCommits: prepared(
      "read_commits",
      `
      SELECT commit.document FROM ${commits} commit JOIN ${threads} head ON head.key = commit.thread
      WHERE head.thread_id = $1 AND commit.version > $2 ORDER BY commit.version LIMIT $3`,
    ),
    readRefusals: {
      text: `
      SELECT receipt.refusal FROM ${receipts} receipt JOIN ${threads} head ON head.key = receipt.thread
      WHERE head.thread_id = $1 AND receipt.refusal IS NOT NULL ORDER BY receipt.sequence DESC LIMIT $2`,
    },

    addSnapshot: {
      text: `
      INSERT INTO ${snapshots} (thread, version, definition_version, state) SELECT key, $2, $3, $4 FROM ${threads} WHERE thread_id = $1
      ON CONFLICT (thread, version) DO UPDATE SET definition_version = excluded.definition_version, state = excluded.state RETURNING thread`,
    },
    findSnapshot: {
      text: `
      SELECT snapshot.version, snapshot.definition_version, snapshot.state FROM ${snapshots} snapshot JOIN ${threads} head ON head.key = snapshot.thread
      WHERE head.thread_id = $1 AND snapshot.version <= $2 ORDER BY snapshot.version DESC LIMIT 1`,
    },
  };
}
