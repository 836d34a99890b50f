// The open proposals of a thread, as interrupts that a client answers.

import type { Interrupt } from "@ag-ui/core";
import { defined, type Thread } from "@opstate/core";
import { confirmationOf, type ProposalFacts } from "@opstate/core/thread";

/** A proposal without a decision. `version` is its commit's. */
export interface OpenProposal {
  readonly interrupt: Interrupt;
  readonly version: number;
  readonly runId?: string;
}

/** The proposals that are open now. */
export async function openProposals(thread: Thread): Promise<readonly OpenProposal[]> {
  return (await thread.proposals()).map(asOpen);
}

export function asOpen(proposal: ProposalFacts & { readonly runId?: string }): OpenProposal {
  const { version, runId } = proposal;
  return { interrupt: confirmationOf(proposal), version, ...defined({ runId }) };
}
