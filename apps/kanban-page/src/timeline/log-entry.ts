// One line of the timeline: a commit or a refusal in words. A sentence is about the state before
// the operation.

import { type Actor, authorOf, type Commit, type Refusal } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import { type Board, describe, describeDone } from "@opstate/kanban-domain";

export type BoardState = Board | null;

/** What kind of line it is, beside who made it: an edit is anything that a reducer did. */
export type EntryKind = "edit" | "undo" | "propose" | "approve" | "decline" | "merge" | "refusal";

export interface LogEntry {
  readonly key: string;
  readonly id: string;
  readonly kind: EntryKind;
  readonly accepted: boolean;
  /** The version it made; for a refusal the version that refused it. */
  readonly version: number;
  readonly actor: Actor;
  readonly at: string;
  readonly sentence: string;
  /** The same after a name: `moved "Send invoices" to Done`. */
  readonly pastTense: string;
  readonly reason?: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  /** The cards it changed. */
  readonly cardIds: readonly string[];
  /** Of an undo: the versions that it takes back. */
  readonly undoneVersions?: readonly number[];
  /** Of an undo: how many of these were nobody's aim, but needed what went. */
  readonly dropped?: number;
  /** Of what was decided: the version at which it was proposed. */
  readonly proposedAt?: number;
  readonly operation: unknown;
}

/** The mark that an entry has wherever it is shown: taking back has its own, whoever does it. */
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
  // What was approved or merged belongs to the run that it is taken back with.
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
 * The state after a stored patch. Stored patches fit the state they were made for; if one does not,
 * the state stays and only names may be missing.
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
  return { ...(runId === undefined ? {} : { runId }), ...(toolCallId === undefined ? {} : { toolCallId }) };
}

function relatedVersions(operation: object): Pick<LogEntry, "undoneVersions" | "dropped" | "proposedAt"> {
  const { versions, dropped, proposedAt }: { versions?: unknown; dropped?: unknown; proposedAt?: unknown } = operation;
  return {
    ...(Array.isArray(versions) ? { undoneVersions: versions.filter((each) => typeof each === "number") } : {}),
    ...(Array.isArray(dropped) ? { dropped: dropped.length } : {}),
    ...(typeof proposedAt === "number" ? { proposedAt } : {}),
  };
}

export function cardIdsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "cardId" && typeof inner === "string" ? [inner] : cardIdsIn(inner),
  );
}

/**
 * Cards that are not as they were, or not where they were. What was not touched is the same object.
 */
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
