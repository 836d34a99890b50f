// Lines of an answer within its budget of characters.

/** What is left of the budget is for the head and for how to go on. */
const RESERVED_CHARACTERS = 600;

export interface Page {
  readonly lines: readonly string[];
  /** How many of the entries have a line. */
  readonly shown: number;
}

/** A line for each entry, as far as they fit; at least one. */
export function pageOf<T>(entries: Iterable<T>, characters: number, line: (entry: T) => string): Page {
  const lines: string[] = [];
  let room = Math.max(0, characters - RESERVED_CHARACTERS);
  for (const entry of entries) {
    const next = line(entry);
    room -= next.length + 1;
    if (room < 0 && lines.length > 0) break;
    lines.push(next);
  }
  return { lines, shown: lines.length };
}
