// Reads a clause by the rules: every intent that it may have, the likeliest first. One that needs
// fewer misspelt words is likelier; of others, the one whose rule stands first.
//
// Invariant: what removes something is spelt right.

import type { Intent } from "../intent.ts";
import { withoutManners } from "../reading/manners.ts";
import { type Kept, keptAs, READERS } from "./kept.ts";
import { type Match, matches } from "./match.ts";
import type { Mood } from "./rule.ts";
import { RULES } from "./rules.ts";
import { type Token, tokensIn } from "./tokens.ts";

/** Longer clauses are not read, and no more readings of one are found. */
const MAX_TOKENS = 30;
const MOST = 12;

export function readingsOf(clause: string, moods: readonly Mood[]): readonly Intent[] {
  const text = withoutManners(clause);
  const tokens = tokensIn(text);
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return [];
  const found: { readonly intent: Intent; readonly errors: number }[] = [];
  for (const { mood, lines, means } of RULES) {
    if (!moods.includes(mood)) continue;
    for (const line of lines)
      for (const match of matches(line, tokens))
        for (const kept of meanings(match, text, tokens)) {
          const intent = means(kept);
          if (intent === undefined || found.length >= MOST || (match.errors > 0 && REMOVING.has(intent.kind))) continue;
          found.push({ intent, errors: match.errors });
        }
  }
  const sorted = found.toSorted((one, other) => one.errors - other.errors).map(({ intent }) => intent);
  const told = sorted.map((intent) => JSON.stringify(intent));
  return sorted.filter((_, index) => told.indexOf(told[index] ?? "") === index);
}

const REMOVING: ReadonlySet<Intent["kind"]> = new Set(["remove", "clear", "removeColumn", "build"]);

/** Each way to read what a match keeps. */
function meanings({ kept }: Match, text: string, tokens: readonly Token[]): readonly Kept[] {
  let all: readonly Partial<Kept>[] = [{}];
  for (const { name, from, to } of kept) {
    const said = text.slice(tokens[from]?.start, tokens[to - 1]?.end);
    if (!isName(name)) return [];
    const read = READERS[name](said);
    all = all.flatMap((each) => read.map((value) => ({ ...each, [keptAs(name)]: value })));
  }
  // A rule reads only what its lines keep.
  return all as readonly Kept[];
}

const isName = (name: string): name is keyof typeof READERS => name in READERS;
