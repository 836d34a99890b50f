// Reads requests that change cards.
//
// (Long because each request that changes cards has a reader of its own.)

import { defined } from "@opstate/core";
import type { CardQuery, Intent } from "../intent.ts";
import type { Reader } from "./intents.ts";
import { certainlyCards, cleanName, readCards } from "./card-phrase.ts";
import { countOf } from "./count.ts";
import { names } from "./names.ts";
import { columnName, readPlace } from "./place-phrase.ts";
import { isMasked, isQuoted, quotedParts } from "./quotes.ts";
import { commandIn, isSlipOfTo } from "./spelling.ts";
import { swallowsRequest } from "./swallowed.ts";

export const move: Reader = (text) => {
  const marked = /^mark\s+(.+?)\s+as\s+(.+)$/i.exec(text) ?? /^mark\s+(.+?)\s+(in progress|to do|\S+)$/i.exec(text);
  if (marked?.[1] && marked[2]) {
    const cards = readCards(marked[1]);
    return cards.length === 0 ? undefined : { kind: "move", cards, column: columnName(marked[2]) };
  }
  const moved =
    /^(?:move|put|drag|send|shift|bring|push|place|transfer|shove|slide|pull|carry|hand|pop|stick|slot|stash|relocate|migrate)\s+(?!an?\s+(?:new\s+)?(?:card|task|ticket|item|todo)\b)(.+)$/i.exec(
      text,
    )?.[1];
  if (moved === undefined) return undefined;
  // "Put T-1 in Review" says where to, "move every card in Review" says which.
  // A title may contain "to": the first cut whose left side is certainly cards, else the last one.
  const cuts = [
    ...moved.matchAll(
      /\s+(?:(?:back|over|right|up|down|straight|on|along|across|off|forward)\s+)*(?:to|into|onto)\s+/gi,
    ),
  ];
  const cut =
    cuts.find((each) => certainlyCards(moved.slice(0, each.index))) ??
    cuts.at(-1) ??
    (/^(?:put|place|pop|stick|slot|stash)\b/i.test(text) ? /\s+(?:back\s+)?(?:in|under)\s+/i.exec(moved) : null);
  if (!cut) return undefined;
  const cards = readCards(moved.slice(0, cut.index));
  const place = readPlace(moved.slice(cut.index + cut[0].length));
  return cards.length === 0 || /^(?:it|that|this|there|them|(?:its|their) \w+)$/i.test(place.column ?? "")
    ? undefined
    : { kind: "move", cards, ...place };
};

const STEPS = "(a|one|two|three|\\d)(?:\\s+(?:columns?|lists?|lanes?|steps?|places?))?";
/** "move T-3 two columns to the right", "T-3 to the next column" */
const SHIFTED = [
  new RegExp(
    `^(?:move\\s+|put\\s+|push\\s+|shift\\s+)?(.+?)\\s+(?:by\\s+)?(?:over\\s+)?${STEPS}\\s+(?:to\\s+the\\s+)?(right|left|further|forwards?|backwards?|back|on|ahead|along)$`,
    "i",
  ),
  /^(?:move|push|shift|put|slide)\s+(?!.*\b(?:column|list|lane)\b)(.+?)\s+(?:to\s+the\s+)?()(left|right|forwards?|backwards?|ahead|along)$/i,
  /^(?:move\s+|put\s+|push\s+|advance\s+)?(.+?)\s+(?:in|on|along)?(?:to\s+)?(?:the\s+)?()(next|previous|following|prior)\s+(?:column|list|lane|stage|step)$/i,
];

export const shift: Reader = (text) => {
  const [, phrase, count = "", direction = ""] =
    SHIFTED.map((each) => each.exec(text)).find((found) => found !== null) ?? [];
  if (phrase === undefined) return undefined;
  const cards = readCards(phrase);
  const by = countOf(count === "" ? undefined : count);
  return cards.length === 0
    ? undefined
    : { kind: "move", cards, shift: /^(?:left|back|prev|prior)/i.test(direction) ? -by : by };
};

