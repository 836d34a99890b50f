// A commit as it will be stored: its document, and the columns that it is found by.

import type { Commit } from "@opstate/core";
import { stringify } from "../document.ts";
import { escapeId } from "./stored-id.ts";

export interface StoredCommit {
  readonly version: number;
  readonly document: string;
  readonly runId: string | null;
  readonly actorKind: string;
  readonly actorId: string;
  readonly type: string;
}

export function storedCommit(commit: Commit): StoredCommit {
  const { version, runId, actor, operation } = commit;
  return {
    version,
    document: stringify(commit),
    runId: runId === undefined ? null : escapeId(runId),
    actorKind: escapeId(actor.kind),
    actorId: escapeId(actor.id),
    type: escapeId(operation.type),
  };
}

/** What commits are found by, as arrays to `unnest`: runs, kinds, ids, types. */
export function columnsOf(commits: readonly StoredCommit[]): readonly (readonly (string | null)[])[] {
  return [
    commits.map(({ runId }) => runId),
    commits.map(({ actorKind }) => actorKind),
    commits.map(({ actorId }) => actorId),
    commits.map(({ type }) => type),
  ];
}
