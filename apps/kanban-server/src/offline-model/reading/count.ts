// How many: "3", "three", "a".

const NUMBERS: Readonly<Record<string, number>> = {
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

/** One, when nothing is said; NaN for what is no number. */
export const countOf = (word: string | undefined): number =>
  word === undefined ? 1 : (NUMBERS[word.toLowerCase()] ?? Number(word));
