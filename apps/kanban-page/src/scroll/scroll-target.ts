// Whether the board scrolls to a change, and where to.
//
// Invariants:
// - A person's own edits never scroll the board, from whichever of their pages they come.
// - Nothing scrolls while the person uses the board.
// - A change of many cards has no target.

import type { Actor, Commit } from "@opstate/core";
import { sameActor } from "@opstate/core/thread";
import { type Board, findCard, findColumn } from "@opstate/kanban-domain";
import { cardIdsIn } from "../timeline/log-entry.ts";

export interface ScrollTarget {
  readonly columnId: string;
  readonly card?: { readonly cardId: string; readonly index: number };
}

/** How the person is using the board. */
export interface UserActivity {
  /** A card is lifted, a mouse button is down, or a form has the focus. */
  readonly busy: boolean;
  /** Time of the last input on the board, in ms. */
  readonly lastInput: number;
}

/** How long the person must be idle before the board scrolls. */
export const IDLE_BEFORE_SCROLL_MS = 2_500;

/** A change of more cards than this has no target. */
const MAX_CARDS = 8;

export const mayScroll = ({ busy, lastInput }: UserActivity, now: number): boolean =>
  !busy && now - lastInput >= IDLE_BEFORE_SCROLL_MS;

/** The place of a commit's change, in the board after it. */
export function scrollTargetOf(
  { actor, operation, patches }: Pick<Commit, "actor" | "operation" | "patches">,
  board: Board | null,
  self: Actor,
): ScrollTarget | undefined {
  if (board === null || patches.length === 0 || sameActor(actor, self)) return undefined;
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
 * How far a container must scroll to show an interval of it; 0 when it is visible. Of an interval
 * that is too long it shows the beginning.
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
