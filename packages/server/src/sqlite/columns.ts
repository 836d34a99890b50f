// The columns of an entry: its document, and the values by which a commit is found.

import type { Commit } from "@opstate/core";
import { authorOf, type Entry } from "@opstate/core/log";
import { stringify } from "../log/document.ts";

/** The text of the refusal or of the commit; the receipt has columns of its own. */
export function documentOf({ receipt, commit }: Entry): string {
  if (!receipt.outcome.accepted) return stringify(receipt.outcome.refusal);
  return commit ? stringify(commit) : "";
}

/** The author's run, kind and id, and the operation's type. */
export function commitColumns(commit: Commit): readonly [string | null, string, string, string] {
  const { runId, actor } = authorOf(commit);
  return [runId ?? null, actor.kind, actor.id, commit.operation.type];
}