/** "put T-3 at the top", "move T-3 up to the top" */
export const moveWithin: Reader = (text) => {
  const [, phrase, where] =
    /^(?:move|put|drag|send|bring|push|place|get)\s+(.+?)\s+(?:up\s+|down\s+|right\s+)?(?:to|at|on)\s+(?:the\s+)?(?:very\s+)?(top|bottom|end|start|beginning|front)(?:\s+of\s+(?:its|the|their)\s+(?:column|list|lane))?$/i.exec(
      text,
    ) ?? [];
  if (phrase === undefined || where === undefined) return undefined;
  const cards = readCards(phrase);
  return cards.length === 0 ? undefined : { kind: "move", cards, position: /bottom|end/i.test(where) ? "last" : 0 };
};

/** "put T-3 after T-4" */
export const moveBeside: Reader = (text) => {
  const [, phrase, where, name] =
    /^(?:move|put|drag|place|send|bring|stick|pop)\s+((?:(?!\s(?:to|into|in)\s).)+?)\s+(?:to\s+)?(?:right\s+|directly\s+|just\s+)?(before|after|above|below|behind|under|in front of|ahead of)\s+(.+)$/i.exec(
      text,
    ) ?? [];
  if (phrase === undefined || name === undefined || swallowsRequest(text)) return undefined;
  const cards = readCards(phrase);
  const anchor = cleanName(name);
  const isBefore = /before|above|front|ahead/i.test(where ?? "");
  return cards.length === 0
    ? undefined
    : { kind: "move", cards, position: isBefore ? { before: anchor } : { after: anchor } };
};

export const swap: Reader = (text) => {
  const [, one, other] =
    /^swap\s+(?:the\s+)?(.+?)\s+(?:and|with)\s+(?:the\s+)?(.+?)(?:\s+columns?)?$/i.exec(text) ?? [];
  return one !== undefined && other !== undefined && !swallowsRequest(text)
    ? { kind: "swap", one: cleanName(one), other: cleanName(other) }
    : undefined;
};

export const sort: Reader = (text) => {
  const column = /^sort\s+(.+?)\s+by\s+priority$/i.exec(text)?.[1];
  return column === undefined ? undefined : { kind: "sort", column: columnName(column) };
};

export const reprioritise: Reader = (text) => {
  const [, verb, phrase] =
    /^(raise|increase|up|bump(?: up)?|lower|reduce|decrease|drop)\s+(?:the\s+)?(?:priority|prio|urgency)\s+(?:of|for|on)\s+(?!.*\s(?:to|at|as|until)\s+\d)(.+)$/i.exec(
      text,
    ) ?? [];
  const cards = readCards(phrase ?? "");
  return cards.length === 0
    ? undefined
    : { kind: "reprioritise", cards, by: /^(?:lower|reduce|decrease|drop)/i.test(verb ?? "") ? 1 : -1 };
};

export const addCards: Reader = (text) => {
  const added = /^(?:add|create|make|insert|put|new|file|open)\s+(.+)$/i.exec(text)?.[1];
  // "make the card T-3 done" is about a card that is there.
  if (added === undefined || /^(?:make|put|open)\s+the\s+(?:card|task|ticket|item|todo)\b/i.test(text))
    return undefined;
  const { rest, priority } = takePriority(added);
  const found =
    titlesAfterColon(rest) ?? calledAfterPlace(rest) ?? quotedTitles(rest) ?? bareTitle(rest, /^add\b/i.test(text));
  if (!found || found.titles.length === 0 || !found.titles.every((title) => isTitle(title, found.isBare)))
    return undefined;
  if (/^(?:its|their)\s+(?:place|stead)$/i.test(found.place ?? "")) return undefined;
  // "a card that says move T-1 to Done": where would it go?
  if (found.place !== undefined && found.titles.some((title) => !isQuoted(title) && /\b[a-z]{1,10}-\d/i.test(title)))
    return undefined;
  return {
    kind: "addCards",
    titles: found.titles,
    ...(found.place === undefined ? {} : readPlace(found.place)),
    ...defined({ priority }),
  };
};

