// How values become columns: documents are JSON text as it was when the call was made, and what a commit is found by stands beside them.

import { type Commit, type Entry, OpstateError } from "@opstate/core";

export function stringify(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new OpstateError("corrupt_log", `Only JSON can be stored, not ${typeof value}.`);
  return text;
}

export function parse<T>(document: unknown): T {
  // What is stored is what `stringify` got from the port's own types.
  return JSON.parse(String(document)) as T;
}

/** What is stored of an entry beside its receipt: the refusal or the commit. */
export function documentOf({ receipt, commit }: Entry): string {
  if (!receipt.outcome.accepted) return stringify(receipt.outcome.refusal);
  return commit ? stringify(commit) : "";
}

/** The run, the actor's kind and id, and the operation's type. */
export function commitColumns({ runId, actor, operation }: Commit): readonly [string | null, string, string, string] {
  return [runId ?? null, actor.kind, actor.id, operation.type];
}
