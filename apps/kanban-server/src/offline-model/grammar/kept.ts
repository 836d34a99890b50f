// What the kept words of a rule mean, in every way that they can be read: cards, a place, a title,
// a priority. Names are not yet resolved on the board, which decides between the readings.

import { defined } from "@opstate/core";
import { commandIn } from "../reading/spelling.ts";
import type { CardQuery } from "../intent.ts";
import { CARD_ID, cleanName, readCards, readSet } from "../reading/card-phrase.ts";
import { isTitle } from "../reading/cards.ts";
import { isStage } from "../reading/columns.ts";
import { countOf } from "../reading/count.ts";
import { isMasked, isQuoted } from "../reading/quotes.ts";
import { type Place, columnName, readPlace } from "../reading/place-phrase.ts";

/** What a rule reads of its kept words. */
export interface Kept {
  readonly cards: readonly CardQuery[];
  /** One card, as a name. */
  readonly card: CardQuery & { readonly by: "name" };
  readonly other: CardQuery & { readonly by: "name" };
  readonly place: Place;
  readonly column: string;
  /** A column that is called one. */
  readonly lane: string;
  /** The column that cards are in. */
  readonly from: string;
  /** The title of a new column. */
  readonly heading: string;
  /** A column that another stands beside. */
  readonly anchor: string;
  readonly title: string;
  readonly quoted: string;
  readonly titles: readonly string[];
  /** In words: "priority 1", "urgent". */
  readonly priority: number;
  /** A priority as a mere number. */
  readonly number: number;
  readonly count: number;
  /** The top or the bottom of a column. */
  readonly end: "first" | "last";
  /** Cards that are asked for. */
  readonly set: CardQuery;
}

/** Cards in narrower words, which a rule may ask for. */
type Narrower =
  /** Not all of the board. */
  | "some"
  /** Each by its name. */
  | "named"
  /** The same, where no other word says that these are cards. */
  | "bare"
  /** From the top or the bottom of a column. */
  | "placed";

type Reader<Value> = (text: string) => readonly Value[];

/** What a request hinges on is no name. */
const HINGES =
  /\b(?:not|no|never|nor|neither|nothing|nobody|none|unless|if|except|without|instead|until|till|or|but|rather|once|after|when|whenever|before|because|while|then|should(?:n't)?|\w+n't|dont|cant|wont|almost|nearly|half|maybe|might|soon|tomorrow|later)\b/i;
/** What names nothing that is on the board. */
const NO_NAME =
  /^(?:an?|another|new|some|me|us|i|we|you|he|she|they|it|them|this|that|these|those|here|there|what|which|who|how|when|where|why|and|to|in|of|for|with|at|by|be|is|are|on|please|let|do|did|can|could|would|will)\b|\b(?:it|them|me|us|we|you|what|which|who)$/i;

/** "T-2 to", "make T-3" */
const CUT_WRONG =
  /(?:,|\b(?:to|in|into|onto|on|at|from|of|with|and|or|the|an?))$|^(?!(?:card|task|ticket|item|the|my|our|number)\b)[a-z]+ [a-z]{1,10}-\d+$/i;

/** A wish of which the rest was not understood. */
const VERB_FIRST =
  /^(?:add|assign|archive|bring|call|change|clear|close|copy|create|delete|drag|drop|finish|get|give|insert|keep|link|make|mark|merge|move|name|open|pull|push|put|raise|remove|rename|send|set|share|sort|split|start|swap|take|undo|update)\b/i;
const NO_COLUMN = /^(?:its?|their|them|this|that|there|here|me|us|you|which|what|where|who)\b/i;

type Readers = { readonly [Name in keyof Kept]: Reader<Kept[Name]> } & Readonly<
  Record<Narrower, Reader<Kept["cards"]>>
>;

export const READERS: Readers = {
  cards: cardsIn,
  some: (text) => cardsIn(text).filter((cards) => !cards.some(isEvery)),
  bare: (text) => (VERB_FIRST.test(text) ? [] : READERS.named(text)),
  placed: (text) => cardsIn(text).filter((cards) => cards.every(({ by }) => by === "place")),
  named: (text) => cardsIn(text).filter((cards) => cards.every(({ by }) => by === "name")),
  card: oneCard,
  other: oneCard,
  place: (text) => {
    const { column, position } = readPlace(text);
    return column === undefined || HINGES.test(column) || NO_COLUMN.test(column)
      ? []
      : [{ column, ...defined({ position }) }];
  },
  column: columnIn,
  from: columnIn,
  lane: (text) =>
    /^(?:the\s+)?(?:column|col|list|lane)\s+\S|\S\s+(?:column|col|list|lane)$/i.test(text) ? columnIn(text) : [],
  heading: (text) =>
    isStage(text) ||
    (isTitle(text) &&
      !/\b(?:in|to|at|on|of|for|with|from|the)$|[:;,]|\b(?:before|after|between|and|or|columns?|lists?|lanes?|cards?)\b|^(?:for|called|named|new|another)\b|\b(?:on|at|to|in)\s+the\s+(?:\w+\s+)?\w+$/i.test(
        text,
      ))
      ? [text]
      : [],
  anchor: columnIn,
  title: (text) => (isWhole(text) ? [withoutLead(text)] : []),
  quoted: (text) => (isQuoted(text) ? [text] : []),
  titles: (text) => {
    const parts = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/i);
    return parts.length > 1 && parts.every(isWhole) ? [parts] : [];
  },
  priority: (text) => {
    const found = PRIORITIES.find(([says]) => says.test(text.trim()));
    const level = found && (found[1] ?? Number(/[1-4]/.exec(text)?.[0]));
    return level === undefined ? [] : [level];
  },
  number: (text) => (/^[1-4]$/.test(text) ? [Number(text)] : []),
  count: (text) => (/^(?:[1-9]|a|one|two|three)$/.test(text) ? [countOf(text)] : []),
  end: (text) => {
    if (/^(?:top|first|head|front|start|uppermost)$/i.test(text)) return ["first"];
    return /^(?:bottom|last|end|lowest)$/i.test(text) ? ["last"] : [];
  },
  set: (text) => {
    const plain = text.replace(/^(?:me |us )?(?:the |my |our )?(?=(?:cards|tasks|tickets|items)\b)/i, "all ");
    const set = readSet(plain) ?? readSet(`all ${plain}`);
    return set === undefined || (set.by === "all" && HINGES.test(set.state ?? "")) ? [] : [set];
  },
};