interface Titles {
  readonly titles: readonly string[];
  readonly place?: string;
  /** Only the verb says that these are titles. */
  readonly isBare?: boolean;
}

const A_CARD =
  "(?:(?:a|an|another|one|two|three|four|five|six|\\d+|some|the|these|following|the following)\\s+)?(?:new\\s+)?(?:card|task|ticket|item|todo)s?";
const IN_COLUMN =
  "(?:\\s*,|\\s+-+)?\\s+(?:(?:to|in|into|on|under)|at(?=\\s+(?:the\\s+)?(?:very\\s+)?(?:top|bottom|end|start|beginning)\\b))\\s+";

/** Whether a text can be a title: not existing cards, not a place, and not another request. */
export function isTitle(title: string, isBare = false): boolean {
  if (isQuoted(title)) return true;
  // What is quoted is the whole title, and so is "add crad buy milk" not.
  if (isMasked(title) || title.endsWith(",")) return false;
  if (title.split(" ", 2).some((word) => commandIn(word) !== undefined)) return false;
  // "Foo to Done and Bar" are two cards.
  if (
    /\b(?:to|in)\b.*\band\b|\b(?:and|or|but|not|except)$|\b(?:and|or)\s+(?:an?|another)\s+(?:card|task|ticket|item|todo)\b/i.test(
      title,
    )
  )
    return false;
  if (
    swallowsRequest(title) ||
    /^(?:to|in|into|on|under|at|for|from|of|that|which|with|about)\b/i.test(title) ||
    certainlyCards(title)
  )
    return false;
  // "add a comment to T-3" and "add everything to Done" ask for something else than a card.
  return !isBare || (readCards(title).length > 0 && !/^(?:an?|the|my|our)\s|\b[a-z]{1,10}-\d/i.test(title));
}

/** "a card to Backlog: Write docs" */
function titlesAfterColon(text: string): Titles | undefined {
  const found = new RegExp(`^${A_CARD}(?:${IN_COLUMN}([^:]+))?:\\s+(.+)$`, "i").exec(text);
  if (found?.[2] === undefined) return undefined;
  return {
    titles: isSeveral(text) ? names(found[2]) : [found[2]],
    ...defined({ place: found[1] }),
  };
}

/** "a card to Review called Write docs" */
function calledAfterPlace(text: string): Titles | undefined {
  const [, place, title] =
    new RegExp(
      `^${A_CARD}${IN_COLUMN}(.+?)[,:]?\\s+(?:called|named|titled|saying|that says|with the (?:title|name))[:\\s]\\s*(.+)$`,
      "i",
    ).exec(text) ?? [];
  return place === undefined || title === undefined ? undefined : { titles: [title], place };
}

/** "'Write docs' and 'Write tests' to Backlog": quoted titles, then "to" or "in". */
function quotedTitles(text: string): Titles | undefined {
  const [first] = quotedParts(text);
  if (first === undefined) return undefined;
  const [before, quoted] = [text.slice(0, text.indexOf(first)).trim(), text.slice(text.indexOf(first))];
  if (before !== "" && !new RegExp(`^${A_CARD}(?:\\s+(?:called|named|titled|saying))?:?$`, "i").test(before))
    return undefined;
  const cut = new RegExp(IN_COLUMN, "i").exec(quoted);
  const list = cut ? quoted.slice(0, cut.index) : quoted;
  if (!/^(?:\s|,|&|and\b)*$/i.test(quotedParts(list).reduce((left, part) => left.replace(part, ""), list)))
    return undefined;
  return { titles: quotedParts(list), ...(cut && { place: quoted.slice(cut.index + cut[0].length) }) };
}

/** Words that can only be a title: not of a kind of thing, and more than one. */
const WISH =
  /^(?!(?:a|an|another|any|all|card|colou?r|column|comment|copy|date|deadline|due|duplicate|everything|few|filter|it|label|lane|list|member|more|new|note|one|people|person|prio|priority|some|someone|sub\w*|tag|task|that|the|them|these|this|ticket|time|todo|two|three|user|users)s?\b)(?!\d+\s)[\p{L}\p{N}][^:]*\s[^:\s][^:]*$/iu;

