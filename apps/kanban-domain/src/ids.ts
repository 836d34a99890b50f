// Ids for a board that is made from titles alone, and the id of a column.

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

/** A new column id from a title. It is none of `usedIds`. */
export function columnIdFor(title: string, usedIds: readonly string[]): string {
  const slug = slugOf(title);
  if (!usedIds.includes(slug)) return slug;
  let n = 2;
  while (usedIds.includes(`${slug}-${n}`)) n += 1;
  return `${slug}-${n}`;
}

/** A title as an id: "In Progress" gives "in-progress". */
export function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  // 25 code points are at most 50 of an id's 64 units, which leaves room for a suffix.
  return [...slug].slice(0, 25).join("") || "column";
}
