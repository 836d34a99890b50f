// Edits of others and later ones that an undo kept in a way worth a word: with other values, or as
// they were although they would do something else now. Edits that were not touched are not named.

import type { UndoOutcome } from "@opstate/client";
import { nameOf } from "../actor-name.ts";
import type { LogEntry } from "../timeline/log-entry.ts";

const MAX_SHOWN = 3;

/** One line each: `Stays: Move T-1: Backlog -> Done (ada)`. `entries` are newest first. */
export function keptLines(
  { recomputed, carried }: Pick<UndoOutcome, "recomputed" | "carried">,
  entries: readonly LogEntry[],
  user: string,
): readonly string[] {
  const anew = new Set(recomputed);
  const versions = [...recomputed, ...carried].toSorted((a, b) => a - b);
  const known = versions.flatMap((version) => entries.find((each) => each.accepted && each.version === version) ?? []);
  const lines = known.slice(0, MAX_SHOWN).map(({ version, actor, sentence }) => {
    const what = `${sentence} (${nameOf(actor, user)})`;
    return anew.has(version) ? `Stays, worked out anew: ${what}` : `Stays: ${what}`;
  });
  const more = versions.length - lines.length;
  if (more === 0) return lines;
  return [...lines, lines.length === 0 ? `${count(more)} stayed` : `and ${more} more`];
}

const count = (edits: number): string => `${edits} ${edits === 1 ? "edit" : "edits"}`;
