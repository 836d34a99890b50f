// What became of one proposal, in a component.

import type { ClientThread } from "@opstate/client";
import { proposalOutcomeOf, type ProposalOutcomeState } from "@opstate/client/binding";
import type { AcceptedOperationOf, AnyDefinition } from "@opstate/core";
import { useAgentState } from "./agent-state.ts";

export type ProposalOutcome<D extends AnyDefinition = AnyDefinition> = ProposalOutcomeState<AcceptedOperationOf<D>>;

/**
 * Returns what became of a proposal, as `{ outcome, loading, error? }`: whether it is open, expired
 * or decided, and then by whom, how and why. For what shows a proposal where it was made, such as a
 * chat: its id stays in the conversation.
 *
 * @example
 * ```tsx
 * const { outcome } = useProposalOutcome(thread, id);
 * outcome?.status === "decided" && <p>{`${outcome.how} by ${outcome.by.id}`}</p>;
 * ```
 */
export function useProposalOutcome<D extends AnyDefinition>(
  { proposals }: Pick<ClientThread<D>, "proposals">,
  id: string,
): ProposalOutcome<D> {
  return useAgentState<ProposalOutcome<D>>(proposalOutcomeOf<D>(proposals, id));
}
