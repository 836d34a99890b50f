// The fact check of a round: a model labels claims, and invalid labels are dropped.
//
// Invariants:
// - The debate continues whatever the model answers.
// - A fact names a turn of this round and an exact quote from it.

import type { BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import { Fact } from "../debate/state.ts";
import type { CheckedTurn } from "./prompts.ts";

const MAX_PER_TURN = 2;
const MAX_NOTE_LENGTH = 200;

/** The facts in a model's answer. */
export function readFacts({ text }: BaseMessage, turns: readonly CheckedTurn[]): Fact[] {
  const countByTurn = new Map<string, number>();
  return listIn(text).flatMap((item) => {
    const parsed = Fact.safeParse(item);
    if (!parsed.success) return [];
    const { turn, quote, label, note } = parsed.data;
    const count = countByTurn.get(turn) ?? 0;
    const isSaid = quote.trim() !== "" && turns.some((said) => said.turn === turn && said.text.includes(quote));
    if (!isSaid || count === MAX_PER_TURN) return [];
    countByTurn.set(turn, count + 1);
    return [{ turn, quote, label, note: note.slice(0, MAX_NOTE_LENGTH) }];
  });
}

/** The array in an answer, which models often wrap in words or a code fence. */
function listIn(text: string): readonly unknown[] {
  try {
    const parsed = z.array(z.unknown()).safeParse(JSON.parse(text.slice(text.indexOf("["), text.lastIndexOf("]") + 1)));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}
