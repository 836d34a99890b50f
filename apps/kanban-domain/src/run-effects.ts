// Which steps of an agent need a person's approval: those of a run that empties more than one
// column, a replacement of a board that has cards, and what follows them.

import type { AnyOperation } from "@opstate/core";
import { board } from "./board.ts";
import { findColumn } from "./find.ts";
import type { Board } from "./schema.ts";

/** What a run did so far. */
export interface RunEffects {
  /** The columns that the run emptied. */
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
  const isEmpty = (columnId: string) => ((after && findColumn(after, columnId))?.cards.length ?? 0) === 0;
  const filled = (before?.columns ?? []).filter(({ cards }) => cards.length > 0).map(({ columnId }) => columnId);
  const emptied = [...new Set([...effects.emptied, ...filled])].filter(isEmpty);
  return effects.needsApproval || replaces || emptied.length > 1
    ? { emptied: effects.emptied, needsApproval: true }
    : { emptied, needsApproval: false };
}

const hasCards = (state: Board | null): boolean => state?.columns.some(({ cards }) => cards.length > 0) ?? false;
