// Reads one clause ("move T-3 to Review") as an intent. Each reader knows one kind of request; the
// first match wins.

import type { Intent } from "../intent.ts";
import { build } from "./build.ts";
import { certainlyCards, readCards } from "./card-phrase.ts";
import { addCards, move, prioritise, remove, rename } from "./cards.ts";
import { addColumns, clear, moveColumn, removeColumn } from "./columns.ts";
import { readPlace } from "./place-phrase.ts";
import { ask } from "./questions.ts";
import { undo } from "./undo.ts";

/** Reads a clause without its polite words; quotes are masked. */
export type Reader = (clause: string) => Intent | undefined;

// The order decides between readings: "make T-3 priority 1" and "add a Blocked column" are not new
// cards.
const READERS: readonly Reader[] = [
  undo,
  build,
  ask,
  addColumns,
  moveColumn,
  prioritise,
  rename,
  move,
  addCards,
  removeColumn,
  clear,
  remove,
];

/** The intent of a clause; undefined if it is not understood. */
export function readClause(clause: string): Intent | undefined {
  const text = withoutManners(clause);
  for (const reader of READERS) {
    const intent = reader(text);
    if (intent) return intent;
  }
  return undefined;
}

/** "T-2 to Review" after "move T-1 to Done" means another move. */
export function readElliptical(clause: string, previous: Intent | undefined): Intent | undefined {
  const [, what, target] = /^(?:also\s+)?(.+?)\s+(?:back\s+)?(?:to|into)\s+(.+?)[.!]?$/i.exec(clause.trim()) ?? [];
  if (what === undefined || target === undefined || !certainlyCards(what)) return undefined;
  if (previous?.kind === "move") return { kind: "move", cards: readCards(what), ...readPlace(target) };
  if (previous?.kind === "rename") return { kind: "rename", what: "card", name: what, title: target };
  if (previous?.kind === "prioritise" && /^(?:priority\s+)?\d+$/.test(target))
    return { kind: "prioritise", cards: readCards(what), priority: Number(/\d+/.exec(target)?.[0]) };
  return undefined;
}

const withoutManners = (clause: string): string =>
  clause
    .trim()
    .replace(
      /^(?:(?:ok(?:ay)?|oh|oops|wait|sorry|actually|hmm|so|well|hey|hi|hello|please|kindly|now|also|just|first|firstly|then|next|afterwards|finally|after that)\b[,!]?\s*)+(?=\S)/i,
      "",
    )
    .replace(
      /^(?:can|could|would|will) you\s+(?:please\s+)?|^i(?:'d like| would like| want| need)(?: you)? to\s+|^let(?:'s| us)\s+/i,
      "",
    )
    .replace(/(?<=\S)(?:[\s,]+(?:please|thanks|thank you|for me))?[\s.!?,]*$/i, "");
