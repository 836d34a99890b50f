// A step of the schema. Approved and merged commits were filed under the actor who approved or
// merged them; this step files them under their author.

import type { Actor, Commit } from "@opstate/core";
import { APPROVE, type ApproveOperation, isApprove, MERGE, PROPOSE } from "@opstate/core/log";
import { pages } from "../log/rows.ts";
import { parse } from "../log/document.ts";
import { commitColumns } from "./columns.ts";
import type { SqlDatabase } from "./database/sql-database.ts";
import { actorTerm, LAST_FILED, runTerm } from "./database/terms.ts";

export function fileByAuthor(database: SqlDatabase): void {
  const page = database.prepare(
    `SELECT sequence, thread, version, document, run_id, author_kind, author_id FROM commits
     WHERE sequence > ? AND type IN ('${APPROVE}', '${MERGE}') ORDER BY sequence LIMIT 1000`,
  );
  const proposal = database.prepare(
    `SELECT run_id FROM commits WHERE thread = ? AND version = ? AND type = '${PROPOSE}'`,
  );
  const fill = database.prepare("UPDATE commits SET run_id = ?, author_kind = ?, author_id = ? WHERE sequence = ?");
  const remove = database.prepare("DELETE FROM commit_terms WHERE thread = ? AND version = ? AND term = ?");
  const file = database.prepare(
    `INSERT INTO commit_terms (thread, version, term) SELECT ?, ?, ? WHERE ? <= ${LAST_FILED}`,
  );

  /**
   * An approval by the previous release does not name the run of its proposal. The proposal does.
   */
  function proposedIn(thread: number, { operation }: Commit): string | undefined {
    if (!isApprove(operation)) return undefined;
    const { proposedAt }: Partial<ApproveOperation> = operation;
    const found = proposedAt === undefined ? undefined : proposal.get(thread, proposedAt)?.["run_id"];
    return typeof found === "string" ? found : undefined;
  }

  for (const rows of pages((last) => page.all(Number(last?.["sequence"] ?? 0)))) {
    for (const row of rows) {
      const [thread, version] = [Number(row["thread"]), Number(row["version"])];
      const commit = parse<Commit>(row["document"]);
      const [ownRun, kind, id] = commitColumns(commit);
      const runId = proposedIn(thread, commit) ?? ownRun;
      for (const term of termsOf(row["run_id"], { kind: String(row["author_kind"]), id: String(row["author_id"]) }))
        remove.run(thread, version, term);
      fill.run(runId, kind, id, Number(row["sequence"]));
      for (const term of termsOf(runId, { kind, id })) file.run(thread, version, term, version, thread);
    }
  }
}

function termsOf(runId: unknown, actor: Actor): readonly string[] {
  return [...(typeof runId === "string" ? [runTerm(runId)] : []), actorTerm(actor)];
}
