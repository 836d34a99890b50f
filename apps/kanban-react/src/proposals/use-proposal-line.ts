// One proposal in words, with what changed since it was made.

import type { Proposal } from "@opstate/core";
import { type ProposalLine, proposalLine } from "@opstate/kanban-page/proposals/lines.ts";
import { useMemo } from "react";
import { Board, useLog } from "../board-context.ts";

export function useProposalLine(proposal: Proposal): ProposalLine;
export function useProposalLine(proposal: Proposal | undefined): ProposalLine | undefined;
export function useProposalLine(proposal: Proposal | undefined): ProposalLine | undefined {
  const log = useLog((each) => each);
  const board = Board.useAgentState();
  return useMemo(() => proposal && proposalLine(proposal, board, log), [proposal, board, log]);
}
