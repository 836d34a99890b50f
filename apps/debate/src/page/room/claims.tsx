// A text with its checked claims underlined. Underlines do not move the words.

import { Fragment } from "react";
import type { Fact } from "../../debate/state.ts";
import { LABEL_NAMES } from "../words.ts";

export function Claims({ text, facts, shown }: { text: string; facts: readonly Fact[]; shown: Fact | undefined }) {
  return pieces(text, facts).map(({ start, piece, fact }) =>
    fact ? (
      <mark key={start} className="claim" data-label={fact.label} data-shown={fact === shown ? "" : undefined}>
        {piece}
        <span className="spoken"> (fact check: {LABEL_NAMES[fact.label].toLowerCase()})</span>
      </mark>
    ) : (
      <Fragment key={start}>{piece}</Fragment>
    ),
  );
}

interface Piece {
  readonly start: number;
  readonly piece: string;
  readonly fact?: Fact;
}

/** The text, cut at the quotes. Of overlapping quotes the first one is used. */
export function pieces(text: string, facts: readonly Fact[]): readonly Piece[] {
  const found = facts
    .map((fact) => ({ fact, start: text.indexOf(fact.quote) }))
    .filter(({ start, fact }) => start >= 0 && fact.quote !== "")
    .toSorted((a, b) => a.start - b.start);
  const result: Piece[] = [];
  let end = 0;
  for (const { fact, start } of found) {
    if (start < end) continue;
    if (start > end) result.push({ start: end, piece: text.slice(end, start) });
    result.push({ start, piece: fact.quote, fact });
    end = start + fact.quote.length;
  }
  if (end < text.length) result.push({ start: end, piece: text.slice(end) });
  return result;
}
