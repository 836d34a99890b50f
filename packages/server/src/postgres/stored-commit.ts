// A commit in its stored form: its document, and the columns by which it is found.

import type { Commit } from "@opstate/core";
import { authorOf } from "@opstate/core/log";
import { stringify } from "../log/document.ts";
import { escapeId } from "./stored-id.ts";

export interface StoredCommit {
  readonly version: number;
  readonly document: string;
  readonly runId: string | null;
  readonly authorKind: string;
  readonly authorId: string;
  readonly type: string;
}

export function storedCommit(commit: Commit): StoredCommit {
  const { version, operation } = commit;
  const { runId, actor } = authorOf(commit);
  return {
    version,
    document: stringify(commit),
    runId: runId === undefined ? null : escapeId(runId),
    authorKind: escapeId(actor.kind),
    authorId: escapeId(actor.id),
    type: escapeId(operation.type),
  };
}

/** The searched columns as arrays for `unnest`: runs, kinds, ids, types. */
export function columnsOf(commits: readonly StoredCommit[]): readonly (readonly (string | null)[])[] {
  return [
    commits.map(({ runId }) => runId),
    commits.map(({ authorKind }) => authorKind),
    commits.map(({ authorId }) => authorId),
    commits.map(({ type }) => type),
  ];
}
