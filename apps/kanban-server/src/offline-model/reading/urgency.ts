// Reads the urgency of cards: it says nothing of a column, so a card can be urgent and in one.

import { defined } from "@opstate/core";

const URGENCY = "(?:(?:not\\s+|most\\s+|least\\s+|the\\s+)*(?:urgent|critical|important|pressing))";
const IS_URGENCY = new RegExp(`^${URGENCY}$`, "i");
const PLACED_URGENT = new RegExp(`^(in\\s+.+?)\\s+(?:and|but)\\s+(?:(?:is|are)\\s+)?(${URGENCY})$`, "i");
const URGENT_PLACED = new RegExp(`^(${URGENCY})\\s+(?:(?:and|but)\\s+)?(?:(?:is|are)\\s+)?(in\\s+.+)$`, "i");

export const isUrgency = (state: string): boolean => IS_URGENCY.test(state);

/** "in Review and urgent", "urgent and in Review", "urgent in Review" */
export function urgencyIn(relative: string | undefined): { readonly relative?: string; readonly urgency?: string } {
  if (relative === undefined) return {};
  const [, place, after] = PLACED_URGENT.exec(relative) ?? [];
  const [, before, placed] = URGENT_PLACED.exec(relative) ?? [];
  return { relative: place ?? placed ?? relative, ...defined({ urgency: after ?? before }) };
}