function columnIn(text: string): readonly string[] {
  return HINGES.test(text) || NO_COLUMN.test(text) || commandIn(text) !== undefined ? [] : [columnName(text)];
}

const PRIORITIES: readonly (readonly [says: RegExp, level?: 1 | 4])[] = [
  [/^(?:a |of |the )?(?:priority|prio|p)(?: ?(?:level|number|of|is|to|=|:))? ?[1-4]$/i],
  [
    /^(?:(?:the|a|of|very|super|really|extremely) )*(?:urgent|critical|important|(?:top|highest|high|number one|#1|max|maximum)[- ]?(?:priority|prio)|(?:most )(?:urgent|important))$/i,
    1,
  ],
  [/^(?:(?:the|a|of) )*(?:lowest[- ]?(?:priority|prio)|least (?:urgent|important))$/i, 4],
];

/** "search card" is as sure as "the search card". */
const WORD_CARD =
  /^(?!(?:any|each|every|some|which|what|this|that|these|those|one|new|next|last|first|other|open|done|urgent|top|bottom|same|add|new)\b)([\p{L}\p{N}-]{3,})\s+(?:card|task|ticket)$/iu;
/** "the announcement" is as sure as "the announcement card". */
const THE_WORD = /^(?:the|our|my)\s+([\p{L}\p{N}-]{3,})(?:\s+(?:one|thing|card|task|ticket|item|bug|issue))?$/iu;

function cardsIn(text: string): readonly Kept["cards"][] {
  return [listed(text), someCards(text)].filter((each) => each !== undefined);
}

/** Whether a query means the whole board. */
const isEvery = (query: CardQuery): boolean => query.by === "all" && Object.keys(query).length === 1;

function someCards(text: string): readonly CardQuery[] | undefined {
  const set = readSet(text);
  if (set !== undefined) return [set];
  if (NO_NAME.test(text) || HINGES.test(text) || CUT_WRONG.test(text)) return undefined;
  const word = (THE_WORD.exec(text) ?? WORD_CARD.exec(text))?.[1];
  if (word !== undefined && !CARD_ID.test(word)) return [{ by: "name", name: word, isAbout: true }];
  const cards = readCards(text);
  return cards.length === 0 ? undefined : cards;
}

/** "the announcement, T-3 and the pricing card" */
function listed(text: string): readonly CardQuery[] | undefined {
  const parts = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/i);
  if (parts.length < 2 || parts.length > 10) return undefined;
  const read = parts.map(someCards);
  return read.every((each) => each !== undefined) ? read.flat() : undefined;
}

function oneCard(text: string): readonly Kept["card"][] {
  const [query, another] = someCards(text.replace(/'s$/, "")) ?? [];
  return query?.by === "name" && another === undefined ? [query] : [];
}

/** Whether all of it can be a title: no place follows, and it names nothing that is there. */
const isWhole = (text: string): boolean =>
  isQuoted(text) ||
  (isTitle(text) &&
    !isMasked(text) &&
    !/^(?:as|called|named|and|or|is|are|it|them|too)\b|\b(?:to|in|into|onto|under)\s+(?:the\s+)?\S+$|\b(?:to|in|into|onto|under|on|of|for|with|at|from)$|\b[a-z]{1,2}-\d+\b/i.test(
      text,
    ) &&
    !OF_CARD.test(text));

/** "a task: call Bob" is a title with what it is the title of. */
const OF_CARD = /^(?:(?:an?|the|this|one|another|some|new)\s+)*(?:cards?|tasks?|tickets?|columns?|title|name)\b/i;

/** "that we have to ring Bob" */
const withoutLead = (text: string): string =>
  text.replace(/^(?:(?:i|we|someone) (?:still |also )?(?:have to|need to|must|should|ought to|gotta) )/i, "");

/** What a rule calls the kept words of a name. */
export const keptAs = (name: keyof Readers): keyof Kept =>
  name === "some" || name === "named" || name === "bare" || name === "placed" ? "cards" : name;

export const nameOf = ({ name }: Kept["card"]): string => cleanName(name);
