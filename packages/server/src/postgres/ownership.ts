// The owners of threads, in Postgres.
//
//   append   UPDATE threads SET version = ... WHERE version = expected AND epoch <= mine ┐ one row:
//   claim    INSERT owners ...; UPDATE threads SET epoch = next ────────────────────────┘ they wait
//
// Invariants:
// - A claim raises the epoch in the thread's head line, in the statement that stores the owner.
// - Every statement may be run again: a claim that was stored is found as the owner.

import type { Owner, Ownership } from "../log/ownership.ts";
import { asyncPages, type Row } from "../log/rows.ts";
import type { Statements } from "./statements.ts";
import { escapeId, unescapeId } from "./stored-id.ts";
import type { Work } from "./work.ts";

/** Threads that are handed over by one statement. */
const HAND_OVER_SIZE = 1_000;

export function postgresOwnership(sql: Statements, work: Work): Ownership {
  async function ownerOf(id: string, incarnation: string): Promise<Owner | undefined> {
    const [row] = await work.run(({ query }) => query(sql.findOwner, [id, incarnation]));
    return row && readOwner(row);
  }

  return {
    async renew({ id, address, isDraining }, lease) {
      const rows = await work.run(({ query }) => query(sql.renewNode, [id, address, lease, isDraining]));
      const nodes = rows.map((row) => ({
        id: String(row["node"]),
        address: String(row["address"]),
        isDraining: row["draining"] === true,
        left: Number(row["left"]),
      }));
      return { now: Number(rows[0]?.["now"]), nodes };
    },

    async leave(node) {
      await work.run(({ query }) => query(sql.dropNode, [node]));
    },

    ownerOf: ({ threadId, incarnation }) => ownerOf(escapeId(threadId), incarnation),

    async assign({ threadId, incarnation }, to, from) {
      const values = [escapeId(threadId), incarnation, to, from ?? null];
      const [row] = await work.run(({ query }) => query(sql.assignOwner, values));
      return row ? readOwner(row) : ownerOf(escapeId(threadId), incarnation);
    },

    async handOver(node, preferred) {
      let count = 0;
      const read = (last: Row | undefined) =>
        work.run(({ query }) => query(sql.ownedBy, [node, last?.["thread"] ?? 0, HAND_OVER_SIZE]));
      for await (const rows of asyncPages(read)) {
        const moves = rows.flatMap((row) => {
          const target = preferred(unescapeId(row["root"]));
          return target === undefined || target === node ? [] : [{ thread: row["thread"], target }];
        });
        if (moves.length === 0) continue;
        const values = [moves.map(({ thread }) => thread), moves.map(({ target }) => target), node];
        const moved = await work.run(({ query }) => query(sql.moveOwned, values));
        count += moved.length;
      }
      return count;
    },
  };
}

function readOwner(row: Row): Owner {
  return { node: String(row["node"]), address: String(row["address"]), epoch: Number(row["epoch"]) };
}
