// One line of the timeline: a commit or a refusal in words. A commit has its sentence from when it
// was made, about the board before it; a refusal's is about the board as it is.

import type { UndoOutcome } from "@opstate/client";
import { type AnyOperation, defined, type Actor, type Commit, type Refusal } from "@opstate/core";
import {
  APPROVE,
  authorOf,
  DECLINE,
  droppedVersions,
  isDecision,
  isUndo,
  MERGE,
  PROPOSE,
  UNDO,
  versionsIn,
} from "@opstate/core/log";
import { type Board, describe, describeCommit } from "@opstate/kanban-domain";
import { plainRefusal } from "../plain-refusal.ts";

/** The kind of an entry. An edit is any operation of the board itself. */
export type EntryKind = "edit" | "undo" | "propose" | "approve" | "decline" | "merge" | "refusal";

export interface LogEntry {
  /** For lists. */
  readonly key: string;
  readonly id: string;
  readonly kind: EntryKind;
  readonly accepted: boolean;
  /** The commit's version; for a refusal the version that it was judged at. */
  readonly version: number;
  readonly actor: Actor;
  readonly at: string;
  readonly sentence: string;
  readonly reason?: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  /** The cards it changed. Of an undo, `log.ts` adds those of what it took back. */
  readonly cardIds: readonly string[];
  /** Of an undo: the versions that it undoes, those of `dropped` last. */
  readonly undoneVersions?: readonly number[];
  /** Of an undo: how many of these were undone only because they depended on others. */
  readonly dropped?: number;
  /** Of an undo: the versions that stayed with other values, and those that were carried. */
  readonly kept?: Pick<UndoOutcome, "recomputed" | "carried">;
  /** Of a decision: the version at which it was proposed. */
  readonly proposedAt?: number;
  readonly operation: unknown;
}

/** The mark of an entry: an undo has its own mark, other entries that of their actor. */
export const markOf = ({ kind, actor }: Pick<LogEntry, "kind" | "actor">): string =>
  kind === "undo" ? "undo" : actor.kind;

export function commitEntry(commit: Commit): LogEntry {
  const { version, id, actor, at, operation, patches } = commit;
  const kind = KINDS[operation.type] ?? "edit";
  const notes = kind === "propose" || kind === "decline";
  const cardIds = notes ? [] : [...new Set([...cardIdsIn(operation), ...cardIdsIn(patches)])];
  const line = {
    key: `v${version}`,
    id,
    kind,
    accepted: true,
    version,
    actor,
    at,
    sentence: describeCommit(commit),
    cardIds,
    operation,
  };
  // An approved or merged operation belongs to the run of its author, which undoes it.
  return { ...line, ...origin(commit, authorOf(commit)), ...relatedVersions(operation) };
}

export function refusalEntry(refusal: Refusal, board: Board | null): LogEntry {
  const { id, version, actor, at, operation, rejection } = refusal;
  const line = {
    key: `${actor.kind}/${actor.id}/${id}`,
    id,
    kind: "refusal",
    accepted: false,
    version,
    actor,
    at,
    cardIds: [],
    operation,
  } as const;
  return {
    ...line,
    sentence: describe(operation, board),
    reason: plainRefusal(rejection, board),
    ...origin(refusal, refusal),
  };
}

const KINDS: Readonly<Record<string, EntryKind>> = {
  [UNDO]: "undo",
  [PROPOSE]: "propose",
  [APPROVE]: "approve",
  [DECLINE]: "decline",
  [MERGE]: "merge",
};

function origin({ toolCallId }: Pick<Refusal, "toolCallId">, { runId }: Pick<Refusal, "runId">) {
  return defined({ runId, toolCallId });
}

type RelatedVersions = Pick<LogEntry, "undoneVersions" | "dropped" | "kept" | "proposedAt">;

function relatedVersions(operation: AnyOperation): RelatedVersions {
  if (isDecision(operation)) return { proposedAt: operation.proposedAt };
  if (!isUndo(operation)) return {};
  const dropped = [...versionsIn(droppedVersions(operation))];
  const needed = new Set(dropped);
  const selected = [...versionsIn(operation.versions)].filter((version) => !needed.has(version));
  const kept = {
    recomputed: [...versionsIn(operation.recomputed ?? [])],
    carried: [...versionsIn(operation.carried ?? [])],
  };
  return { undoneVersions: [...selected, ...dropped], dropped: dropped.length, kept };
}

export function cardIdsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "cardId" && typeof inner === "string" ? [inner] : cardIdsIn(inner),
  );
}
