// Reads phrases for cards: "T-1, T-2 and T-5", "every card with priority 1 in Backlog", "the first
// two cards of Review".
//
// Invariant: every word of a phrase counts. Words that are left over are either a state ("all done
// cards"), which the board must have, or the phrase is not understood.
//
// (Long because each part that can be cut off a phrase has a form of its own.)

import { defined } from "@opstate/core";
import type { CardPlace, CardQuery, CardSet } from "../intent.ts";
import { countOf } from "./count.ts";
import { names } from "./names.ts";
import { placeIn } from "./ordinals.ts";
import { columnName } from "./place-phrase.ts";
import { isQuoted } from "./quotes.ts";
import { isUrgency, urgencyIn } from "./urgency.ts";

/** "T-42", and "T-8k2m4q9x1z": an id that an operation made. */
export const CARD_ID = /^[A-Za-z]{1,10}-(?:\d{1,9}|[0-9a-hjkmnp-tv-z]{10})$/i;
const IN_COLUMN = /\s*\b(?:in|from|of|on|under|inside|out of)\s+(?:the\s+)?(?!priority\b|an?\s)(.+)$/i;
const OF_PRIORITY =
  /\s*\b(?:(?:with|of|that (?:has|have)|whose|having|at)\s+)?(?:a\s+)?(?:priority|prio)(?:\s+(?:is|of|level))?\s*[:=]?\s*(\d+)(?=\s|,|$)|\s*\bp(\d)(?=\s|,|$)/i;
