// What a request that is not understood may ask for, from the words in it: whole requests, which a
// person may choose from. Nothing is done by a guess.
//
// Invariants:
// - A request that says what not to do, or what to leave out, is not guessed at.
// - A question is answered with questions.

import { type Board, findCard, isLikeWord, tellingWords, wordsIn } from "@opstate/kanban-domain";
import { withoutCommands } from "./reading/spelling.ts";
import { columnOfState } from "./resolve.ts";

interface Subject {
  /** "T-1 and T-2" */
  readonly ids: string;
  readonly text: string;
  readonly board: Board;
}

interface Cue {
  readonly example: string;
  readonly says: RegExp;
  /** "not needed" is a wish, and "not finished" none. */
  readonly isNegative?: true;
  offers(subject: Subject): string | undefined;
}

const to = (column: string | undefined, { ids, board }: Subject): string | undefined => {
  const here = new Set(ids.split(" and ").map((id) => findCard(board, id)?.column.title));
  return column === undefined || (here.size === 1 && here.has(column)) ? undefined : `Move ${ids} to ${column}`;
};
const inState = (state: string, { board }: Subject): string | undefined => columnOfState(board, state)?.title;

/** The first one that fits is the likeliest. */
export const CUES: readonly Cue[] = [
  {
    example: "nobody needs the spreadsheet thing any more",
    says: /\b(?:drop|kill|scrap|cancel\w*|ditch|bin|trash|forget|obsolete|pointless|useless|duplicate)\b|\bno longer\b|\b(?:n't|nobody|no one|no) needs?\b|\bany ?more\b/i,
    isNegative: true,
    offers: ({ ids }) => `Remove ${ids}`,
  },
  {
    example: "the sign-up form can wait",
    says: /\b(?:can wait|low|no rush|no hurry|whenever|not (?:so |that |very |really )?(?:important|urgent|pressing)|nice to have)\b/i,
    isNegative: true,
    offers: ({ ids }) => `Set priority of ${ids} to 4`,
  },
  {
    example: "rate limits is on fire",
    says: /\b(?:urgent\w*|important|asap|critical|crucial|fire|burning|priority|prio|matters?|pressing|hurry|rush|top of my list)\b/i,
    offers: ({ ids }) => `Set priority of ${ids} to 1`,
  },
  {
    example: "the csv export broke again",
    says: /\b(?:re-?open\w*|broke|broken|again|(?:is|are|came|'s) back|reject\w*|drawing board|later|park\w*|postpone\w*|shelve\w*|on hold|pause\w*|not now|back ?burner|blocked|stuck)\b/i,
    offers: (subject) => to(subject.board.columns[0]?.title, subject),
  },
  {
    example: "ada has the announcement on her desk, for a check",
    says: /\b(?:check\w*|look(?:ed)? at|approv\w*|sign[- ]?off|feedback|qa|test\w*|proofread\w*)\b/i,
    offers: (subject) => to(subject.board.columns.find(({ title }) => /review/i.test(title))?.title, subject),
  },
  {
    example: "dark mode went live this morning",
    says: /\b(?:done|finish\w*|complet\w*|ship\w*|live|releas\w*|merged|fixed|landed|sorted|deliver\w*|wrapped|closed?|ready|works|went out)\b/i,
    offers: (subject) => to(inState("done", subject), subject),
  },
  {
    example: "bob began with the shortcuts",
    says: /\b(?:start\w*|begin\w*|began|begun|work(?:ing)?|tackl\w*|pick\w*|on it|underway|next|going on)\b/i,
    offers: (subject) => to(inState("in progress", subject), subject),
  },
  {
    example: "pricing goes before all the others",
    says: /\b(?:top|first|front|before|above|ahead)\b/i,
    offers: ({ ids }) => `Move ${ids} to the top`,
  },
  {
    example: "the sign-up card is better known as 'Short form'",
    says: /\b(?:call\w*|named?|title\w*|says?|read|known|word\w*|rephrase)\b.*'[^']+'/i,
    offers: ({ ids, text }) =>
      ids.includes(" and ") ? undefined : `Rename ${ids} to ${/'[^']+'/.exec(text)?.[0] ?? ""}`,
  },
];

const LEFT_OUT =
  /\b(?:but|except|apart from|other than|without|unless|only|instead|rather|whatever|not|never|\w+n't|dont|isnt)\b/i;
const BESIDE = /^(.+?)\b(before|above|after|below)\b(.+)$/i;
const ASKS =
  /\?\s*$|^(?:what|which|who|whose|where|when|why|how|is|are|was|were|did|does|do|has|have|any(?:thing|one|body)?)\b/i;
/** What may be a new card: "we need to order stickers". */
const NEW =
  /^(?:(?:oh|ok|and|also|please|so|hey|hi|someone|somebody|i|we|you|us|let'?s|really|still|just|should|must|need(?:s)? to|have to|has to|had better|better|ought to|want to|got to|gotta|must not forget to|forgot to|remember to|remind (?:me|us) to|do(?:n'?t| not) forget to|to)[,\s]+)+(?=\S+ \S)/i;
const NEW_CARD = /\b(?:add|create|(?:new|a|another) (?:card|task|ticket|column))\b/i;
const LONGEST = 60;

/** Whether a request leaves something out: what is understood of the rest may then be too much. */
export const leavesOut = (text: string): boolean => LEFT_OUT.test(text);

export const isQuestion = (text: string): boolean => ASKS.test(text.trim());

/** The likeliest first; none if nothing on the board is named, and nothing new. */
export function guesses(text: string, board: Board): readonly string[] {
  if (isQuestion(text)) return [];
  const columns = board.columns.filter(({ title }) => isSaid(title, text));
  const cards = cardsIn(text, board);
  if (NEW_CARD.test(text)) return [];
  if (cards.length === 0) return columns.length > 0 || leavesOut(text) ? [] : newCard(text);
  const [, one = "", side = "", other = ""] = BESIDE.exec(text) ?? [];
  const [ends, others] = [cardsIn(one, board), cardsIn(other, board)];
  if (ends.length === 1 && others.length === 1 && !leavesOut(text) && !/ and /.test(`${others[0]}`))
    return [`Move ${ends[0]} ${side.toLowerCase()} ${others[0]}`];
  const cues = CUES.filter(({ says }) => says.test(text));
  if (leavesOut(text) && cues[0]?.isNegative !== true) return [];
  const offers = cards.flatMap((ids) => {
    const subject = { ids, text, board };
    return [...columns.map(({ title }) => to(title, subject)), ...cues.map((cue) => cue.offers(subject))];
  });
  return [...new Set(offers)].filter((each) => each !== undefined);
}

function newCard(text: string): readonly string[] {
  const title = text.replace(NEW, "").replace(/[.!\s]+$/, "");
  if (title === text || title.length > LONGEST || /['"]/.test(title)) return [];
  return [`Add a card '${title.slice(0, 1).toUpperCase()}${title.slice(1)}'`];
}

const isSaid = (title: string, text: string): boolean =>
  ` ${wordsIn(text).join(" ")} `.includes(` ${wordsIn(title).join(" ")} `);

/**
 * The cards that are meant, together if they are listed: by id, or by words that no other card has.
 * Each is a choice of its own where it is not clear which one is meant.
 */
function cardsIn(text: string, board: Board): readonly string[] {
  const all = board.columns.flatMap(({ cards }) => cards);
  const ids = [...text.matchAll(/\bT-\w+/g)].map(([id]) => id).filter((id) => findCard(board, id) !== undefined);
  if (ids.length > 0) return [[...new Set(ids)].join(" and ")];
  const words = tellingWords(withoutCommands(text));
  const like = (word: string) => all.filter(({ title }) => wordsIn(title).some((each) => isLikeWord(word, each)));
  const telling = words.map(like).filter(({ length }) => length === 1);
  const counts = new Map<string, number>();
  for (const { cardId } of (telling.length > 0 ? telling : words.map(like)).flat())
    counts.set(cardId, (counts.get(cardId) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const named = [...counts].filter(([, count]) => count === most).map(([id]) => id);
  // One word of many may be there by chance.
  if (most * 6 < words.length) return [];
  const isList = telling.length > 0 && /,|\band\b|&/.test(text);
  return isList && named.length > 1 ? [named.slice(0, 3).join(" and ")] : named.slice(0, 2);
}
