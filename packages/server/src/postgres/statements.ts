// Every statement of a Postgres log. Values are bound. Only the schema's name, which was checked,
// is part of the text.
//
// (Long because every statement stands here, so that all of them can be read together.)

import type { Statement } from "./database.ts";

export type Statements = ReturnType<typeof statementsFor>;

export function statementsFor(schema: string) {
  const table = (name: string) => `"${schema}".${name}`;
  const [threads, commits, snapshots, receipts] = [
    table("threads"),
    table("commits"),
    table("snapshots"),
    table("receipts"),
  ];
  const [nodes, owners, owner] = [table("nodes"), table("owners"), table("owner")];
  const head = "SELECT key, thread_id, definition, version, floor, created_at, incarnation, parent, receipt_floor";
  // A value and not a join, so that the planner sees one thread, whose index has the wanted order.
  const key = (fence: string) => `(SELECT key FROM ${threads} WHERE thread_id = $1 AND ${fence})`;
  const floor = `(SELECT floor FROM ${threads} WHERE thread_id = $1)`;
  /** The condition on the incarnation. Null allows any. */
  const fenced = (place: string) => `(${place}::text IS NULL OR incarnation = ${place})`;
  // The name must be unique per connection, and two logs may share a pool.
  const prepared = (name: string, text: string): Statement => ({ name: `${schema}:${name}`, text });

  return {
    findThread: prepared("find_thread", `${head} FROM ${threads} WHERE thread_id = $1 AND ${fenced("$2")}`),
    pageThreads: { text: `${head} FROM ${threads} WHERE NOT deleted AND key > $1 ORDER BY key LIMIT $2` },
    pageBranches: {
      text: `${head} FROM ${threads} WHERE NOT deleted AND parent_id = $3 AND key > $1 ORDER BY key LIMIT $2`,
    },
    pageRoots: {
      text: `${head} FROM ${threads} WHERE NOT deleted AND parent_id IS NULL AND key > $1 ORDER BY key LIMIT $2`,
    },
    findHeads: {
      text: `SELECT key, thread_id, version, incarnation FROM ${threads} WHERE thread_id = ANY ($1::text[])`,
    },
    /**
     * Stores version 0, unless the id or the incarnation is used. With $9 the parent must be there:
     * the lock keeps it until the end, and lets appends to it through. Says whether it was found.
     */
    addThread: {
      text: `
      WITH origin AS (
        SELECT key FROM ${threads} WHERE thread_id = $7 AND incarnation = $10 FOR KEY SHARE
      ), added AS (
        INSERT INTO ${threads} (thread_id, definition, created_at, parent, parent_id, parent_incarnation, incarnation)
        SELECT $1, $2, $3, $6, $7, $11, $8 WHERE NOT $9 OR EXISTS (SELECT FROM origin)
        ON CONFLICT DO NOTHING RETURNING key
      ), stored AS (
        INSERT INTO ${snapshots} (thread, version, definition_version, state) SELECT key, 0, $4, $5 FROM added
      )
      SELECT EXISTS (SELECT FROM added) AS added, NOT $9 OR EXISTS (SELECT FROM origin) AS attached`,
    },
    /** What has the id, or had the incarnation. */
    findTaken: { text: `${head}, deleted FROM ${threads} WHERE thread_id = $1 OR incarnation = $2` },
    /** Frees the name at once. The new name has a bare quote, which no stored id has. */
    markDeleted: {
      text: `
      WITH old AS (
        SELECT key, thread_id, incarnation FROM ${threads} WHERE thread_id = $1 AND ${fenced("$2")} FOR UPDATE
      )
      UPDATE ${threads} SET deleted = true, thread_id = '"' || ${threads}.key FROM old WHERE ${threads}.key = old.key
      RETURNING old.thread_id, old.incarnation`,
    },
    /** The branches of the threads with these ids and incarnations. */
    markBranchesDeleted: {
      text: `
      WITH old AS (
        SELECT branch.key, branch.thread_id, branch.incarnation
        FROM unnest($1::text[], $2::text[]) AS parent (id, incarnation)
        JOIN ${threads} branch ON branch.parent_id = parent.id AND branch.parent_incarnation = parent.incarnation
        WHERE NOT branch.deleted ORDER BY branch.key FOR UPDATE OF branch
      )
      UPDATE ${threads} SET deleted = true, thread_id = '"' || ${threads}.key FROM old WHERE ${threads}.key = old.key
      RETURNING old.thread_id, old.incarnation`,
    },
    findTombstone: { text: `SELECT 1 FROM ${threads} WHERE incarnation = $1 AND deleted` },
    findDeleted: { text: `SELECT key FROM ${threads} WHERE deleted AND NOT swept` },
    /** Its incarnation stays, so that it does not come back. */
    emptyThread: {
      text: `WITH unowned AS (DELETE FROM ${owners} WHERE thread = $1)
       UPDATE ${threads} SET swept = true, definition = '', created_at = '', parent = NULL, parent_id = NULL, parent_incarnation = NULL
       WHERE key = $1 AND deleted`,
    },
    /** Deletes the first $5 after an actor and id. Returns the last of them. */
    dropReceipts: {
      text: `
      WITH slice AS (
        SELECT actor_kind, actor_id, id FROM ${receipts} WHERE thread = $1 AND (actor_kind, actor_id, id) > ($2, $3, $4)
        ORDER BY actor_kind, actor_id, id LIMIT $5
      ), dropped AS (
        DELETE FROM ${receipts} old USING slice
        WHERE old.thread = $1 AND old.actor_kind = slice.actor_kind AND old.actor_id = slice.actor_id AND old.id = slice.id
      )
      SELECT actor_kind, actor_id, id FROM slice ORDER BY actor_kind DESC, actor_id DESC, id DESC LIMIT 1`,
    },

    /**
     * Check, commits and receipts in one statement, so in one transaction and one round trip. No
     * row: the head, its incarnation, receipt floor or epoch does not allow it, and nothing was
     * written.
     */
    append: prepared(
      "append",
      `
      WITH head AS (
        UPDATE ${threads} SET version = $3, refusals = refusals + $4 WHERE thread_id = $1 AND version = $2 AND ${fenced("$18")} AND receipt_floor <= $19 AND epoch <= $20
        RETURNING key, incarnation, refusals - $4 AS refused
      ), stored AS (
        INSERT INTO ${commits} (thread, version, document, run_id, author_kind, author_id, type)
        SELECT head.key, entry.* FROM head, unnest($5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
          AS entry (version, document, run_id, author_kind, author_id, type)
      ), noted AS (
        INSERT INTO ${receipts} (thread, actor_kind, actor_id, id, hash, version, refusal, sequence)
        SELECT head.key, entry.actor_kind, entry.actor_id, entry.id, entry.hash, entry.version, entry.refusal, head.refused + entry.place
        FROM head, unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::bigint[], $16::text[], $17::bigint[])
          AS entry (actor_kind, actor_id, id, hash, version, refusal, place)
      )
      SELECT key, incarnation FROM head`,
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
    /** The head and the known receipts, in one statement, so that both are of one moment. */
    findKnown: prepared(
      "find_known",
      `
      SELECT head.version AS head, head.receipt_floor, head.epoch, known.actor_kind, known.actor_id, known.id, known.hash, known.version, known.refusal
      FROM ${threads} head LEFT JOIN LATERAL (
        SELECT receipt.* FROM unnest($2::text[], $3::text[], $4::text[]) AS requested (actor_kind, actor_id, id)
        JOIN ${receipts} receipt ON receipt.thread = head.key AND receipt.actor_kind = requested.actor_kind
          AND receipt.actor_id = requested.actor_id AND receipt.id = requested.id
      ) known ON true
      WHERE head.thread_id = $1 AND ${fenced("$5")}`,
    ),

    /**
     * Commits above the floor, between two versions, up to the first that goes beyond $6 bytes, and
     * two in any case: the second says that there is a next page.
     * `types` is the placeholder of a list of types, each with a search of its own. `shape` names
     * the other conditions.
     */
    readCommits(shape: string, order: "ASC" | "DESC", where: readonly string[], types?: string): Statement {
      const conditions = [
        `thread = ${key(fenced("$5"))}`,
        `version > GREATEST($2, ${floor})`,
        "version < $3",
        ...where,
      ].join(" AND ");
      const one = `SELECT version, document FROM ${commits} WHERE ${conditions} ORDER BY version ${order} LIMIT $4`;
      const each = `SELECT found.version, found.document FROM unnest(${types}::text[]) AS wanted (type) CROSS JOIN LATERAL (${one}) found ORDER BY found.version ${order} LIMIT $4`;
      // The length of a document is known without reading it.
      const measured = `SELECT version, document, octet_length(document) AS bytes, sum(octet_length(document)::bigint) OVER rows AS total, row_number() OVER rows AS place FROM (${types === undefined ? one : each}) page WINDOW rows AS (ORDER BY version ${order} ROWS UNBOUNDED PRECEDING)`;
      const text = `SELECT version, document, bytes FROM (${measured}) measured WHERE total - bytes <= $6 OR place <= 2`;
      return prepared(`read_${order}${shape}`, text);
    },
    readRefusals: {
      text: `
      SELECT receipt.refusal, receipt.sequence FROM ${receipts} receipt JOIN ${threads} head ON head.key = receipt.thread
      WHERE head.thread_id = $1 AND ${fenced("$3")} AND receipt.refusal IS NOT NULL AND receipt.sequence < $4
      ORDER BY receipt.sequence DESC LIMIT $2`,
    },
    readReceipts: {
      text: `
      SELECT actor_kind, actor_id, id, hash, version, refusal FROM ${receipts}
      WHERE thread = ${key(fenced("$2"))} AND (actor_kind, actor_id, id) > ($3, $4, $5)
      ORDER BY actor_kind, actor_id, id LIMIT $6`,
    },
    /** No row: the thread is unknown, the version above the head, or the floor is not below it. */
    moveReceiptFloor: {
      text: `
      UPDATE ${threads} SET receipt_floor = $2
      WHERE thread_id = $1 AND receipt_floor < $2 AND version >= $2 AND ${fenced("$3")} RETURNING key`,
    },
    /** Of the first $5 after an actor and id, deletes those up to a version. Returns the last. */
    dropOldReceipts: {
      text: `
      WITH slice AS (
        SELECT actor_kind, actor_id, id, version FROM ${receipts}
        WHERE thread = $1 AND (actor_kind, actor_id, id) > ($2, $3, $4) ORDER BY actor_kind, actor_id, id LIMIT $5
      ), dropped AS (
        DELETE FROM ${receipts} old USING slice
        WHERE old.thread = $1 AND old.actor_kind = slice.actor_kind AND old.actor_id = slice.actor_id AND old.id = slice.id
          AND slice.version <= $6
      )
      SELECT actor_kind, actor_id, id FROM slice ORDER BY actor_kind DESC, actor_id DESC, id DESC LIMIT 1`,
    },

    /** Stores the snapshot unless it is below the floor. Returns the thread's key and floor. */
    addSnapshot: {
      text: `
      WITH head AS (
        SELECT key, floor FROM ${threads} WHERE thread_id = $1 AND ${fenced("$5")}
      ), stored AS (
        INSERT INTO ${snapshots} (thread, version, definition_version, state) SELECT key, $2, $3, $4 FROM head WHERE floor <= $2
        ON CONFLICT (thread, version) DO UPDATE SET definition_version = excluded.definition_version, state = excluded.state
      )
      SELECT key, floor FROM head`,
    },
    snapshotVersions: { text: `SELECT version FROM ${snapshots} WHERE thread = $1 AND version >= $2 ORDER BY version` },
    /** Keeps the floor's snapshot. The lock on the thread's row keeps the floor from moving. */
    dropSpare: {
      text: `
      WITH head AS (SELECT key, floor FROM ${threads} WHERE key = $1 FOR SHARE)
      DELETE FROM ${snapshots} old USING head WHERE old.thread = head.key AND old.version > head.floor AND old.version = ANY ($2::bigint[])`,
    },
    /** Ignores snapshots below the floor, which may not be swept yet. */
    findSnapshot: {
      text: `
      SELECT version, definition_version, state FROM ${snapshots}
      WHERE thread = ${key(fenced("$3"))} AND version <= $2 AND version >= ${floor} ORDER BY version DESC LIMIT 1`,
    },

    /**
     * Moves the floor and stores its snapshot in one statement. Returns no row when the thread is
     * unknown, the version is above the head, or the floor is not below the version.
     */
    moveFloor: {
      text: `
      WITH head AS (
        UPDATE ${threads} SET floor = $2 WHERE thread_id = $1 AND floor < $2 AND version >= $2 AND ${fenced("$5")} RETURNING key
      ), stored AS (
        INSERT INTO ${snapshots} (thread, version, definition_version, state) SELECT key, $2, $3, $4 FROM head
        ON CONFLICT (thread, version) DO UPDATE SET definition_version = excluded.definition_version, state = excluded.state
      )
      SELECT key FROM head`,
    },
    /** These replace documents, and add nothing. */
    rewriteCommits: {
      text: `
      UPDATE ${commits} old SET document = entry.document FROM unnest($2::bigint[], $3::text[]) AS entry (version, document)
      WHERE old.thread = $1 AND old.version = entry.version`,
    },
    rewriteSnapshots: {
      text: `
      UPDATE ${snapshots} old SET definition_version = entry.definition_version, state = entry.state
      FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS entry (version, definition_version, state)
      WHERE old.thread = $1 AND old.version = entry.version`,
    },
    rewriteReceipts: {
      text: `
      UPDATE ${receipts} old SET hash = entry.hash, refusal = CASE WHEN old.refusal IS NULL THEN NULL ELSE coalesce(entry.refusal, old.refusal) END
      FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS entry (actor_kind, actor_id, id, hash, refusal)
      WHERE old.thread = $1 AND old.actor_kind = entry.actor_kind AND old.actor_id = entry.actor_id AND old.id = entry.id`,
    },
    findEnds: {
      text: `SELECT min(version) AS oldest, max(version) AS newest FROM ${commits} WHERE thread = $1 AND version <= $2`,
    },
    dropCommits: { text: `DELETE FROM ${commits} WHERE thread = $1 AND version <= $2` },
    dropSnapshots: { text: `DELETE FROM ${snapshots} WHERE thread = $1 AND version < $2` },

    /**
     * Begins or renews the lease of a node ($3 milliseconds), and so of all threads that it owns.
     * Returns the nodes whose lease runs, the database's time, and what is left of each lease.
     */
    renewNode: {
      text: `
      WITH renewed AS (
        INSERT INTO ${nodes} (node, address, draining, expires)
        VALUES ($1, $2, $4, clock_timestamp() + $3::double precision * interval '1 millisecond')
        ON CONFLICT (node) DO UPDATE SET address = excluded.address, draining = excluded.draining, expires = excluded.expires
        RETURNING node, address, draining, expires
      ), forgotten AS (
        DELETE FROM ${nodes} WHERE node <> $1 AND expires < clock_timestamp() - interval '10 minutes'
      ), running AS (
        SELECT * FROM renewed UNION ALL SELECT * FROM ${nodes} WHERE node <> $1 AND expires > clock_timestamp()
      )
      SELECT node, address, draining, extract(epoch FROM clock_timestamp()) * 1000 AS now,
        extract(epoch FROM expires - clock_timestamp()) * 1000 AS left FROM running`,
    },
    /** Frees all threads of the node. Their epochs stay, in their head lines. */
    dropNode: { text: `DELETE FROM ${nodes} WHERE node = $1` },
    /** No row: it has no owner, or the owner's lease is over. */
    findOwner: prepared(
      "find_owner",
      `
      SELECT owner.node, owner.address, owner.epoch FROM ${threads} head JOIN ${owner} owner ON owner.thread = head.key
      WHERE head.thread_id = $1 AND ${fenced("$2")}`,
    ),
    /**
     * Gives the thread to node $3, whose lease runs, when no other node's lease on it does, or when
     * it is node $4's. No row: it has an owner, there is no such thread, or node $3 is gone.
     */
    assignOwner: {
      text: `
      WITH head AS (
        SELECT key, epoch FROM ${threads} WHERE thread_id = $1 AND ${fenced("$2")}
          AND EXISTS (SELECT FROM ${nodes} WHERE node = $3 AND expires > clock_timestamp())
      ), assigned AS (
        INSERT INTO ${owners} AS held (thread, node, epoch) SELECT key, $3, epoch + 1 FROM head
        ON CONFLICT (thread) DO UPDATE SET node = excluded.node, epoch = held.epoch + 1
        WHERE held.node = $4 OR NOT EXISTS (SELECT FROM ${nodes} lease WHERE lease.node = held.node AND lease.expires > clock_timestamp())
        RETURNING thread, node, epoch
      ), raised AS (
        UPDATE ${threads} head SET epoch = assigned.epoch FROM assigned WHERE head.key = assigned.thread RETURNING head.key
      )
      SELECT assigned.node, lease.address, assigned.epoch FROM assigned
      JOIN raised ON raised.key = assigned.thread JOIN ${nodes} lease ON lease.node = assigned.node`,
    },
    /** What a node owns, with the id that says which node it prefers: a branch has its parent's. */
    ownedBy: {
      text: `
      SELECT owned.thread, coalesce(head.parent_id, head.thread_id) AS root FROM ${owners} owned
      JOIN ${threads} head ON head.key = owned.thread
      WHERE owned.node = $1 AND owned.thread > $2 ORDER BY owned.thread LIMIT $3`,
    },
    /** Hands threads of node $3 over to others. */
    moveOwned: {
      text: `
      WITH moved AS (
        UPDATE ${owners} owned SET node = target.node, epoch = owned.epoch + 1
        FROM unnest($1::bigint[], $2::text[]) AS target (thread, node)
        WHERE owned.thread = target.thread AND owned.node = $3 RETURNING owned.thread, owned.epoch
      )
      UPDATE ${threads} head SET epoch = moved.epoch FROM moved WHERE head.key = moved.thread RETURNING head.key`,
    },
  };
}
