// Whether the board scrolls to what somebody else did, and where to.
//
// Invariants: one's own edits move nothing, whoever of one's pages made them; nothing under a hand
// moves; what changes the board as a whole is nowhere in particular.

import type { Actor, Commit } from "@opstate/core";
import { type Board, findCard, findColumn } from "@opstate/kanban-domain";
import { cardIdsIn } from "../timeline/log-entry.ts";

export interface ScrollTarget {
  readonly columnId: string;
  readonly card?: { readonly cardId: string; readonly index: number };
}

/** What a person is doing with the board. */
export interface UserActivity {
  /** A card is lifted, a button is held down, or somebody types in a form. */
  readonly busy: boolean;
  /** When it last moved, pressed a key or scrolled there; in ms. */
  readonly lastInput: number;
}

/** How long a hand must rest, in ms. */
export const IDLE_BEFORE_SCROLL_MS = 2_500;

/** More cards than a glance takes in. */
const MAX_CARDS = 8;

export const mayScroll = ({ busy, lastInput }: UserActivity, now: number): boolean =>
  !busy && now - lastInput >= IDLE_BEFORE_SCROLL_MS;

/** Where a commit did something, in the board after it. */
export function scrollTargetOf(
  { actor, operation, patches }: Pick<Commit, "actor" | "operation" | "patches">,
  board: Board | null,
  self: Actor,
): ScrollTarget | undefined {
  if (board === null || patches.length === 0 || (actor.kind === self.kind && actor.id === self.id)) return undefined;
  const cardIds = [...new Set([...cardIdsIn(operation), ...cardIdsIn(patches)])];
  if (cardIds.length > MAX_CARDS) return undefined;
  for (const cardId of cardIds) {
    const target = scrollTargetOfCard(cardId, board);
    if (target !== undefined) return target;
  }
  const columnId = columnIdsIn([operation, patches]).find((each) => findColumn(board, each) !== undefined);
  return columnId === undefined ? undefined : { columnId };
}

export function scrollTargetOfCard(cardId: string, board: Board): ScrollTarget | undefined {
  const found = findCard(board, cardId);
  return found && { columnId: found.column.columnId, card: { cardId, index: found.index } };
}

/**
 * How far a container must scroll so that a stretch of it is in sight, as little as it takes; 0
 * when it is. What is too long shows its beginning.
 */
export function scrollDistance(container: Interval, target: Interval, margin: number): number {
  const before = target.start - margin - container.start;
  const behind = target.end + margin - container.end;
  if (before < 0) return before;
  return behind > 0 ? Math.min(behind, before) : 0;
}

export interface Interval {
  readonly start: number;
  readonly end: number;
}

function columnIdsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string"
      ? ["columnId", "toColumn", "fromColumn"].includes(key)
        ? [inner]
        : []
      : columnIdsIn(inner),
  );
}
