// The open proposals in words, with what changed since each was made.

import type { Proposal } from "@opstate/core";
import { type Board, describe } from "@opstate/kanban-domain";
import { plainRefusal } from "../plain-refusal.ts";
import type { Log } from "../timeline/log.ts";
import { type ChangesSince, changesSince, NO_CHANGES_SINCE } from "./changes-since.ts";

export interface ProposalLine {
  readonly proposal: Proposal;
  readonly sentence: string;
  /** What it would change has changed since: it is not accepted together with others. */
  readonly stale: boolean;
  /** What changed since it was made. */
  readonly since: ChangesSince;
  /** Why it would be refused now. */
  readonly problem: string | undefined;
}

export function proposalLine(proposal: Proposal, board: Board | null, { entries }: Log): ProposalLine {
  const { operation } = proposal;
  const sentence = operation.type === "$replace" ? describe(operation) : proposal.sentence;
  const problem = proposal.rejection && plainRefusal(proposal.rejection, board);
  const stale = proposal.stale.length > 0 || problem !== undefined;
  return { proposal, sentence, stale, since: stale ? changesSince(proposal, entries) : NO_CHANGES_SINCE, problem };
}