const NOUN = "(?:card|task|ticket|item|todo|thing|issue|bug|feature|story|one)";
/** What has no plural. */
const MASS = "(?:stuff|work)";
const ALL_CARDS = new RegExp(
  `^(?:absolutely\\s+)?(?:everything|all|(?:all|every|each)(?:\\s+single)?(?:\\s+of)?(?:\\s+(?:the|my|our|these))?\\s+(?:${NOUN}s?|${MASS}))$`,
  "i",
);
const DESCRIBED_BEFORE = new RegExp(
  `^(?:all|every|each)(?:\\s+of)?(?:\\s+(?:the|my|our))?\\s+(.+?)\\s+(?:${NOUN}s?|${MASS})$`,
  "i",
);
const DESCRIBED_AFTER = new RegExp(
  `^(?:everything|(?:all|every|each)(?:\\s+(?:the|my|our))?(?:\\s+${NOUN}s?)?)\\s+(.+)$`,
  "i",
);
const PLURAL = new RegExp(`^(?:(?:the|my|our)\\s+)?(?:(.+?)\\s+)?(?:${NOUN}s|stuff)$`, "i");
const WHICH_ARE =
  /\s+(?:(?:that|which|what|who)\s+(?:are|is)|(?:that|what)'s|(?:that|which)\s+(?=(?:aren't|isn't)\b))\s*/i;
const EXCEPTIONS =
  /,?\s+(?:but(?:\s+not)?|except(?:ing)?(?:\s+for)?|besides|other\s+than|apart\s+from|excluding)\s+(.+)$/i;
/** "outside Done" means "not done". */
const OUTSIDE = /\s+(?:(?:that|which)\s+(?:are|is)\s+)?(?:not\s+in|outside(?:\s+of)?)\s+(?:the\s+)?/i;
const ABOUT =
  "(?:about|mentioning|containing|regarding|concerning|related\\s+to|to\\s+do\\s+with|(?:that|which)\\s+(?:mentions?|contains?|includes?|says?|(?:is|are|talks?)\\s+about|(?:has|have)\\s+to\\s+do\\s+with))";
const SUBJECT = new RegExp(`\\s+${ABOUT}\\s+(?:the\\s+words?\\s+)?(.+)$`, "i");
/** "with 'board' in the title" */
const IN_TITLE =
  /\s+(?:with|having|(?:that|which)\s+(?:has|have|contains?|includes?))\s+(?:the\s+words?\s+)?(.+?)\s+in\s+(?:the|its|their)\s+(?:title|name)s?$/i;
/** "the rest of Backlog", "everything else in Backlog" */
const REST =
  /^(?:the\s+(?:rest|whole|entirety|lot)|everything\s+else|all\s+(?:the\s+)?(?:others?|rest))(?=\s+(?:of|in|from)\s)/i;
/** "the invoice card" */
const CARD_OF = new RegExp(
  `^(?:the|my|our)\\s+(?!(?:new|same|last|first|other|next|previous|right|wrong|second|third|only|urgent|old)\\b)([\\p{L}-]+)\\s+${NOUN}$`,
  "iu",
);
/** "the card about invoices" */
const CARD_ABOUT = new RegExp(
  `^(?:(?:the|a|my|our)\\s+)?${NOUN}\\s+(?:that\\s+is\\s+)?(?:${ABOUT}|on|for|of)\\s+(?:the\\s+)?(.+)$`,
  "i",
);
/** "the dark mode one" */
const ONE_OF = new RegExp(
  `^(?:the|my|our|that|this)\\s+(?!(?:new|same|last|first|top|bottom|other|next|previous|right|wrong|second|third|only|old)\\b)([\\p{L}\\p{N}-]+(?:\\s+[\\p{L}\\p{N}-]+){1,4})\\s+(?:one|thing|stuff)$`,
  "iu",
);
/** "the invoice one" */
const ONE_ABOUT = new RegExp(
  `^(?:the|my|our)\\s+(?!(?:new|same|last|first|top|bottom|other|next|previous|right|wrong|second|third|only|urgent|old)\\b)([\\p{L}\\p{N}-]+)\\s+(?:one|card|thing|task|ticket)$`,
  "iu",
);
/** "both cards", "all three Review cards" */
const COUNTED =
  /^(?:(both)(?:\s+of)?(?:\s+(?:the|my|our|these))?|(?:(?:all|the|all\s+(?:of\s+)?the)\s+)(two|three|four|five|six|seven|eight|nine|ten|\d{1,2}))\s+(?:of\s+)?(.+)$/i;
/** Words that refer to cards mentioned before. They are not titles, unless in quotes. */
const PRONOUN =
  /^(?:all|every\w*|each|any\w*|some\w*|both|most|half|none|nothing|no|only|not|just|others?|the\s+(?:rest|others?|same)|it|its|them|they|this|that|these|those|ones?)\b|\bones?$/i;

const THE_BOARD = /^(?:the|this|my|our)\s+(?:whole\s+|entire\s+)?board$/i;

/** The queries of a phrase; empty when it names no cards. */
export function readCards(phrase: string): readonly CardQuery[] {
  const text = phrase
    .trim()
    .replace(/^both\s+(?=.+\band\b)/i, "")
    .replaceAll(/,?\s+(?:as well as|along with|together with)\s+/gi, " and ");
  if (text === "" || THE_BOARD.test(text)) return [];
  // "every card in Backlog and every card in Review"
  const sets = / and (?:all|every|each|everything)\b/i.test(text) ? text.split(/\s+and\s+/i).map(readSet) : [];
  if (sets.length > 1 && sets.every((set) => set !== undefined)) return sets;
  const one = readSet(text);
  if (one) return [one];
  const aboutOnes = namedOnes(text);
  if (aboutOnes !== undefined) return aboutOnes;
  if (PRONOUN.test(text) || placeIn(text, undefined) || (PLURAL.test(text) && !isQuoted(cleanName(text)))) return [];

  // A column after a list applies to each card: "T-1 and T-2 from Review".
  const { rest, column } = takeColumn(text);
  const parts = isQuoted(rest) ? [rest] : partsOf(rest);
  const listed = parts.length > 1 && parts.every((name) => isId(name) || isQuoted(cleanName(name)));
  return (listed ? parts : [rest]).map((name) => ({
    by: "name",
    name: cleanName(name),
    ...defined({ column }),
  }));
}

const partsOf = (text: string): readonly string[] =>
  text.split(/\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)/i).filter((part) => part !== "");

/** "the card about CSV", "the pricing one", "T-3 and the one about flicker" */
function namedOnes(text: string): readonly CardQuery[] | undefined {
  const named = partsOf(text).map((part): CardQuery | undefined => {
    if (isId(part) || isQuoted(cleanName(part))) return { by: "name", name: cleanName(part) };
    const { rest, column } =
      CARD_ABOUT.test(part) && /\b(?:on|for|of)\b/i.test(part) ? { rest: part } : takeColumn(part);
    const about = CARD_ABOUT.exec(rest)?.[1] ?? CARD_OF.exec(rest)?.[1] ?? ONE_OF.exec(rest)?.[1];
    return about === undefined ? undefined : { by: "name", name: about, isAbout: true, ...defined({ column }) };
  });
  return named.some((query) => query?.by === "name" && query.isAbout) && named.every((query) => query !== undefined)
    ? named
    : undefined;
}

/**
 * Whether a phrase certainly means cards: ids, quoted titles, "every card". A bare title may not.
 */
