// Cuts a clause into words. Marks that mean something stand alone; where each word stands is kept,
// so that names and titles stay as they were written.

export interface Token {
  /** In lower case. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const SHORTENED = "'(?:s|m|re|ve|ll|d)(?=[\\s,:;]|$)";
const TOKEN = new RegExp(`->|[,:;=+]|${SHORTENED}|(?:(?!${SHORTENED})[^\\s,:;=+])+`, "gi");
/** At the end of a word they say nothing. */
const END = /[.!?]+$/;

export function tokensIn(clause: string): readonly Token[] {
  const text = clause.replaceAll("’", "'");
  return [...text.matchAll(TOKEN)].flatMap(({ 0: found, index }) => {
    const word = found.replace(END, "");
    return word === "" ? [] : [{ word: word.toLowerCase(), start: index, end: index + word.length }];
  });
}
