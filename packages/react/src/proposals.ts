// The open proposals in a component.

import type { AnyOperation } from "@opstate/core";
import { createProposalFeed, type ProposalFeed, type ProposalSource, type ProposalState } from "@opstate/core/feeds";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";
import { useStable } from "./stable.ts";

export type Proposals<Operation = AnyOperation> = ProposalState<Operation> & Pick<ProposalFeed<Operation>, "refresh">;

/**
 * Returns the open proposals of a thread, or of `{ ...replica, ...threadClient(options) }`, as `{
 * proposals, loading, error?, refresh }`. Pass the same object on each render. To share one feed
 * between components, pass a feed made by `createProposalFeed`.
 *
 * @example
 * ```tsx
 * const { proposals } = useProposals(access);
 * proposals.map(({ id, version, sentence, stale }) => (
 *   <li key={version}>
 *     {sentence}
 *     <button onClick={() => void access.approve(id, { proposedAt: version, anyway: stale.length > 0 })}>
 *       {stale.length === 0 ? "Accept" : "Changed since. Accept anyway"}
 *     </button>
 *   </li>
 * ));
 * ```
 */
export function useProposals<Operation>(
  source: ProposalSource<Operation> | ProposalFeed<Operation>,
): Proposals<Operation> {
  const feed = useStable(() => ("refresh" in source ? source : createProposalFeed(source)), source);
  const state = useAgentState(feed);
  return useMemo(() => ({ ...state, refresh: feed.refresh }), [state, feed]);
}
