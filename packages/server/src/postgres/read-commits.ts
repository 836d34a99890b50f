// The statement that reads commits by an index: by the run if one is given, else by each type, else
// by the actor, else by version alone.

import type { Commit } from "@opstate/core";
import { type CommitFilter, type CommitRange, commitSpan, cutPage, type Page, pageLimits } from "@opstate/core/log";
import { parse } from "../log/document.ts";
import type { Query, Statement } from "./database.ts";
import type { Statements } from "./statements.ts";
import { escapeId } from "./stored-id.ts";

/** Which commits, in which order. `limit` and `bytes` may be Infinity. */
export interface CommitSearch extends CommitFilter {
  readonly after: number;
  readonly before: number;
  readonly order: "ascending" | "descending";
  readonly limit: number;
  /** The commit that goes beyond it is the last one. */
  readonly bytes: number;
}

export function readStatement(
  sql: Statements,
  threadId: string,
  { after, before, limit, bytes, order, runId, actor, types }: CommitSearch,
  incarnation: string | undefined,
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const most = bytes === Infinity ? Number.MAX_SAFE_INTEGER : bytes;
  const rows = limit === Infinity ? null : limit;
  const values: unknown[] = [escapeId(threadId), after, before, rows, incarnation ?? null, most];
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

/** One page of commits. */
export async function readCommits(
  query: Query,
  sql: Statements,
  { threadId, incarnation }: { readonly threadId: string; readonly incarnation: string | undefined },
  filter: CommitFilter,
  range: CommitRange,
): Promise<Page<Commit>> {
  const { limit, bytes } = pageLimits(range);
  const search = { ...filter, ...commitSpan(range), limit: limit + 1, bytes };
  const { statement, values } = readStatement(sql, threadId, search, incarnation);
  return cutPage(
    await query(statement, values),
    { limit, bytes },
    {
      bytes: (row) => Number(row["bytes"]),
      item: (row) => parse<Commit>(row["document"]),
      cursor: (row) => String(row["version"]),
    },
  );
}
