// What a request that is not understood may ask for, from the words in it: whole requests, which a
// person may choose from. Nothing is done by a guess.
//
// Invariants:
// - No guess is made of a question, of a condition, or of what should not be.
// - A guess is about one card: of several it is not clear which one the words are about.

import { type Board, findCard, isLikeWord, tellingWords, wordsIn } from "@opstate/kanban-domain";
import { withoutCommands } from "./reading/spelling.ts";
import { columnOfState } from "./resolve.ts";

interface Subject {
  readonly cardId: string;
  readonly board: Board;
}

/** Words that say what is wished of a card. */
interface Cue {
  readonly example: string;
  /** A "not" within it is a part of the wish: "not needed". */
  readonly says: RegExp;
  /** The wish; undefined where the board has no such column, or the card is there already. */
  offers(subject: Subject): string | undefined;
}

function moveTo(column: string | undefined, { cardId, board }: Subject): string | undefined {
  const isThere = findCard(board, cardId)?.column.title === column;
  return column === undefined || isThere ? undefined : `Move ${cardId} to ${column}`;
}

const columnFor = (state: string, { board }: Subject): string | undefined => columnOfState(board, state)?.title;

/** The first one that fits is the likeliest. */
export const CUES: readonly Cue[] = [
  {
    example: "nobody needs the spreadsheet thing",
    says: /\b(?:nobody|no one) needs\b|\bnot needed\b|\b(?:do|does)(?: not|n't) need\b(?! (?:to|a|any|review)\b)|\b(?:kill|scrap|ditch|bin|trash)\b/i,
    offers: ({ cardId }) => `Remove ${cardId}`,
  },
  {
    example: "the sign-up form can wait",
    says: /\bcan wait\b|\blow[- ]prio(?:rity)?\b|\bno (?:rush|hurry)\b|\b(?:is|are)(?: not|n't) (?:so |that |very |really )?(?:important|urgent|pressing)\b/i,
    offers: ({ cardId }) => `Set priority of ${cardId} to 4`,
  },
  {
    example: "rate limits is on fire",
    says: /\b(?:urgent\w*|important|asap|critical|crucial|on fire|burning|matters|pressing)\b/i,
    offers: ({ cardId }) => `Set priority of ${cardId} to 1`,
  },
  {
    example: "the csv export broke again",
    says: /\b(?:broke|broken|(?:is|are|came|'s) back|park|postpone|shelve|on hold|not now|back ?burner|blocked|stuck|reject\w*|drawing board)\b/i,
    offers: (subject) => moveTo(subject.board.columns[0]?.title, subject),
  },
  {
    example: "ada has the announcement on her desk, for a check",
    says: /\b(?:check|looked at|approval|sign[- ]?off|feedback|qa|tested|proofread)\b/i,
    offers: (subject) => moveTo(subject.board.columns.find(({ title }) => /review/i.test(title))?.title, subject),
  },
  {
    example: "dark mode went live this morning",
    says: /\b(?:done|finished|complete|completed|shipped|live|released|merged|fixed|landed|delivered|wrapped up|went out|approved)\b/i,
    offers: (subject) => moveTo(columnFor("done", subject), subject),
  },
  {
    example: "bob began with the shortcuts",
    says: /\b(?:start(?:s|ed)?|begins?|began|begun|working|tackl(?:ing|ed)|pick(?:ing|ed) up|underway)\b/i,
    offers: (subject) => moveTo(columnFor("in progress", subject), subject),
  },
];

/** "the sign-up form goes before rate limits" */
const BESIDE =
  /^(.+?)\b(?:goes|go|should (?:go|come|be|stand)|must (?:go|come|be|stand)|comes|belongs|put)\b(.*?)\b(before|after|above|below)\b(.+)$/i;
const NEGATIVE =
  /\b(?:not|no|never|nor|neither|nothing|nobody|none|without|cannot|\w+n['’]t|dont|cant|wont|isnt|doesnt|didnt|far from|nearly|almost|hardly)\b/i;
/** What is left out, or said of many. */
const LEFT_OUT = /\b(?:but|except|apart from|other than|unless|only|instead|rather|whatever|besides|all|every\w*)\b/i;
/** What is not settled, or depends on something. */
const UNSETTLED =
  /\b(?:if|when|whenever|until|till|once|while|or|because|maybe|perhaps|might|may|could|would|should we|tomorrow|soon|next (?:week|month)|yesterday's)\b/i;
const ASKS =
  /\?\s*$|^(?:what|which|who|whose|where|when|why|how|is|are|was|were|did|does|do|has|have|any(?:thing|one|body)?)\b/i;
/** What makes something new is about no card that is there. */
const MAKES = /\b(?:add|create|(?:new|a|another) (?:card|task|ticket|column)|rename)\b/i;

/** Whether words deny or leave out something: what is understood beside them may be too much. */
export const leavesOut = (text: string): boolean => NEGATIVE.test(text) || LEFT_OUT.test(text);

/** The likeliest first; none where the words do not say what to do with which card. */
export function guesses(text: string, board: Board): readonly string[] {
  if (ASKS.test(text.trim()) || MAKES.test(text) || UNSETTLED.test(text)) return [];
  const [, one = "", stress = "", side = "", other = ""] = BESIDE.exec(text) ?? [];
  if (side !== "") {
    const [card, another] = [cardsIn(`${one} ${stress}`, board), cardsIn(other, board)];
    const isClear = card.length === 1 && another.length === 1 && card[0] !== another[0] && !leavesOut(text);
    return isClear ? [`Move ${card[0]} ${side.toLowerCase()} ${another[0]}`] : [];
  }
  let rest = text;
  const cues = CUES.filter(({ says }) => {
    const isSaid = says.test(rest);
    rest = rest.replace(says, " ");
    return isSaid;
  });
  if (leavesOut(rest)) return [];
  const columns = NEGATIVE.test(text)
    ? []
    : board.columns.filter(({ title }) => ` ${wordsIn(text).join(" ")} `.includes(` ${wordsIn(title).join(" ")} `));
  const offers = cardsIn(rest, board).flatMap((cardId) => {
    const subject = { cardId, board };
    return [...columns.map(({ title }) => moveTo(title, subject)), ...cues.map((cue) => cue.offers(subject))];
  });
  return [...new Set(offers)].filter((each) => each !== undefined);
}

/**
 * The card that is meant: by id, or by words that no other card has. Two where a word fits both,
 * and none where different words name different cards.
 */
function cardsIn(text: string, board: Board): readonly string[] {
  const ids = new Set([...text.matchAll(/\bT-\w+/g)].map(([id]) => id));
  if (ids.size > 0) return ids.size === 1 ? [...ids].filter((id) => findCard(board, id) !== undefined) : [];
  const all = board.columns.flatMap(({ cards }) => cards);
  const words = tellingWords(withoutCommands(text));
  const like = words.map((word) => all.filter(({ title }) => wordsIn(title).some((each) => isLikeWord(word, each))));
  const telling = new Map<string, number>();
  for (const [only, another] of like)
    if (only !== undefined && another === undefined) telling.set(only.cardId, (telling.get(only.cardId) ?? 0) + 1);
  const most = Math.max(0, ...telling.values());
  // One word of many may be there by chance.
  if (telling.size > 0 && most * 6 < words.length) return [];
  const named = [...telling].filter(([, count]) => count === most).map(([id]) => id);
  if (named.length > 0) return named.length === 1 ? named : [];
  const either = like.find(({ length }) => length === 2) ?? [];
  return either.map(({ cardId }) => cardId);
}
