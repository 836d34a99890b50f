// The calls of a thread for proposals. Each is one submission, judged with the proposals that are
// open when its turn comes.

import { defined } from "../../defined.ts";
import type { AnyDefinition } from "../../definition/definition.ts";
import type { Commit } from "../commit.ts";
import type { ParsedSubmission } from "../authority/parse-submission.ts";
import type { Log } from "../log/log.ts";
import { describeProposal, describeProposals } from "./describe.ts";
import { hasRight } from "../rights.ts";
import { Pace, type Scheduler } from "../pace.ts";
import { computeApproval, computeDecline, computeProposal, type DecisionRequest } from "./proposal.ts";
import type { ProposedThings } from "./same-things.ts";
import { findProposal, type ProposalName } from "./status.ts";
import { isExpired } from "./expiry.ts";
import { APPROVE, DECLINE, PROPOSE, type ProposeOperation } from "../entries.ts";
import { readUpdate } from "../authority/read-update.ts";
import type { ProposalIndex } from "./undecided.ts";
import type { SubmitComputed } from "../authority/submit.ts";
import type { Thread } from "../thread.ts";
import type { DecideOptions } from "../options.ts";

export interface ProposalContext {
  readonly definition: AnyDefinition;
  /** The incarnation of the thread, when it is a branch. */
  readonly branch: string | undefined;
  readonly log: Log;
  readonly threadId: string;
  readonly index: ProposalIndex;
  readonly clock: () => string;
  readonly scheduler: Scheduler;
  readonly head: () => { readonly state: unknown; readonly version: number };
  readonly things: ProposedThings;
  readonly submit: SubmitComputed;
  readonly mustBeOpen: () => void;
}

export function proposalCalls(
  context: ProposalContext,
): Pick<Thread, "propose" | "proposals" | "proposal" | "approve" | "decline"> {
  const { definition, branch, log, threadId, index, submit, head: present, things } = context;

  function find(name: ProposalName) {
    return findProposal(index, log, threadId, name);
  }

  function decision(
    { actor, at }: ParsedSubmission,
    name: ProposalName,
    allows: DecideOptions["allows"] | undefined,
  ): DecisionRequest {
    return {
      definition,
      branch,
      actor,
      at,
      mayApprove: hasRight(actor, "approve", allows),
      proposal: name.proposal,
      find: () => find(name),
      things,
    };
  }

  return {
    async propose(update, { expiresAt, ...options }) {
      const request = readUpdate(definition, { type: PROPOSE, operation: update, ...defined({ expiresAt }) });
      // What is proposed comes from the copy: its sender may change the original before its turn.
      const { operation: copied }: { readonly operation?: unknown } = Object(request.operation);
      return submit(request, options, ({ actor, id, at }, head) =>
        computeProposal(definition, { actor, id, at, ...defined({ branch }) }, head, { update: copied, expiresAt }),
      );
    },

    async proposals({ after = 0, limit = Infinity } = {}) {
      context.mustBeOpen();
      const open = await openProposals(index, context.clock());
      const part = open.filter(({ version }) => version > after).slice(0, limit);
      return describeProposals(definition, branch, present(), things, part, new Pace(context.scheduler));
    },

    async proposal(id, { proposedAt } = {}) {
      context.mustBeOpen();
      const found = await find({ proposal: id, proposedAt });
      if (found?.status !== "undecided") return found;
      const { commit } = found;
      const status = isExpired(commit.operation, context.clock()) ? "expired" : "open";
      return { status, proposal: await describeProposal(definition, branch, present(), things, commit) };
    },

    async approve(proposal, { allows, proposedAt, anyway = false, ...options }) {
      const request = { type: APPROVE, proposal, ...defined({ proposedAt }), ...(anyway ? { anyway } : {}) };
      return submit(readUpdate(definition, request), options, (submission, head) =>
        computeApproval(decision(submission, { proposal, proposedAt }, allows), head, {
          anyway,
          isSeen: options.expectedVersion !== undefined,
        }),
      );
    },

    async decline(proposal, { allows, proposedAt, reason, ...options }) {
      const request = { type: DECLINE, proposal, ...defined({ proposedAt, reason }) };
      return submit(readUpdate(definition, request), options, (submission, head) =>
        computeDecline(decision(submission, { proposal, proposedAt }, allows), head, reason),
      );
    },
  };
}

/** The proposals that may be approved, oldest first. */
export async function openProposals(index: ProposalIndex, at: string): Promise<readonly Commit<ProposeOperation>[]> {
  const undecided = await index.undecided();
  return undecided.filter(({ operation }) => !isExpired(operation, at));
}
