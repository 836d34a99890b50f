// The log in words. A sentence is about the state before the operation, so the log is walked back by its inverse patches.

import type { Actor, Commit, HistoryEntry, Refusal, Snapshot } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import { type Board, describe } from "@opstate/kanban-domain";

/** One line of the feed: an accepted operation, or a refused one with the reason. */
export interface FeedEntry {
  readonly key: string;
  readonly accepted: boolean;
  /** The version it made; for a refusal the version that refused it. */
  readonly version: number;
  readonly actor: Actor;
  readonly at: string;
  readonly sentence: string;
  readonly reason?: string;
  readonly toolCallId?: string;
  /** It happened while this page was looking. */
  readonly live?: boolean;
  /** The cards it touched. */
  readonly cardIds: readonly string[];
}

type BoardState = Board | null;

/** All entries of a history, oldest first. `snapshot` is the state at its end. */
export function narrate(history: readonly HistoryEntry[], snapshot: Snapshot<BoardState>): FeedEntry[] {
  const entries: FeedEntry[] = [];
  const states = new Map<number, BoardState>([[snapshot.version, snapshot.state]]);
  let { state } = snapshot;
  for (const entry of history.toReversed()) {
    if (entry.kind !== "commit" || entry.commit.version > snapshot.version) continue;
    const { commit } = entry;
    const before = patched(state, commit.inverse);
    entries.push(commitEntry(commit, before));
    states.set(commit.version - 1, before);
    state = before;
  }
  for (const entry of history)
    if (entry.kind === "refusal") entries.push(refusalEntry(entry.refusal, states.get(entry.refusal.version) ?? snapshot.state));
  return entries.sort(byTime);
}

export function commitEntry(commit: Commit, before: BoardState): FeedEntry {
  const { version, actor, at, operation } = commit;
  const call = commit.toolCallId === undefined ? {} : { toolCallId: commit.toolCallId };
  const cardIds = [...new Set([...cardIdsIn(operation), ...cardIdsIn(commit.patches)])];
  return { key: `v${version}`, accepted: true, version, actor, at, sentence: describe(operation, before), cardIds, ...call };
}

export function refusalEntry(refusal: Refusal, before: BoardState): FeedEntry {
  const { id, version, actor, at, operation, rejection, toolCallId } = refusal;
  const key = `${actor.kind}/${actor.id}/${id}`;
  const call = toolCallId === undefined ? {} : { toolCallId };
  const words = { sentence: describe(operation, before), reason: rejection.message };
  return { key, accepted: false, version, actor, at, ...words, cardIds: cardIdsIn(operation), ...call };
}

/** The state after a stored patch. Stored patches fit the state they were made for; if one does not, the state stays and only names may be missing. */
export function patched(state: BoardState, patch: Commit["patches"]): BoardState {
  const result = applyPatch(state, patch);
  // Edge: the log's patches lead from one checked board to another.
  return result.ok ? (result.document as BoardState) : state;
}

const byTime = (a: FeedEntry, b: FeedEntry): number => a.at.localeCompare(b.at) || a.version - b.version;

function cardIdsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === "cardId" && typeof inner === "string" ? [inner] : cardIdsIn(inner)));
}
