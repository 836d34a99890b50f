// A proposal to replace the whole board, and the board that it would make.

import type { Proposal } from "@opstate/core";
import { type Board, board } from "@opstate/kanban-domain";
import { nameOf } from "../actor-name.ts";

/** The newest one that is open. */
export const replacementIn = (proposals: readonly Proposal[]): Proposal | undefined =>
  proposals.findLast(({ operation }) => operation.type === "$replace");

export const proposedWords = ({ actor }: Proposal, user: string): string =>
  `${nameOf(actor, user)} proposes a new board`;

/** Undefined when it would be refused. */
export function replacedBoard(state: Board | null, { operation, actor, id, at }: Proposal): Board | undefined {
  const step = board.transition(state, operation, { actor, id, at });
  return step.accepted ? (step.state ?? undefined) : undefined;
}

/** Whether something on the board is under a hand: then nothing is put in its place. */
export function isBoardInUse(): boolean {
  const board = document.querySelector("[data-board]");
  return (
    "dragging" in document.documentElement.dataset ||
    board?.querySelector("[data-lifted]") != null ||
    board?.contains(document.activeElement) === true
  );
}
