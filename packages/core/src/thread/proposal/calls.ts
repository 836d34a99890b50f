// What a thread offers for proposals: each call is one submission, judged with the proposals that
// are open by then.

import type { AnyDefinition } from "../../definition/definition.ts";
import { mayApprove } from "../authority/approval.ts";
import type { Commit } from "../commit.ts";
import { whyNotOpen } from "./decided.ts";
import type { ParsedSubmission } from "../authority/parse-submission.ts";
import type { Log } from "../log/log.ts";
import { describeProposals } from "./open-proposals.ts";
import { Pace, type Scheduler } from "../pace.ts";
import { computeApproval, computeDecline, computeProposal } from "./proposal.ts";
import { isExpired } from "./expiry.ts";
import { APPROVE, DECLINE, isPropose, PROPOSE } from "../entries.ts";
import type { ProposalIndex } from "./undecided.ts";
import type { SubmitComputed } from "../authority/submit.ts";
import type { Thread } from "../thread.ts";
import type { DecideOptions } from "../options.ts";

export interface ProposalContext {
  readonly definition: AnyDefinition;
  readonly log: Log;
  readonly threadId: string;
  readonly index: ProposalIndex;
  readonly clock: () => string;
  readonly scheduler: Scheduler;
  readonly getState: () => unknown;
  readonly submit: SubmitComputed;
  readonly mustBeOpen: () => void;
}

export function proposalCalls(context: ProposalContext): Pick<Thread, "propose" | "proposals" | "approve" | "decline"> {
  const { definition, log, threadId, index, submit } = context;

  async function decision(
    { actor, at }: ParsedSubmission,
    proposal: string,
    proposedAt: number | undefined,
    allows: DecideOptions["allows"] | undefined,
    anyway?: boolean,
  ) {
    const meant = { proposal, proposedAt };
    return {
      definition,
      actor,
      at,
      may: mayApprove(actor, allows),
      anyway,
      ...meant,
      undecided: await index.undecided(),
      whyNot: (type: string) => whyNotOpen(log, threadId, meant, type),
    };
  }

  return {
    async propose(update, { expiresAt, ...options }) {
      const asked = { type: PROPOSE, operation: update, ...(expiresAt === undefined ? {} : { expiresAt }) };
      return submit(asked, options, async ({ actor, operation }, standing) =>
        computeProposal(definition, actor, standing, operation),
      );
    },

    async proposals() {
      context.mustBeOpen();
      const open = await openProposals(index, context.clock());
      return describeProposals(definition, context.getState(), open, new Pace(context.scheduler));
    },

    async approve(proposal, { allows, proposedAt, anyway = false, ...options }) {
      const asked = {
        type: APPROVE,
        proposal,
        ...(proposedAt === undefined ? {} : { proposedAt }),
        ...(anyway ? { anyway } : {}),
      };
      return submit(asked, options, async (intake, standing) =>
        computeApproval(await decision(intake, proposal, proposedAt, allows, anyway), standing),
      );
    },

    async decline(proposal, { allows, proposedAt, reason, ...options }) {
      const asked = {
        type: DECLINE,
        proposal,
        ...(proposedAt === undefined ? {} : { proposedAt }),
        ...(reason === undefined ? {} : { reason }),
      };
      return submit(asked, options, async (intake, standing) =>
        computeDecline(await decision(intake, proposal, proposedAt, allows), standing, reason),
      );
    },
  };
}

/** Those that may still be approved, oldest first. */
export async function openProposals(index: ProposalIndex, at: string): Promise<readonly Commit[]> {
  const undecided = await index.undecided();
  return undecided.filter(({ operation }) => isPropose(operation) && !isExpired(operation, at));
}