/**
 * "a card Write docs to Backlog": the column follows the last "to" or "in". Without "a card" a
 * title is assumed only if `isAdded`.
 */
function bareTitle(text: string, isAdded: boolean): Titles | undefined {
  const title = new RegExp(
    `^${A_CARD}\\s+(?:(?:called|named|titled|saying|that says|to|for|about)\\s+)?(.+)$`,
    "i",
  ).exec(text)?.[1];
  if (title === undefined && !isAdded) return undefined;
  // "add buy milk"
  if (title === undefined && WISH.test(text) && !new RegExp(IN_COLUMN, "i").test(text))
    return { titles: text.includes(",") ? names(text) : [text], isBare: true };
  const titlesIn = (words: string) => (isSeveral(text) ? names(words) : [words.replace(/(?:,|\s-+)$/, "")]);
  const placed = new RegExp(`^(.+)${IN_COLUMN}(?!\\d)(.+)$`, "i").exec(title ?? text);
  // "Ring the bank in In Progress"
  const [, inner, preposition] = /^(.+)\s+(to|in|into|on|under)$/i.exec(placed?.[1] ?? "") ?? [];
  if (inner !== undefined && preposition !== undefined && placed?.[2])
    return {
      titles: titlesIn(inner),
      place: `${/\bin\s+\S+$/i.test(placed[0]) ? "in " : ""}${placed[2]}`,
      isBare: title === undefined,
    };
  // "a card called Move to Done": a verb alone is no title.
  if (title !== undefined && placed?.[1] !== undefined && VERB_ALONE.test(placed[1])) return { titles: [title] };
  if (placed?.[1] && placed[2]) return { titles: titlesIn(placed[1]), place: placed[2], isBare: title === undefined };
  return title === undefined ? undefined : { titles: titlesIn(title) };
}

/** "a card called Move to Done": where would a card "Move" go? */
export const VERB_ALONE =
  /^(?:move|put|send|bring|drag|shift|push|pull|go|get|take|return|switch|migrate|upgrade|talk|listen)(?: back| over| on)?$/i;

const isSeveral = (text: string): boolean => /^(?:\w+\s+){0,3}(?:cards|tasks|tickets|items|todos)\b/i.test(text);

export const prioritise: Reader = (text) => {
  const patterns = [
    /^(?:set|change|make|update|put|raise|lower|increase|decrease|bump)\s+(?:the\s+)?priority\s+(?:of|for|on)\s+(?<cards>.+?)\s+(?:to|at|as|until|=)\s*(?:priority\s+)?(?<n>\d+)$/i,
    /^(?:set|change|make|give|mark|raise|lower|bump|put)\s+(?<cards>.+?)(?:'s)?\s+(?:to\s+|at\s+|as\s+)?(?:a\s+)?(?:priority\s+(?:of\s+|to\s+|=\s*)?|prio\s*|p)(?<n>\d+)$/i,
    /^(?:raise|lower|bump|prioriti[sz]e)\s+(?<cards>.+?)\s+(?:to|at|as)\s+(?:p)?(?<n>\d+)$/i,
  ];
  const found = patterns.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined);
  const cards = readCards(found?.cards ?? "");
  return cards.length === 0 ? undefined : { kind: "prioritise", cards, priority: Number(found?.n) };
};

