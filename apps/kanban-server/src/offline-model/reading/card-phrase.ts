// The words that say which cards: "T-1, T-2 and T-5", "every card with priority 1 in Backlog", "the first two cards of Review".

import type { CardQuery } from "../intent.ts";
import { columnName } from "./place-phrase.ts";
import { isQuoted } from "./quotes.ts";

const numbers: Readonly<Record<string, number>> = {
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};
const countOf = (word: string | undefined): number => (word === undefined ? 1 : (numbers[word.toLowerCase()] ?? Number(word)));

const cardId = /^[A-Za-z]{1,10}-\d{1,9}$/;
const inColumn = /\s*\b(?:in|from|of|on|under|inside|out of)\s+(?:the\s+)?(?!priority\b)(.+)$/i;
const ofPriority =
  /\s*\b(?:(?:with|of|that (?:has|have)|whose|having|at)\s+)?(?:a\s+)?(?:priority|prio)(?:\s+(?:is|of|level))?\s*[:=]?\s*(\d+)\b|\s*\bp(\d)\b/i;
const everything = /^(?:(?:absolutely\s+)?(?:all|every|each|any|everything|both)\b|(?:the\s+)?(?:cards|tasks|tickets|items)\b)/i;
const atPlace =
  /^(?:the\s+)?(first|top(?:most)?|last|bottom)\b(?:\s+(\d+|one|two|three|four|five|six|seven|eight|nine|ten))?(?:\s+(?:card|task|ticket|item)s?)?$/i;

/** The queries of a phrase; empty when it names no cards. */
export function readCards(phrase: string): readonly CardQuery[] {
  const whole = phrase.trim();
  if (whole === "") return [];
  const one = readSet(whole);
  if (one) return [one];

  // A column behind a list is the column of each: "T-1 and T-2 from Review".
  const { rest, column } = takeColumn(whole);
  const names = isQuoted(rest) ? [rest] : rest.split(/\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)/i).filter((part) => part !== "");
  const listed = names.length > 1 && names.every((name) => isId(name) || isQuoted(cleanName(name)));
  return (listed ? names : [rest]).map((name) => ({ by: "name", name: cleanName(name), ...(column === undefined ? {} : { column }) }));
}

/** Whether a phrase says by itself that it means cards: ids, quoted titles, "every card". A bare title does not. */
export function certainlyCards(phrase: string): boolean {
  return readCards(phrase).every((query) => query.by !== "name" || cardId.test(query.name) || isQuoted(query.name));
}

const isId = (name: string): boolean => cardId.test(cleanName(name));

function readSet(phrase: string): CardQuery | undefined {
  const ranked = ofPriority.exec(phrase);
  const priority = ranked ? Number(ranked[1] ?? ranked[2]) : undefined;
  const unranked = ranked ? phrase.replace(ofPriority, " ").replace(/\s+/g, " ").trim() : phrase;
  const { rest, column } = takeColumn(unranked);
  const within = column === undefined ? {} : { column };

  const place = atPlace.exec(rest);
  if (place) return { by: "place", place: /^(?:first|top)/i.test(place[1] ?? "") ? "first" : "last", count: countOf(place[2]), ...within };
  if (everything.test(rest) || (priority !== undefined && rest === ""))
    return { by: "all", ...within, ...(priority === undefined ? {} : { priority }) };
  return undefined;
}

function takeColumn(phrase: string): { rest: string; column?: string } {
  const found = inColumn.exec(phrase);
  if (!found?.[1]) return { rest: phrase.trim() };
  const rest = phrase.slice(0, found.index).trim();
  return rest === "" ? { rest: phrase.trim() } : { rest, column: columnName(found[1]) };
}

const cleanName = (name: string): string =>
  name
    .trim()
    .replace(/^(?:the\s+)?(?:card|task|ticket|item|issue|todo)s?\s+(?:(?:called|named|titled)\s+)?(?=\S)/i, "")
    .replace(/^the\s+(?=[A-Za-z]{1,10}-\d)/i, "")
    .trim();
