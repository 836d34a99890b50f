// The open proposals of a thread, and the decisions about them. Loaded when they are first used.

import type { AcceptedOperationOf, AnyDefinition, Replica } from "@opstate/core";
import type { ShownProposal, ThreadProposals } from "../client-thread.ts";
import { createProposalFeed } from "../proposal-feed.ts";
import type { Call } from "./call.ts";
import { editOf } from "./edit.ts";

export function threadProposals<D extends AnyDefinition>(
  { onCommit, sync }: Pick<Replica<D>, "onCommit" | "sync">,
  call: Call<D>,
): ThreadProposals<D> {
  const edit = editOf({ sync }, call);
  return {
    ...createProposalFeed<AcceptedOperationOf<D>>({
      // The feed reads of a commit what is the same in all definitions.
      onCommit: (listener) => onCommit((commit) => listener(commit)),
      sync,
      proposals: () => call((of) => of.proposals()),
    }),
    find: (id) => call((of) => of.proposal(id)),
    propose: (update, options) => edit((of) => of.propose(update, options)),
    approve: (proposal, options) => edit((of) => of.approve(...asShown(proposal, options))),
    decline: (proposal, options) => edit((of) => of.decline(...asShown(proposal, options))),
  };
}

/** The id, and the options of a decision about the proposal as it was shown. */
function asShown<Options>(proposal: string | ShownProposal, options: Options): [string, Options] {
  return typeof proposal === "string"
    ? [proposal, options]
    : [proposal.id, { proposedAt: proposal.version, ...options }];
}
