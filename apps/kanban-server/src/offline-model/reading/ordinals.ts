// Reads what is counted from an end: "the second card", "the last two", "the third column".

import { defined } from "@opstate/core";
import type { CardPlace } from "../intent.ts";
import { countOf } from "./count.ts";

const NTH = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const SHORT = /^(\d{1,2})(?:st|nd|rd|th)$/;
const FIRST = "top(?:most)?|upper(?:most)?|leftmost|left";
const LAST = "last|bottom(?:most)?|lowest|final|rightmost|right";
const FROM_END = `(?:(${NTH.join("|")}|\\d{1,2}(?:st|nd|rd|th))(?:\\s+to|\\s+from)?(?:\\s+the)?\\s+)?(?:${LAST})|penultimate`;
const FROM_START = `${NTH.join("|")}|\\d{1,2}(?:st|nd|rd|th)|${FIRST}`;
const ORDINAL = `(?:(?<end>${FROM_END})|(?<start>${FROM_START}))`;
const NOUN = "(?:card|task|ticket|item|todo|thing|issue|bug|feature|story|one)";
const COUNT = "two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}|one";

const CARDS = new RegExp(
  `^(?:the\\s+|my\\s+|our\\s+)?(?:very\\s+)?(?:(?<before>${COUNT})\\s+)?${ORDINAL}\\b(?:\\s+(?<count>${COUNT}))?(?:\\s+(?<column>\\S.*?))??(?:\\s+(?<noun>${NOUN}s?))?$`,
  "i",
);
/** "the two at the bottom" */
const AT_END = new RegExp(
  `^(?:the\\s+|my\\s+|our\\s+)?(?:(?<count>${COUNT})\\s+)?(?:${NOUN}s?\\s+)?(?:that\\s+(?:is|are)\\s+|that's\\s+)?(?:at|on)\\s+(?:the\\s+)?(?:very\\s+)?(?:(?<start>top|start|beginning|front)|bottom|end)$`,
  "i",
);
const MIDDLE = new RegExp(`^(?:the|my|our)\\s+(?:middle|central)\\s+${NOUN}$`, "i");
const COLUMN = new RegExp(`^(?:the\\s+)?(?:very\\s+)?${ORDINAL}\\s+(?:column|list|lane)$`, "i");

/** How many stand before it, counted from its end. */
interface Ordinal {
  readonly place: "first" | "last";
  readonly skip: number;
}

function ordinalIn({ end, start = "" }: Readonly<Record<string, string | undefined>>): Ordinal {
  if (end === undefined) return { place: "first", skip: skipped(start) };
  if (/^penultimate$/i.test(end)) return { place: "last", skip: 1 };
  return { place: "last", skip: skipped(end.split(/\s/)[0] ?? "") };
}

function skipped(word: string): number {
  const number = SHORT.exec(word.toLowerCase())?.[1];
  return number === undefined ? Math.max(0, NTH.indexOf(word.toLowerCase())) : Math.max(0, Number(number) - 1);
}

/** In words, of what has so many before it: "third" of two. */
export const ordinal = (skip: number): string => NTH[skip] ?? `${skip + 1}th`;

/** "the first two cards", "the last Backlog card"; the column may stand elsewhere in the phrase. */
export function placeIn(phrase: string, column: string | undefined): CardPlace | undefined {
  if (MIDDLE.test(phrase)) return { by: "place", place: "middle", count: 1, ...defined({ column }) };
  const ends = AT_END.exec(phrase);
  if (ends)
    return {
      by: "place",
      place: ends.groups?.["start"] === undefined ? "last" : "first",
      count: countOf(ends.groups?.["count"]),
      ...defined({ column }),
    };
  const found = CARDS.exec(phrase)?.groups;
  if (!found) return undefined;
  const { before, count, column: within, noun } = found;
  // "the first dark mode" is no place, nor is a column named twice.
  if (within !== undefined && (noun === undefined || column !== undefined)) return undefined;
  const { place, skip } = ordinalIn(found);
  const where = column ?? within?.replace(/^(?:in\s+(?=in\s))?/i, "");
  return {
    by: "place",
    place,
    count: countOf(count ?? before),
    ...defined({ skip: skip === 0 ? undefined : skip, column: where }),
  };
}

const NUMBERED = /^(?:the\s+)?(?:column|list|lane)\s+(?:number\s+|no\.?\s+|#)?(\d{1,2})$/i;

/** The place of a column in a row of so many; undefined if the phrase is no ordinal of one. */
export function columnAt(phrase: string, count: number): number | undefined {
  const number = NUMBERED.exec(phrase.trim())?.[1];
  if (number !== undefined) return Number(number) - 1;
  const found = COLUMN.exec(phrase.trim())?.groups;
  if (!found) return undefined;
  const { place, skip } = ordinalIn(found);
  return place === "first" ? skip : count - 1 - skip;
}

/** Whether a phrase names a column by its place. */
export const isColumnAt = (phrase: string): boolean => [COLUMN, NUMBERED].some((each) => each.test(phrase.trim()));
