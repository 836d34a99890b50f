// Ids that are computed when none was given. The same board gives the same id, on every replica.

import type { Board } from "./schema.ts";

/** The next free "T-n": one above the highest on the board. */
export const nextCardId = (board: Board): string =>
  `T-${highestNumber(board.columns.flatMap(({ cards }) => cards.map((card) => card.cardId))) + 1}`;

/** The highest n among ids such as "T-n"; 0 when there is none. */
export function highestNumber(cardIds: readonly string[]): number {
  let highest = 0;
  for (const cardId of cardIds) highest = Math.max(highest, Number(/^T-(\d{1,9})$/.exec(cardId)?.[1] ?? 0));
  return highest;
}

/** A column id that reads like its title and is none of `taken`: "In Progress" gives "in-progress". */
export function columnIdFor(title: string, taken: readonly string[]): string {
  const slug = slugOf(title);
  if (!taken.includes(slug)) return slug;
  let n = 2;
  while (taken.includes(`${slug}-${n}`)) n += 1;
  return `${slug}-${n}`;
}

function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  // By code points, so that none is cut in half; at most 60 of an id's 64 units, which leaves room for the suffix.
  return [...slug].slice(0, 30).join("") || "column";
}
