// A call that needs approval, as a proposal in the thread. The log is read before a person is
// asked: a call that is made again asks about nothing that was decided meanwhile.

import type { AnyOperation, Commit, Thread, Verdict } from "@opstate/core";
import type { DispatchOptions } from "@opstate/core/thread";
import { lostVerdict, proposalOutcome, type ProposalOutcome } from "./proposal-outcome.ts";

/** The proposal and its outcome; or the verdict on a call that could not be proposed. */
export type ProposedCall =
  | { readonly proposal: Commit; readonly outcome: ProposalOutcome }
  | { readonly proposal?: undefined; readonly verdict: Verdict };

/** Proposes the call, or finds what it proposed under the same id. */
export async function proposeCall(
  thread: Thread,
  update: AnyOperation,
  options: DispatchOptions,
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<ProposedCall> {
  const proposed = await thread.propose(update, options);
  onVerdict(proposed);
  if (!proposed.accepted) return { verdict: proposed };
  const { commit: proposal } = proposed;
  if (proposal === undefined) return { verdict: lostVerdict(update.type, proposed.version) };
  return { proposal, outcome: await proposalOutcome(thread, proposal) };
}
