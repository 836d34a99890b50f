// The cards that a name may mean, for refusals and for the offline model.

import { editDistance } from "./nearest.ts";
import { cardName } from "./find.ts";
import type { Board, Card } from "./schema.ts";

const MOST = 2;

/**
 * "there is no card 'invoice'. Did you mean 'Send invoices' (T-31)?" An id resembles nothing, so
 * without a word of a title nothing is offered.
 */
export function noCard(board: Board, name: string): string {
  const like = cardsLike(board, name).slice(0, MOST).map(cardName);
  return `there is no card '${name}'.${like.length === 0 ? "" : ` Did you mean ${like.join(" or ")}?`}`;
}

/** Those that share words with a name, the likeliest first. */
export function cardsLike({ columns }: Board, name: string): readonly Card[] {
  const words = tellingWords(name);
  // `filter` runs over raw items, in a draft too.
  const like = columns.flatMap(({ cards }) => cards.filter(({ title }) => sharedWords(words, title) > 0));
  return like.toSorted((a, b) => sharedWords(words, b.title) - sharedWords(words, a.title));
}

function sharedWords(words: readonly string[], title: string): number {
  const present = wordsIn(title);
  return words.filter((word) => present.some((each) => isLikeWord(word, each))).length;
}

/** In any form, with a typing error if it is long enough: "limits" and "limit", "keybord". */
export function isLikeWord(word: string, other: string): boolean {
  const [one, two] = [stem(word), stem(other)];
  if (one === two) return true;
  const shorter = Math.min(one.length, two.length);
  return shorter >= 4 && one[0] === two[0] && editDistance(one, two) <= (shorter >= 8 ? 2 : 1);
}

const stem = (word: string): string => word.replace(/(?<=\w{3})(?:ies|es|s|ing|ed)$/, "");

/** The words that say something; all of them, if none does. */
export function tellingWords(text: string): readonly string[] {
  const words = wordsIn(text);
  const telling = words.filter((word) => !SMALL_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

const SMALL_WORDS: ReadonlySet<string> = new Set(
  "a an the this that our my your of for on in to with and about one card cards task tasks ticket item thing is are be some".split(
    " ",
  ),
);

export const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
