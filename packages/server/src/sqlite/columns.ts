// What stands in an entry's columns: its document, and beside it what a commit is found by.

import { authorOf, type Commit, type Entry } from "@opstate/core";
import { stringify } from "../log/document.ts";

/** What is stored of an entry beside its receipt: the refusal or the commit. */
export function documentOf({ receipt, commit }: Entry): string {
  if (!receipt.outcome.accepted) return stringify(receipt.outcome.refusal);
  return commit ? stringify(commit) : "";
}

/** The author's run, kind and id, and the operation's type. */
export function commitColumns(commit: Commit): readonly [string | null, string, string, string] {
  const { runId, actor } = authorOf(commit);
  return [runId ?? null, actor.kind, actor.id, commit.operation.type];
}
