// The open proposals in a component, and the decisions about them.

import type { ClientThread, ProposalState, ThreadProposals } from "@opstate/client";
import type { AcceptedOperationOf, AnyDefinition } from "@opstate/core";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";

export type Proposals<D extends AnyDefinition = AnyDefinition> = Omit<
  ProposalState<AcceptedOperationOf<D>>,
  "decisions"
> &
  Pick<ThreadProposals<D>, "propose" | "approve" | "decline" | "refresh">;

/**
 * Returns the open proposals of a thread, oldest first, as `{ proposals, loading, error?, propose,
 * approve, decline, refresh }`. A decision is about the proposal as it is shown: it is refused when
 * the proposal was replaced meanwhile, and an approval, without `anyway`, when the values that it
 * changes have changed since (`stale`).
 *
 * @example
 * ```tsx
 * const { proposals, approve } = useProposals(thread);
 * proposals.map((proposal) => (
 *   <li key={proposal.version}>
 *     {proposal.sentence}
 *     <button onClick={() => void approve(proposal, { anyway: proposal.stale.length > 0 })}>
 *       {proposal.stale.length === 0 ? "Accept" : "Changed since. Accept anyway"}
 *     </button>
 *   </li>
 * ));
 * ```
 */
export function useProposals<D extends AnyDefinition>({ proposals }: Pick<ClientThread<D>, "proposals">): Proposals<D> {
  const state = useAgentState<ProposalState<AcceptedOperationOf<D>>>(proposals);
  return useMemo(() => {
    const { propose, approve, decline, refresh } = proposals;
    return { ...state, propose, approve, decline, refresh };
  }, [state, proposals]);
}
