// One line of the timeline: a commit or a refusal in words. A sentence is about the state before
// the operation.

import { type AnyOperation, defined, type Actor, authorOf, type Commit, type Refusal } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import type { UndoOutcome } from "@opstate/core/feeds";
import { droppedVersions, isDecision, isUndo, versionsIn } from "@opstate/core/log";
import { type Board, describe, describeDone } from "@opstate/kanban-domain";

export type BoardState = Board | null;

/** The kind of an entry. An edit is any operation of the board itself. */
export type EntryKind = "edit" | "undo" | "propose" | "approve" | "decline" | "merge" | "refusal";

export interface LogEntry {
  readonly key: string;
  readonly id: string;
  readonly kind: EntryKind;
  readonly accepted: boolean;
  /** The commit's version; for a refusal the version that it was judged at. */
  readonly version: number;
  readonly actor: Actor;
  readonly at: string;
  readonly sentence: string;
  /** In the past tense, to follow a name: `moved "Send invoices" to Done`. */
  readonly pastTense: string;
  readonly reason?: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  /** The cards it changed. */
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

export function commitEntry(commit: Commit, before: BoardState): LogEntry {
  const { version, id, actor, at, operation, patches } = commit;
  const kind = KINDS[operation.type] ?? "edit";
  const notes = kind === "propose" || kind === "decline";
  const named = notes ? [] : [...new Set([...cardIdsIn(operation), ...cardIdsIn(patches)])];
  const cardIds = kind === "undo" ? changedCards(before, patched(before, patches)) : named;
  const line = {
    key: `v${version}`,
    id,
    kind,
    accepted: true,
    version,
    actor,
    at,
    sentence: describe(operation, before),
    pastTense: describeDone(operation, before),
    cardIds,
    operation,
  };
  // An approved or merged operation belongs to the run of its author, which undoes it.
  return { ...line, ...origin(commit, authorOf(commit)), ...relatedVersions(operation) };
}

export function refusalEntry(refusal: Refusal, before: BoardState): LogEntry {
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
    sentence: describe(operation, before),
    pastTense: describeDone(operation, before),
    reason: rejection.message,
    ...origin(refusal, refusal),
  };
}

/**
 * The state after a stored patch. If a patch does not apply, the state stays and names are missing.
 */
export function patched(state: BoardState, patch: Commit["patches"]): BoardState {
  const result = applyPatch(state, patch);
  // Edge: the log's patches lead from one checked board to another.
  return result.ok ? (result.document as BoardState) : state;
}

const KINDS: Readonly<Record<string, EntryKind>> = {
  $undo: "undo",
  $propose: "propose",
  $approve: "approve",
  $decline: "decline",
  $merge: "merge",
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

/** Cards that were changed or moved. An unchanged card is the same object. */
function changedCards(before: BoardState, after: BoardState): string[] {
  const then = cardPlaces(before, after);
  const now = cardPlaces(after, before);
  return [...new Set([...then.keys(), ...now.keys()])].filter((cardId) => {
    const [was, is] = [then.get(cardId), now.get(cardId)];
    return was?.card !== is?.card || was?.columnId !== is?.columnId;
  });
}

function cardPlaces(board: BoardState, other: BoardState) {
  const same = new Set<unknown>(other?.columns);
  const columns = (board?.columns ?? []).filter((column) => !same.has(column));
  return new Map(
    columns.flatMap(({ columnId, cards }) => cards.map((card) => [card.cardId, { card, columnId }] as const)),
  );
}
