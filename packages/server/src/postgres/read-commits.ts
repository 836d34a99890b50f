// The statement that reads commits by an index: by the run if one is given, else by each type, else
// by the actor, else by version alone.

import type { ReadRange } from "@opstate/core/log";
import type { Statement } from "./database.ts";
import type { Statements } from "./statements.ts";
import { escapeId } from "./stored-id.ts";

export function readStatement(
  sql: Statements,
  threadId: string,
  range: ReadRange,
  incarnation: string | undefined,
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const { after = 0, before = Number.MAX_SAFE_INTEGER, limit = null, order = "ascending", runId, actor, types } = range;
  const values: unknown[] = [escapeId(threadId), after, before, limit, incarnation ?? null];
  const where: string[] = [];
  // Part of the statement's name, of which Postgres compares 63 characters only.
  let shape = "";
  const bind = (value: unknown) => `$${values.push(value)}`;
  if (runId !== undefined) {
    shape += "_run";
    where.push(`run_id = ${bind(escapeId(runId))}`);
  }
  if (actor !== undefined) {
    shape += "_by";
    where.push(`author_kind = ${bind(escapeId(actor.kind))}`, `author_id = ${bind(escapeId(actor.id))}`);
  }
  let each: string | undefined;
  if (types !== undefined) {
    shape += "_of";
    const wanted = bind([...new Set(types)].map(escapeId));
    if (runId === undefined) each = wanted;
    where.push(runId === undefined ? "type = wanted.type" : `type = ANY (${wanted}::text[])`);
  }
  return { statement: sql.readCommits(shape, order === "ascending" ? "ASC" : "DESC", where, each), values };
}