export function certainlyCards(phrase: string): boolean {
  const cards = readCards(phrase);
  return (
    cards.length > 0 && cards.every((query) => query.by !== "name" || CARD_ID.test(query.name) || isQuoted(query.name))
  );
}

/** All cards of a column, for "clear Done except T-8". */
export const readWithin = (phrase: string): CardQuery | undefined =>
  EXCEPTIONS.test(phrase) ? readSet(`everything in ${phrase}`) : undefined;

/** "whatever is in Review", "cards that aren't done" */
const plainly = (phrase: string): string =>
  phrase
    .trim()
    .replaceAll(/\b(are|is)n'?t\b/gi, "$1 not")
    .replaceAll(/\b(that|what)s\b/gi, "$1's")
    .replace(/^(?:whatever|what)(?:'s|\s+is|\s+are)\s+/i, "everything that is ");

/** "one of the done cards", "a few cards" */
const PART =
  /^(?:(?:just|only)\s+)?(?:(?:any|one|two|three|some|a\s+few|a\s+couple|several)\s+of\s+(?:the|my|our|these|those)\s+|(?:a\s+few|a\s+couple\s+of|several)\s+(?:of\s+)?(?=\S.*s\b))/i;
/** "the p3 one", "the lowest priority card" */
const SINGLE = new RegExp(`^(?:the|my|our)(?:\\s+(.+?))?\\s+${NOUN}$`, "i");

/** "all done cards in Backlog about hosting, but not T-1", "the last two cards of Review" */
export function readSet(phrase: string): CardQuery | undefined {
  const [, both, number, counted] = COUNTED.exec(phrase.trim()) ?? [];
  if (counted !== undefined && !/\band\b/i.test(counted)) {
    const all = readSet(`all ${counted}`);
    if (all?.by === "all") return { ...all, count: both === undefined ? countOf(number) : 2 };
  }
  if (PART.test(phrase.trim())) {
    const all = readSet(`all ${phrase.trim().replace(PART, "")}`);
    return all?.by === "all" ? { ...all, isPart: true } : undefined;
  }
  const [included, left] = exceptionsIn(plainly(phrase));
  const [untitled, titled] = cut(included.replace(OUTSIDE, " that are not ").replace(REST, "everything"), IN_TITLE);
  const [unsaid, subject] = cut(untitled, SUBJECT);
  const about = titled ?? subject;
  const ranked = OF_PRIORITY.exec(unsaid);
  const priority = ranked ? Number(ranked[1] ?? ranked[2]) : undefined;
  const unranked = ranked ? unsaid.replace(OF_PRIORITY, " ").replace(/\s+/g, " ").trim() : unsaid;
  const [described, said] = splitAt(unranked, WHICH_ARE);
  const { relative, urgency } = urgencyIn(said);
  // "that are in Done", "that are done"
  const isPlaced = relative !== undefined && IN_COLUMN.exec(relative)?.index === 0;
  const { rest, column } = takeColumn(isPlaced ? `${described} ${relative}` : described);
  const isFiltered = [left, about, priority, relative].some((each) => each !== undefined);

  const place = isFiltered ? undefined : placeIn(rest, column);
  // The whole board has no first or last card.
  if (place?.column !== undefined) return place;

  const single = onlyOne(rest, priority);
  if (single !== undefined && left === undefined && about === undefined && relative === undefined)
    return { by: "all", count: 1, ...defined({ column, priority, state: single === "" ? undefined : single }) };

  const adjective = adjectiveIn(rest, isFiltered || column !== undefined);
  if (adjective === undefined && !(priority !== undefined && rest === "")) return undefined;
  const states = [urgency ?? "", adjective ?? "", isPlaced ? "" : (relative ?? "")].filter((state) => state !== "");
  // No card is in two columns.
  const placing = states.filter((state) => !isUrgency(state)).length + (column === undefined ? 0 : 1);
  if (placing > 1 || states.length > 2) return undefined;
  const state = states.length === 0 ? undefined : states.join(" ");
  return {
    by: "all",
    ...defined({
      column,
      priority,
      state,
      about: about?.replace(/^the\s+/i, ""),
      except: left === undefined ? undefined : names(left).map((each) => within(exception(each), column)),
    }),
  };
}

/** "everything in Done but T-1", "everything but T-1 in Done" */
function exceptionsIn(phrase: string): readonly [included: string, left?: string] {
  const [included, left] = cut(phrase, EXCEPTIONS);
  if (left === undefined) return [included];
  if (IN_COLUMN.test(included)) return [included, left];
  const { rest, column } = takeColumn(left);
  return column !== undefined &&
    names(left).every((each) => {
      const one = exception(each);
      return typeof one === "string" || one.by === "place";
    })
    ? [`${included} in ${column}`, rest]
    : [included, left];
}

/** "the first two" are of the column that is named. */
const within = (each: Exception, column: string | undefined): Exception =>
  typeof each !== "string" && each.by === "place" ? { ...each, ...defined({ column: each.column ?? column }) } : each;

type Exception = string | CardSet | CardPlace;

/** "T-1", "the urgent ones", "those in Done", "the first two", "the invoice one" */
function exception(phrase: string): Exception {
  const plain = phrase
    .replace(/\bones\b/i, "cards")
    .replace(/^(?:those|the cards|cards|what(?:ever|'s)?(?: is)?)\b/i, "all cards");
  const set = isQuoted(phrase) ? undefined : readSet(plain);
  if (set?.by === "all" && set.isPart === undefined) return set;
  const place = set?.by === "place" ? set : isQuoted(phrase) ? undefined : placeIn(phrase, undefined);
  if (place !== undefined) return place;
  const about = ONE_ABOUT.exec(phrase)?.[1];
  return about === undefined ? cleanName(phrase) : { by: "all", about, count: 1 };
}

/** The urgency of the one card that a phrase means; "" where its priority says which. */
function onlyOne(phrase: string, priority: number | undefined): string | undefined {
  const found = SINGLE.exec(phrase);
  if (!found) return undefined;
  const [, said = ""] = found;
  if (said === "") return priority === undefined ? undefined : "";
  return priority === undefined && (isUrgency(said) || /^(?:highest|top|lowest)[- ]priority$/i.test(said))
    ? said
    : undefined;
}

/** The state of a phrase's cards: "" for any, undefined if the phrase means no set of cards. */
function adjectiveIn(phrase: string, isFiltered: boolean): string | undefined {
  if (ALL_CARDS.test(phrase)) return "";
  const adjective = (DESCRIBED_BEFORE.exec(phrase) ?? DESCRIBED_AFTER.exec(phrase))?.[1];
  if (adjective !== undefined) return adjective;
  // "done cards" means all of them; "the cards" needs a filter.
  const plain = PLURAL.exec(phrase);
  if (!plain) return undefined;
  return plain[1] ?? (isFiltered ? "" : undefined);
}

const isId = (name: string): boolean => CARD_ID.test(cleanName(name));

function cut(phrase: string, pattern: RegExp): readonly [rest: string, found?: string] {
  const found = pattern.exec(phrase);
  return found?.[1] === undefined ? [phrase] : [phrase.slice(0, found.index).trim(), found[1].trim()];
}

function splitAt(phrase: string, pattern: RegExp): readonly [before: string, after?: string] {
  const found = pattern.exec(phrase);
  return found ? [phrase.slice(0, found.index), phrase.slice(found.index + found[0].length)] : [phrase];
}

function takeColumn(phrase: string): { rest: string; column?: string } {
  const found = IN_COLUMN.exec(phrase);
  if (!found?.[1]) return { rest: phrase.trim() };
  const rest = phrase.slice(0, found.index).trim();
  if (
    /^(?:(?:the\s+)?(?:whole\s+|entire\s+)?board|(?:every|all|each)(?:\s+of)?(?:\s+the)?\s+(?:columns?|lists?|lanes?))$/i.test(
      found[1],
    )
  )
    return { rest };
  // "all in progress cards", "the backlog and in progress"
  if (PLURAL.test(found[1]) || /\band$/i.test(rest)) return { rest: phrase.trim() };
  return rest === "" ? { rest: phrase.trim() } : { rest, column: columnName(found[1]) };
}

export const cleanName = (name: string): string =>
  name
    .trim()
    .replace(/^(?:the\s+)?(?:card|task|ticket|item|issue|todo)s?\s+(?:(?:called|named|titled)\s+)?(?=\S)/i, "")
    .replace(/^the\s+(?=[A-Za-z]{1,10}-\d)/i, "")
    .replace(/^(?:the\s+)?(\S+\s+.*\S|[a-z]{1,10}-\d+)\s+(?:card|task|ticket|item)$/i, "$1")
    .replace(/^the\s+(\S+\s+.*\S)\s+(?:bug|feature|issue|story|thing|stuff|one)$/i, "$1")
    .trim();
