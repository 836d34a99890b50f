// What became of one proposal, as a live value.
//
// Invariants:
// - What is in the list of open proposals is open, and nothing more is requested.
// - What is approved or declined stays so, and is read once. Anything else is read again when the
//   list says that a proposal may have been made, decided or brought back, and when a read failed.
// - Of two reads the later one counts.

import { type AcceptedOperationOf, type AnyDefinition, type AnyOperation, defined } from "@opstate/core";
import { createSource, type Readable, RefCount } from "@opstate/core/readable";
import type { ProposalStatus } from "@opstate/core/thread";
import type { ThreadProposals } from "./client-thread.ts";
import type { ProposalState } from "./proposal-feed.ts";

export interface ProposalOutcomeState<Operation = AnyOperation> {
  /** Undefined until it was read, and when the log knows no such proposal. */
  readonly outcome?: ProposalStatus<Operation>;
  /** Whether it is being read. */
  readonly loading: boolean;
  /** What the last read threw. It is read again with the list of open proposals. */
  readonly error?: unknown;
}

export interface ProposalOutcomeSource<Operation = AnyOperation> {
  readonly id: string;
  /** The open proposals. */
  readonly list: Readable<ProposalState<Operation>>;
  find(): Promise<ProposalStatus<Operation> | undefined>;
}

/** By the proposals of a thread, and the id: all who show one share what was read of it. */
const OUTCOMES = new WeakMap<object, Map<string, unknown>>();

/** That of one of a thread's proposals. It is live while it has a subscriber. */
export function proposalOutcomeOf<D extends AnyDefinition>(
  proposals: Pick<ThreadProposals<D>, "getState" | "getInitialState" | "subscribe" | "find">,
  id: string,
): Readable<ProposalOutcomeState<AcceptedOperationOf<D>>> {
  type Outcome = Readable<ProposalOutcomeState<AcceptedOperationOf<D>>>;
  const outcomes = OUTCOMES.get(proposals) ?? new Map<string, unknown>();
  const outcome =
    // The operations of these proposals are of one definition.
    (outcomes.get(id) as Outcome | undefined) ??
    createProposalOutcome<AcceptedOperationOf<D>>({ id, list: proposals, find: () => proposals.find(id) });
  OUTCOMES.set(proposals, outcomes.set(id, outcome));
  return outcome;
}

export function createProposalOutcome<Operation>({
  id,
  list,
  find,
}: ProposalOutcomeSource<Operation>): Readable<ProposalOutcomeState<Operation>> {
  const state = createSource<ProposalOutcomeState<Operation>>({ loading: true });
  const refCount = new RefCount(start, stop);
  let end: (() => void) | undefined;
  let turn = 0;
  /** Those that the known outcome reflects; undefined when none does. */
  let decisionsRead: number | undefined;

  function look({ proposals, decisions, loading, error }: ProposalState<Operation>): void {
    const [proposal, other] = proposals.filter((each) => each.id === id);
    const isOpen = proposal !== undefined && other === undefined;
    if (isOpen || error !== undefined) {
      turn += 1;
      decisionsRead = undefined;
      state.set(isOpen ? { outcome: { status: "open", proposal }, loading: false } : { ...known(), loading, error })();
    } else if (!loading && mayHaveChanged(known().outcome, decisionsRead !== decisions)) void read(decisions);
  }

  async function read(decisions: number | undefined): Promise<void> {
    turn += 1;
    const mine = turn;
    const isNewest = () => mine === turn;
    decisionsRead = decisions;
    state.set({ ...known(), loading: true })();
    try {
      const outcome = await find();
      if (isNewest()) state.set(defined({ outcome, loading: false }))();
    } catch (error) {
      if (!isNewest()) return;
      decisionsRead = undefined;
      state.set({ ...known(), loading: false, error })();
    }
  }

  const known = () => defined({ outcome: state.getState().outcome });

  function start(): void {
    if (end !== undefined) return;
    end = list.subscribe(look);
    look(list.getState());
  }

  function stop(): void {
    turn += 1;
    decisionsRead = undefined;
    end?.();
    end = undefined;
  }

  return {
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: refCount.whileSubscribed(state.subscribe),
  };
}

/** What was taken back by an undo is open again when that undo is taken back. */
function mayHaveChanged(outcome: ProposalStatus<unknown> | undefined, hasNewDecisions: boolean): boolean {
  // Time alone changes these.
  if (outcome?.status === "open" || outcome?.status === "ambiguous") return true;
  return hasNewDecisions && (outcome?.status !== "decided" || outcome.how === "taken_back");
}
