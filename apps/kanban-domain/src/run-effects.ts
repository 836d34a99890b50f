// Which steps of an agent need a person's approval: those of a run that empties more than one
// column, though cards came in on the way, a replacement of a board that has cards, and what
// follows them.

import type { AnyOperation } from "@opstate/core";
import { board } from "./board.ts";
import { findColumn } from "./find.ts";
import type { Board, Column } from "./schema.ts";

/** What a run did so far. */
export interface RunEffects {
  /** The columns that lost all that they held, whatever came in since. */
  readonly emptied: string[];
  /** Whether its calls need a person's approval from now on. */
  readonly needsApproval: boolean;
}

export const NO_EFFECTS: RunEffects = { emptied: [], needsApproval: false };

const ACTOR = { kind: "agent", id: "agent" } as const;

/** The effects of a run after these updates as its next step. */
export function effectsAfter(effects: RunEffects, before: Board | null, updates: readonly AnyOperation[]): RunEffects {
  let after = before;
  let replaces = false;
  for (const update of updates) {
    const { accepted, state } = board.transition(after, update, { actor: ACTOR });
    if (accepted && update.type === "$replace" && (hasCards(before) || hasCards(after))) replaces = true;
    after = state;
  }
  // What a column held is lost from it although other cards came in since.
  const isLost = ({ columnId, cards }: Column) => {
    const left = new Set((after && findColumn(after, columnId))?.cards.map(({ cardId }) => cardId));
    return cards.length > 0 && cards.every(({ cardId }) => !left.has(cardId));
  };
  const lost = (before?.columns ?? []).filter(isLost).map(({ columnId }) => columnId);
  const emptied = [...new Set([...effects.emptied, ...lost])];
  return effects.needsApproval || replaces || emptied.length > 1
    ? { emptied: effects.emptied, needsApproval: true }
    : { emptied, needsApproval: false };
}

const hasCards = (state: Board | null): boolean => state?.columns.some(({ cards }) => cards.length > 0) ?? false;
