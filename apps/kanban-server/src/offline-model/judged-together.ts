// Steps that together need a person's approval, though each alone may not: one after another they
// empty more than one column. They are sent as one step, so that nothing of it is done unasked.

import { board as definition, type Board, effectsAfter, findCard, NO_EFFECTS } from "@opstate/kanban-domain";
import type { Step } from "./intent.ts";
import { type Call, planStep } from "./plan.ts";

export interface JudgedTogether {
  readonly calls: readonly Call[];
  /** How many steps they are of. */
  readonly count: number;
}

const ACTOR = { kind: "agent", id: "agent" } as const;
/** Tools that are the operations of the same name. */
const OPERATIONS: ReadonlySet<string> = new Set(["move", "remove", "addCard", "editCard", "addColumn", "renameColumn"]);

/** Undefined if the steps are harmless together, or it cannot be known before they run. */
export function judgedTogether(steps: readonly Step[], board: Board | null): JudgedTogether | undefined {
  if (board === null || steps.length < 2) return undefined;
  const calls: Call[] = [];
  let after: Board | null = board;
  for (const [index, step] of steps.entries()) {
    const plan = planStep(step, after);
    if (plan.unclear.length > 0 || !plan.calls.every((call) => isKnown(call, board))) return undefined;
    const updates = plan.calls.map(({ name, args }) => ({ type: name, ...args }));
    for (const update of updates) after = definition.transition(after, update, { actor: ACTOR }).state;
    calls.push(...plan.calls);
    const all = calls.map(({ name, args }) => ({ type: name, ...args }));
    if (effectsAfter(NO_EFFECTS, board, all).needsApproval) return { calls, count: index + 1 };
  }
  return undefined;
}

/** What an earlier step adds has no id yet. */
function isKnown({ name, args: { cardId } }: Call, board: Board): boolean {
  return OPERATIONS.has(name) && (typeof cardId !== "string" || findCard(board, cardId) !== undefined);
}
