// Creating and deleting a thread. Each is one step, also beside other calls.
//
//   create a branch    lock of its parent (shared) ── insert
//   delete a thread    lock of the thread ── its branches ── theirs ── ...   one transaction
//
// Invariants:
// - A branch is stored before its parent is deleted, and deleted with it, or not stored.
// - Locks are acquired from the root down, so two deletions do not wait for each other in a circle.
// - An incarnation is stored once: the row of a deleted thread stays.

import type { Created, Deleted, NewThread } from "@opstate/core/log";
import { stringify } from "../log/document.ts";
import type { Row } from "../log/rows.ts";
import type { Database } from "./database.ts";
import { infoOf } from "./info.ts";
import type { Statements } from "./statements.ts";
import { escapeId, unescapeId } from "./stored-id.ts";

/** One thread by its id, in one incarnation. */
export interface Target {
  readonly threadId: string;
  readonly incarnation: string | undefined;
}

/** May be run again: it has the same outcome. */
export async function createThread(
  { query }: Database,
  sql: Statements,
  { threadId, incarnation }: { readonly threadId: string; readonly incarnation: string },
  { definition, definitionVersion, at, parent, checkParent = true }: NewThread,
  document: string,
): Promise<Created> {
  const values = [
    escapeId(threadId),
    definition,
    at,
    definitionVersion,
    document,
    parent === undefined ? null : stringify(parent),
    parent === undefined ? null : escapeId(parent.threadId),
    incarnation,
    checkParent && parent !== undefined,
    parent?.incarnation ?? null,
    parent === undefined ? null : escapeId(parent.incarnation),
  ];
  for (;;) {
    const [outcome] = await query(sql.addThread, values);
    const rows = await query(sql.findTaken, [escapeId(threadId), incarnation]);
    const own = rows.find((row) => row["incarnation"] === incarnation);
    if (own?.["deleted"] === true) return { status: "deleted" };
    if (own && own["thread_id"] !== escapeId(threadId))
      throw new Error(`Thread "${unescapeId(own["thread_id"])}" has that incarnation.`);
    if (own) return { status: "created", info: infoOf(own) };
    const [other] = rows;
    if (other) return { status: "taken", info: infoOf(other) };
    if (outcome?.["attached"] === false) return { status: "no_parent" };
    // What had the id is deleted since.
  }
}

/** May be run again. */
export async function deleteTree(
  { query, transaction }: Database,
  sql: Statements,
  { threadId, incarnation }: Target,
  isTree: boolean,
): Promise<Deleted> {
  const root = [escapeId(threadId), incarnation ?? null];
  const rows = isTree
    ? await transaction(async (inTransaction) => {
        const found: Row[] = [];
        for (let level = await inTransaction(sql.markDeleted, root); level.length > 0;) {
          found.push(...level);
          level = await inTransaction(sql.markBranchesDeleted, [
            level.map((row) => row["thread_id"]),
            level.map((row) => escapeId(String(row["incarnation"]))),
          ]);
        }
        return found;
      })
    : await query(sql.markDeleted, root);
  if (rows.length > 0) return { status: "deleted", count: rows.length };
  const tombstones = incarnation === undefined ? [] : await query(sql.findTombstone, [incarnation]);
  return tombstones.length > 0 ? { status: "deleted", count: 0 } : { status: "unknown" };
}
