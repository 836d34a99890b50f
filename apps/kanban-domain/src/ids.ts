// Ids for cards and columns without one. The same board gives the same id, on every replica.

import type { Board } from "./schema.ts";

/** The next free "T-n" of a board. */
export const nextCardId = (board: Board): string =>
  freeCardIds(board.columns.flatMap(({ cards }) => cards.map((card) => card.cardId)))();

/** Returns new "T-n" ids, above the highest `n` of `usedIds` that is an exact number. */
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

/** A new column id from a title: "In Progress" gives "in-progress". It is none of `usedIds`. */
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
  // 30 code points are at most 60 of an id's 64 units, which leaves room for the suffix.
  return [...slug].slice(0, 30).join("") || "column";
}
