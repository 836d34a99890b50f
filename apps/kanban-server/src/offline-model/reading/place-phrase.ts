// Reads phrases for places: "Review", "the top of Review", "position 2 in Done", "the Blocked
// column at the top".

import { defined } from "@opstate/core";
import type { Position } from "../intent.ts";
import { isColumnAt } from "./ordinals.ts";

export interface Place {
  readonly column?: string;
  readonly position?: Position;
}

const TOP = "top|start|beginning|front|head|first(?: place| position)?";
const BOTTOM = "bottom|end|back|tail|last(?: place| position)?";
const LEADING_POSITION = new RegExp(
  `^(?:the\\s+)?(?:very\\s+)?(?:(${TOP})|(${BOTTOM})|(?:position|place|slot|number)\\s+(\\d+))(?:\\s+(?:of|in|on|to)\\s+(.+))?$`,
  "i",
);
const TRAILING_POSITION = new RegExp(
  `^(.+?),?\\s+(?:(?:at|on|to)\\s+)(?:the\\s+)?(?:very\\s+)?(?:(${TOP})|(${BOTTOM})|(?:position|place|slot|number)\\s+(\\d+))$`,
  "i",
);
const BESIDE = /^(.+?),?\s+(?:right\s+|directly\s+)?(before|after|above|below|behind)\s+(?:the\s+)?(.+)$/i;

/** What goes there takes the place of what was there: nothing is said of where in the column. */
const IN_EXCHANGE = /\s+(?:in (?:its|their) (?:place|stead)|instead)$/i;

/** The place of a phrase. An unknown phrase is a column's name. */
export function readPlace(phrase: string): Place {
  const text = phrase.trim().replace(IN_EXCHANGE, "");
  const first = LEADING_POSITION.exec(text);
  if (first)
    return {
      ...defined({ column: first[4] === undefined ? undefined : columnName(first[4]) }),
      position: positionOf(first[1], first[2], first[3]),
    };
  const last = TRAILING_POSITION.exec(text);
  if (last?.[1]) return { column: columnName(last[1]), position: positionOf(last[2], last[3], last[4]) };
  const next = BESIDE.exec(text);
  if (next?.[1] && next[3]) return { column: columnName(next[1]), position: besidePosition(next[2], next[3]) };
  return { column: columnName(text) };
}

/** The name in "the Done column", "column Done" or "Done". */
export function columnName(phrase: string): string {
  const text = phrase.trim().replace(/[.!?]+$/, "");
  if (isColumnAt(text)) return text.replace(/^the\s+/i, "");
  const named =
    /^(?:the\s+)?(?:column|col|list|lane)\s+(?:(?:called|named)\s+)?(.+)$/i.exec(text) ??
    /^(?:called|named)\s+(.+)$/i.exec(text) ??
    /^(?:the\s+)?(.+?)\s+(?:column|col|list|lane|pile|side)$/i.exec(text) ??
    /^the\s+(.+)$/i.exec(text);
  return (named?.[1] ?? text).trim();
}

export const besidePosition = (word: string | undefined, name: string): Position =>
  /before|above/i.test(word ?? "") ? { before: columnName(name) } : { after: columnName(name) };

/** People count from 1. */
function positionOf(first: string | undefined, last: string | undefined, number: string | undefined): Position {
  if (first !== undefined) return 0;
  if (last !== undefined || number === undefined) return "last";
  return Math.max(0, Number(number) - 1);
}
