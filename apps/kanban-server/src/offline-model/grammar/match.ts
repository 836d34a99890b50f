// Fits a pattern to the words of a clause, in every way that it fits.
//
// A pattern is a row of words: `to/into` is either, `SEND` any phrase of that group, `<cards>` one
// or more words that are kept, `?` after one means that it may be missing, `*` that it may repeat.
//
// Invariants:
// - A pattern fits the whole clause or not at all: no word of it is lost.
// - A misspelt word stands for another only where it is no English word that is known here. Words
//   that are kept are never changed.

import { defined } from "@opstate/core";
import { GROUPS, KNOWN } from "./words.ts";
import { isNear } from "../reading/spelling.ts";
import type { Token } from "./tokens.ts";

export interface Match {
  /** The kept words by name, as token ranges. */
  readonly kept: readonly { readonly name: string; readonly from: number; readonly to: number }[];
  /** How many words were misspelt. */
  readonly errors: number;
}

interface Part {
  readonly slot?: string;
  readonly phrases: readonly (readonly string[])[];
  readonly isOptional: boolean;
  readonly repeats: boolean;
}

export type Pattern = readonly Part[];

export const pattern = (text: string): Pattern =>
  text.split(" ").map((part): Part => {
    const [, core = "", mark = ""] = /^(.+?)([?*]?)$/.exec(part) ?? [];
    const slot = /^<(\w+)>$/.exec(core)?.[1];
    return {
      ...defined({ slot }),
      phrases: slot === undefined ? core.split("/").flatMap((word) => GROUPS[word] ?? [[word]]) : [],
      isOptional: mark !== "",
      repeats: mark === "*",
    };
  });

const MAX_ERRORS = 2;

export function* matches(parts: Pattern, tokens: readonly Token[], at = 0, part = 0, errors = 0): Generator<Match> {
  const here = parts[part];
  if (here === undefined) {
    if (at === tokens.length) yield { kept: [], errors };
    return;
  }
  if (here.slot !== undefined) {
    const isLast = part === parts.length - 1;
    for (let to = isLast ? tokens.length : at + 1; to <= tokens.length && to > at; to += 1)
      for (const rest of matches(parts, tokens, to, part + 1, errors))
        yield { ...rest, kept: [{ name: here.slot, from: at, to }, ...rest.kept] };
    return;
  }
  for (const phrase of here.phrases) {
    const wrong = errorsIn(phrase, tokens, at);
    if (wrong === undefined || errors + wrong > MAX_ERRORS) continue;
    yield* matches(parts, tokens, at + phrase.length, here.repeats ? part : part + 1, errors + wrong);
  }
  if (here.isOptional) yield* matches(parts, tokens, at, part + 1, errors);
}

/** How many words of a phrase are misspelt; undefined if other words stand there. */
function errorsIn(phrase: readonly string[], tokens: readonly Token[], at: number): number | undefined {
  let errors = 0;
  for (const [index, word] of phrase.entries()) {
    const said = tokens[at + index]?.word;
    if (said === word) continue;
    if (said === undefined || KNOWN.has(said) || !isNear(said, word)) return undefined;
    errors += 1;
  }
  return errors;
}
