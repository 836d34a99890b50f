/**
 * The moves that bring the surviving items of a list into their new order, one for each moved item.
 */
import { ADDED, type Alignment, at, MOVED } from "./align.ts";

/** Both are indices into the list as it is when the move is made. */
interface Move {
  readonly from: number;
  readonly to: number;
}

/**
 * More moves than this are no rearrangement but another order, and cost time quadratic in their
 * number.
 */
const MOST_MOVES = 1000;
const FEW_MOVES = 32;

/**
 * The moves, once items that do not survive are gone; undefined when the list is better replaced.
 */
export function planMoves({ sources, states, survives }: Alignment): readonly Move[] | undefined {
  let moved = 0;
  for (const state of states) if (state === MOVED) moved++;
  if (moved === 0) return [];

  const ranks = new Int32Array(survives.length);
  let survivors = 0;
  for (let i = 0; i < survives.length; i++) {
    ranks[i] = survivors;
    survivors += survives[i] ?? 0;
  }
  if (moved > MOST_MOVES || (moved > FEW_MOVES && moved > survivors / 2)) return undefined;

  const moves: Move[] = [];
  /** Where an item is now that was at `place` after the first `since` moves. */
  const now = (place: number, since: number) => {
    let index = place;
    for (const { from, to } of moves.slice(since)) {
      if (index > from) index--;
      if (index >= to) index++;
    }
    return index;
  };
  // From left to right, so that the left neighbour in the new order is in order already.
  let left = { place: -1, since: 0 };
  for (let j = 0; j < states.length; j++) {
    if (states[j] === ADDED) continue;
    const rank = at(ranks, at(sources, j));
    if (states[j] !== MOVED) {
      left = { place: rank, since: 0 };
      continue;
    }
    const from = now(rank, 0);
    const neighbour = now(left.place, left.since);
    const to = from < neighbour ? neighbour : neighbour + 1;
    if (from !== to) moves.push({ from, to });
    left = { place: to, since: moves.length };
  }
  return moves;
}
