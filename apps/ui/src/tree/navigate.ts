// Keyboard navigation of a tree, with the keys of file lists.

import type { TreeRow } from "./tree-rows.ts";

/** The new active row, or the row to open or close. Undefined for a key without effect. */
export type Navigation = { readonly active: number } | { readonly toggle: TreeRow } | undefined;

/** `active` is the active row's index, -1 for none. */
export function navigate(rows: readonly TreeRow[], active: number, key: string): Navigation {
  const row = rows[active];
  const to = (index: number) => ({ active: Math.max(0, Math.min(index, rows.length - 1)) });
  if (key === "ArrowDown") return to(active + 1);
  if (key === "ArrowUp") return to(active - 1);
  if (key === "Home") return to(0);
  if (key === "End") return to(rows.length - 1);
  if (row === undefined) return undefined;
  if (key === "Enter" || key === " ") return row.open === undefined ? to(active) : { toggle: row };
  if (key === "ArrowRight") return row.open === false ? { toggle: row } : to(row.open === true ? active + 1 : active);
  if (key === "ArrowLeft") return row.open === true ? { toggle: row } : to(parentOf(rows, active));
  return undefined;
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  return rows.findLastIndex((row, at) => at < index && row.level < level);
}
