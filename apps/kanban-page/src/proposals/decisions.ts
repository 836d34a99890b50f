// The person's decisions on proposals: accept, edit and do, decline with a reason.
//
// - The thread refuses an approval by the proposer.
// - A stale proposal lists what changed since it was made. A person who has seen the list may
//   accept it anyway; the log records that.

import { defined, type Rejection, type Verdict } from "@opstate/core";
import { type Board, type BoardOperation, describe } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "../announcer.ts";
import type { BoardThread } from "../open-board.ts";
import { plainRefusal } from "../plain-refusal.ts";
import type { ProposalLine } from "./lines.ts";

export interface DecisionsView {
  readonly busy: boolean;
  /** Why a decision failed, by the proposal's id. */
  readonly refusals: ReadonlyMap<string, string>;
}

/** How a decline begins whose proposal was done in another way. */
export const DONE_DIFFERENTLY = "Done differently: ";

export function createDecisions(thread: BoardThread, announcer: Announcer) {
  const store = createStore<DecisionsView>()(() => ({ busy: false, refusals: new Map() }));
  const { approve, decline, refresh } = thread.proposals;

  /** One after the other, because a proposal may need the one before it. */
  async function decideEach(
    lines: readonly ProposalLine[],
    decide: (line: ProposalLine) => Promise<Verdict>,
    done: string,
  ): Promise<void> {
    if (store.getState().busy) return;
    store.setState({ busy: true });
    const refusals = new Map(store.getState().refusals);
    let acceptedCount = 0;
    for (const line of lines) {
      const { id } = line.proposal;
      refusals.delete(id);
      try {
        // oxlint-disable-next-line no-await-in-loop -- in their order
        const verdict = await decide(line);
        if (verdict.accepted) acceptedCount += 1;
        else refusals.set(id, refusalWords(verdict.rejection, thread.getState()));
      } catch (error) {
        refusals.set(
          id,
          error instanceof TypeError ? "This needs the connection. Try again when it is back." : String(error),
        );
      }
    }
    await refresh();
    store.setState({ busy: false, refusals });
    const failedCount = lines.length - acceptedCount;
    announcer.say(
      `${acceptedCount} ${acceptedCount === 1 ? "proposal" : "proposals"} ${done}.${failedCount === 0 ? "" : ` ${failedCount} failed: ${[...refusals.values()][0] ?? ""}`}`,
    );
  }

  async function applyEdited({ proposal }: ProposalLine, operation: BoardOperation, reason: string): Promise<Verdict> {
    const verdict = await thread.dispatch(operation, { id: `${proposal.id.slice(0, 150)}/done` });
    if (verdict.accepted) await decline(proposal.id, { proposedAt: proposal.version, reason });
    return verdict;
  }

  return Object.assign(store, {
    accept: (lines: readonly ProposalLine[]) =>
      decideEach(lines, ({ proposal: { id, version } }) => approve(id, { proposedAt: version }), "accepted"),
    /** Accepts a stale proposal, if nothing changed that its list does not show. */
    acceptAnyway: (line: ProposalLine) =>
      decideEach(
        [line],
        ({ proposal: { id, version }, since: { upTo } }) =>
          approve(id, { proposedAt: version, anyway: true, expectedVersion: upTo }),
        "done anyway",
      ),
    edit: (line: ProposalLine, operation: BoardOperation) =>
      decideEach(
        [line],
        () => applyEdited(line, operation, `${DONE_DIFFERENTLY}${describe(operation, thread.getState())}`),
        "carried out differently",
      ),
    decline: (lines: readonly ProposalLine[], reason = "") =>
      decideEach(
        lines,
        ({ proposal: { id, version } }) =>
          decline(id, { proposedAt: version, ...defined({ reason: reason || undefined }) }),
        "declined",
      ),
  });
}

/** Replaces the thread's messages about versions and paths by plain words. */
function refusalWords(rejection: Rejection, board: Board | null): string {
  const { code, reason, path } = rejection;
  if (code !== "conflict") return rejection.message;
  if (path === "/expectedVersion") return "Something else changed just now. Look again, then decide.";
  return reason === "changed"
    ? "It has changed since it was proposed. Look at the changes, then decide."
    : plainRefusal(rejection, board);
}