export const rename: Reader = (text) => {
  const renamed =
    /^(?:rename|retitle|change the (?:title|name) of|set the title of|call)\s+(.+?)\s+(?:to|into)\s+(.+)$/i.exec(
      text,
    ) ?? /^(?:rename|call|name|retitle)\s+(.+?)\s+(\uE000\d+\uE001)$/i.exec(text);
  if (!renamed?.[1] || !renamed[2] || swallowsRequest(renamed[2])) return undefined;
  if (isSlipOfTo(renamed[2].split(" ")[0] ?? "")) return undefined;
  // What is quoted is the whole title.
  if (isMasked(renamed[2]) && !isQuoted(renamed[2])) return undefined;
  // "Done to Finished and Review to QA" are two.
  if (/(?:,|\band\b).*\s+to\s+/i.test(renamed[2])) return undefined;
  const column = columnName(renamed[1]);
  const isColumn = /\b(?:column|list|lane)\b/i.test(renamed[1]);
  if (isColumn) return { kind: "rename", what: "column", name: column, title: renamed[2] };
  const [query, another] = readCards(renamed[1]);
  if (another !== undefined) return undefined;
  const name = query?.by === "name" ? query.name : renamed[1];
  return {
    kind: "rename",
    what: /\b(?:card|task|ticket)\b/i.test(renamed[1]) || certainlyCards(renamed[1]) ? "card" : "either",
    name,
    title: renamed[2],
  };
};

export const remove: Reader = (text) => {
  const removed =
    /^(?:remove|delete|discard|trash|bin|scrap|ditch|erase|kill|junk|get rid of|throw away|throw out|chuck out)\s+(.+?)(?:\s+(?:away|off the board|from the board))?$/i.exec(
      text,
    )?.[1] ?? /^(?:take|throw)\s+(.+?)\s+(?:away|off the board)$/i.exec(text)?.[1];
  return removed === undefined || swallowsRequest(removed) ? undefined : removal(readCards(removed));
};

/** A whole column is cleared by one call; other sets are removed card by card. */
export function removal(cards: readonly CardQuery[]): Intent | undefined {
  const [only] = cards;
  const isWhole =
    only?.by === "all" &&
    cards.length === 1 &&
    [only.priority, only.state, only.about, only.except, only.count, only.isPart].every(
      (filter) => filter === undefined,
    );
  if (isWhole) return only.column === undefined ? { kind: "clear" } : { kind: "clear", column: only.column };
  return cards.length === 0 ? undefined : { kind: "remove", cards };
}

const URGENT_END =
  /(?:\s*[,;]\s*|\s+\()(?:it'?s\s+)?(?:very\s+)?(?:urgent|high[- ]priority|top[- ]priority|critical|important)(?:!|\))*(?=$|,?\s+(?:to|in|into|under)\s)/i;
const URGENT_CARD =
  /^((?:(?:a|an|another|one|the)\s+)?(?:new\s+)?)(?:very\s+)?(?:urgent|high[- ]priority|top[- ]priority|critical)\s+(?=(?:new\s+)?(?:card|task|ticket|item|todo)\b)/i;

function takePriority(phrase: string): { rest: string; priority?: number } {
  const urgent = URGENT_CARD.exec(phrase);
  if (urgent) return { rest: (urgent[1] ?? "") + phrase.slice(urgent[0].length), priority: 1 };
  const end = URGENT_END.exec(phrase);
  if (end) return { rest: phrase.slice(0, end.index) + phrase.slice(end.index + end[0].length), priority: 1 };
  const high = /\s+with\s+(?:a\s+|the\s+)?(?:high|top|highest|urgent)\s+priority\b/i.exec(phrase);
  if (high) return { rest: `${phrase.slice(0, high.index)}${phrase.slice(high.index + high[0].length)}`, priority: 1 };
  const found = /,?\s*\(?\b(?:(?:with|at|of|and)\s+)?(?:a\s+)?(?:priority|prio)\s*(?:of|:|=|is)?\s*(\d+)\b\)?/i.exec(
    phrase,
  );
  const short = /(?:\s*,\s*|\s+\(?|\s+(?:as|at|with)\s+)p([1-4])\)?(?=$|,?\s+(?:to|in|into|on|under)\s)/i.exec(phrase);
  if (!found && short)
    return {
      rest: phrase.slice(0, short.index) + phrase.slice(short.index + short[0].length),
      priority: Number(short[1]),
    };
  if (!found) return { rest: phrase };
  return {
    rest: `${phrase.slice(0, found.index)} ${phrase.slice(found.index + found[0].length)}`.replace(/\s+/g, " ").trim(),
    priority: Number(found[1]),
  };
}
