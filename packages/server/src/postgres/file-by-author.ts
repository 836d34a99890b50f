// A step of the schema. Approved and merged commits were filed under the actor who approved or
// merged them; this step files them under their author.

import type { Commit } from "@opstate/core";
import { APPROVE, type ApproveOperation, isApprove, MERGE, PROPOSE } from "@opstate/core/log";
import { parse } from "../log/document.ts";
import { asyncPages, type Row } from "../log/rows.ts";
import type { Query } from "./database.ts";
import { storedCommit } from "./stored-commit.ts";

const PAGE = `
  SELECT thread, version, document FROM commits
  WHERE (thread, version) > ($1, $2) AND type IN ('${APPROVE}', '${MERGE}') ORDER BY thread, version LIMIT 1000`;

/** An approval by the previous release does not name the run of its proposal. The proposal does. */
const FILL = `
  UPDATE commits SET run_id = COALESCE(proposal.run_id, found.run_id), author_kind = found.author_kind, author_id = found.author_id
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
    AS found (thread, version, run_id, author_kind, author_id, proposed_at)
  LEFT JOIN commits proposal ON proposal.thread = found.thread AND proposal.version = found.proposed_at AND proposal.type = '${PROPOSE}'
  WHERE commits.thread = found.thread AND commits.version = found.version`;

export async function fileByAuthor(query: Query): Promise<void> {
  const read = (last: Row | undefined) => query({ text: PAGE }, [last?.["thread"] ?? 0, last?.["version"] ?? 0]);
  for await (const rows of asyncPages(read)) {
    const commits = rows.map((row) => parse<Commit>(row["document"]));
    const found = commits.map(storedCommit);
    await query({ text: FILL }, [
      rows.map((row) => row["thread"]),
      rows.map((row) => row["version"]),
      found.map(({ runId }) => runId),
      found.map(({ authorKind }) => authorKind),
      found.map(({ authorId }) => authorId),
      commits.map(proposedAt),
    ]);
  }
}

function proposedAt({ operation }: Commit): number | null {
  if (!isApprove(operation)) return null;
  // The previous release stored no version.
  const { proposedAt: at }: Partial<ApproveOperation> = operation;
  return at ?? null;
}
