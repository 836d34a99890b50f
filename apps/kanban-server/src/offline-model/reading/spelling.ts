// Corrects misspelt command words in a clause that is not understood as it stands. Names and titles
// are not corrected here: the board finds them by what it holds.

import { editDistance } from "@opstate/kanban-domain";

const COMMANDS =
  "move remove delete rename add create clear mark put set make change start finish build undo show list swap sort raise lower reopen archive restore bring call drop erase prioritise";
const OTHERS =
  "card cards task tasks ticket tickets column columns priority urgent done finished completed everything every all title what which where who why when how many much there changed happened board backlog progress review to in on of and the new as";
const FIRST_WORDS = `${COMMANDS} what which where who why when how please`.split(" ");
const WORDS = `${COMMANDS} ${OTHERS}`.split(" ");
/** Words of their own that are near to a noun of the board. */
export const NO_NOUNS: ReadonlySet<string> = new Set(
  "care cared cares cart carts carry cord cords core curd yard yards hard ward wards guard asks mask masks tusk desk desks disk disks risk risks bask taste tasks tank tanks tacks talk talks ticked picket wicket rocket pocket caller calls names namely tamed gamed claimed killed filled".split(
    " ",
  ),
);
const KNOWN = new Set(
  `${[...NO_NOUNS].join(" ")} ${WORDS.join(" ")} the and for with from into that this are has have not move can you too its our buy by do did we he she is it my me if or so up at an go no us be was who why any one two few had her his how i in of on to as more most than then down word work working left last next mine some`.split(
    " ",
  ),
);

/** Corrections, the least bold first: of the first word, then of all. */
export function corrections(clause: string): readonly string[] {
  const [first = "", ...rest] = clause.split(" ");
  const verbs = corrected(first, FIRST_WORDS);
  const all = rest.map((word) => corrected(word, WORDS)[0] ?? word);
  const texts = [rest, all].flatMap((words) => verbs.map((verb) => [verb, ...words].join(" ")));
  return [...new Set(texts)].filter((text) => text !== clause);
}

/** The words of a text that can be of a title. */
export const withoutCommands = (text: string): string =>
  text
    .split(/[^\p{L}\p{N}-]+/u)
    .filter(
      (word) =>
        word.length > 3 &&
        !KNOWN.has(word.toLowerCase()) &&
        !/^(?:let's|throw|nothing|tidy|away|like|please|help)$/i.test(word),
    )
    .join(" ");

/** The words that a word may stand for, the nearest first; itself if it is known. */
function corrected(word: string, candidates: readonly string[]): readonly string[] {
  const [, plain = "", end = ""] = /^([a-z]+)([.,!?:;]*)$/i.exec(word) ?? [];
  const lower = plain.toLowerCase();
  if (lower.length < 2 || KNOWN.has(lower) || candidates.includes(lower)) return [word];
  const near = candidates.filter((each) => isNear(lower, each));
  const sorted = near.toSorted((a, b) => editDistance(lower, a) - editDistance(lower, b));
  return sorted.length === 0 ? [word] : sorted.slice(0, 3).map((each) => `${each}${end}`);
}

/** The word for a card or a column that a word is misspelt for, if it is. */
export const commandIn = (word: string): string | undefined => {
  const lower = word.toLowerCase();
  if (KNOWN.has(lower)) return undefined;
  return NOUNS.find((noun) => noun !== lower && (lower.length > 3 ? isNear(lower, noun) : lacksVowel(lower, noun)));
};
const NOUNS = ["card", "cards", "task", "tasks", "ticket", "tickets", "column", "called", "named"];

/** Whether a word may be another one, misspelt. */
export function isNear(word: string, other: string): boolean {
  const allowed = word.length >= 8 ? 2 : 1;
  if (Math.abs(other.length - word.length) > allowed || isForm(word, other)) return false;
  if (word.length <= 3) return isSwap(word, other) || other.startsWith(word) || lacksVowel(word, other);
  const isAlike = other[0] === word[0] || other[0] === word[1];
  return isAlike && editDistance(word, other) <= allowed;
}

/** "merge" is no slip for "merged". */
const isForm = (word: string, other: string): boolean =>
  word.length > 3 &&
  [word.slice(other.length), other.slice(word.length)].some((end) => /^(?:d|s|r|y|ed|er|es)$/.test(end)) &&
  (word.startsWith(other) || other.startsWith(word));

/** Words that stand for "to" where a title follows. */
export const isSlipOfTo = (word: string): boolean => /^(?:too|tot|ot|tp|ro|ti|t|two|inot|itno|tto)$/i.test(word);

/** Short words are near to too many others: their letters are swapped, or the last is missing. */
const isSwap = (word: string, other: string): boolean =>
  word.length === other.length && word !== other && [...word].toSorted().join("") === [...other].toSorted().join("");

/** "mny", "shw", "wat" */
const lacksVowel = (word: string, other: string): boolean =>
  word.length === 3 &&
  other.length === 4 &&
  [other.replace(/(?!^)[aeiou]/, ""), other.replace("wh", "w")].includes(word);
