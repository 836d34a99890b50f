// A step of the schema: what was approved or merged stood under whoever did that, and is put under
// its author.

import { type ApproveOperation, type Commit, isApprove } from "@opstate/core";
import { parse } from "../log/document.ts";
import type { Query } from "./database.ts";
import { storedCommit } from "./stored-commit.ts";

const PAGE = `
  SELECT thread, version, document FROM commits
  WHERE (thread, version) > ($1, $2) AND type IN ('$approve', '$merge') ORDER BY thread, version LIMIT 1000`;

/**
 * An approval of the release before does not say in which run it was proposed, but its proposal
 * does.
 */
const FILL = `
  UPDATE commits SET run_id = COALESCE(proposal.run_id, found.run_id), author_kind = found.author_kind, author_id = found.author_id
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])
    AS found (thread, version, run_id, author_kind, author_id, proposed_at)
  LEFT JOIN commits proposal ON proposal.thread = found.thread AND proposal.version = found.proposed_at AND proposal.type = '$propose'
  WHERE commits.thread = found.thread AND commits.version = found.version`;

export async function fileByAuthor(query: Query): Promise<void> {
  for (let after: readonly unknown[] | undefined = [0, 0]; after;) {
    const rows = await query({ text: PAGE }, after);
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
    const last = rows.at(-1);
    after = last && [last["thread"], last["version"]];
  }
}

function proposedAt({ operation }: Commit): number | null {
  if (!isApprove(operation)) return null;
  // The previous release stored no version.
  const { proposedAt: at }: Partial<ApproveOperation> = operation;
  return at ?? null;
}
