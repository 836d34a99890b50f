// Ids that are computed when none was given. The same board gives the same id, on every replica.

import type { Board } from "./schema.ts";

/** The next free "T-n" of a board. */
export const nextCardId = (board: Board): string =>
  freeCardIds(board.columns.flatMap(({ cards }) => cards.map((card) => card.cardId)))();

/**
 * Gives a "T-n" that is none of `taken` and was not given before: from one above the highest, by a
 * number that stays exact.
 */
export function freeCardIds(usedIds: readonly string[]): () => string {
  const known = new Set(usedIds);
  let n = 0;
  for (const cardId of usedIds) n = Math.max(n, Number(/^T-(\d{1,15})$/.exec(cardId)?.[1] ?? 0));
  return () => {
    do n += 1;
    while (known.has(`T-${n}`));
    return `T-${n}`;
  };
}

/**
 * A column id that reads like its title and is none of `taken`: "In Progress" gives "in-progress".
 */
export function columnIdFor(title: string, usedIds: readonly string[]): string {
  const slug = slugOf(title);
  if (!usedIds.includes(slug)) return slug;
  let n = 2;
  while (usedIds.includes(`${slug}-${n}`)) n += 1;
  return `${slug}-${n}`;
}

function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  // By code points, so that none is cut in half; at most 60 of an id's 64 units, which leaves room
  // for the suffix.
  return [...slug].slice(0, 30).join("") || "column";
}
