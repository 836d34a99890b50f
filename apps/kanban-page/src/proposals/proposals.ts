// The open proposals with what has become of them since, and the ways to decide: accept, do it differently, decline with a word.
//
// Nobody approves his own: the thread sees to that. A proposal that cannot be approved as it was shown any more may still be carried out as
// the person's own edit, which says so in the log.

import { createProposalFeed, type Proposal, type ProposalSource, type Replica, type Verdict } from "@opstate/core";
import { board, type BoardOperation, describe } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "../announcer.ts";
import type { OpenBoard } from "../open-board.ts";
import type { BoardLog } from "../timeline/log.ts";
import type { LogEntry } from "../timeline/narrate.ts";
import { cardIdOf, nothingProposed, type Preview, previewOf } from "./preview.ts";

export interface ProposalLine {
  readonly proposal: Proposal;
  readonly sentence: string;
  /** What was done since to the cards that it names. */
  readonly since: readonly LogEntry[];
  /** Why it does not hold any more. */
  readonly problem: string | undefined;
}

export interface ProposalDesk {
  readonly lines: readonly ProposalLine[];
  readonly preview: Preview;
  readonly busy: boolean;
  /** What was not accepted, and why; by proposal. */
  readonly refusals: ReadonlyMap<string, string>;
}

interface Desk {
  readonly source: ProposalSource;
  readonly thread: OpenBoard["thread"];
  readonly replica: Replica<typeof board>;
  readonly log: BoardLog;
  readonly announcer: Announcer;
  readonly user: string;
}

export function createProposals({ source, thread, replica, log, announcer, user }: Desk) {
  const feed = createProposalFeed(source);
  const store = createStore<ProposalDesk>()(() => ({ lines: [], preview: nothingProposed, busy: false, refusals: new Map() }));

  function show(): void {
    const { proposals } = feed.getState();
    if (proposals.length === 0 && store.getState().lines.length === 0) return;
    const state = replica.getState();
    const { entries } = log.getState();
    const lines = proposals.map((proposal) => lineOf(proposal, describe(proposal.operation, state), entries));
    store.setState({ lines, preview: previewOf(state, proposals) });
  }

  const ends = [feed.subscribe(show), replica.subscribe(show), log.subscribe(show)];

  /** One after the other: what is accepted first may be what the next one needs. */
  async function each(lines: readonly ProposalLine[], decide: (line: ProposalLine) => Promise<Verdict>, done: string): Promise<void> {
    if (store.getState().busy) return;
    store.setState({ busy: true });
    const refusals = new Map(store.getState().refusals);
    let taken = 0;
    for (const line of lines) {
      const { id } = line.proposal;
      refusals.delete(id);
      try {
        // oxlint-disable-next-line no-await-in-loop -- in their order
        const verdict = await decide(line);
        if (verdict.accepted) taken += 1;
        else refusals.set(id, verdict.rejection.message);
      } catch (error) {
        refusals.set(id, error instanceof TypeError ? "This needs the connection. Try again when it is back." : String(error));
      }
    }
    await feed.refresh();
    store.setState({ busy: false, refusals });
    const left = lines.length - taken;
    announcer.say(
      `${taken} ${taken === 1 ? "proposal" : "proposals"} ${done}.${left === 0 ? "" : ` ${left} not: ${[...refusals.values()][0] ?? ""}`}`,
    );
  }

  function approve({ proposal: { id, version } }: ProposalLine): Promise<Verdict> {
    return thread.approve(id, { proposedAt: version });
  }

  async function carryOut({ proposal }: ProposalLine, operation: BoardOperation, reason: string): Promise<Verdict> {
    const verdict = await replica.dispatch(operation, { id: `${proposal.id.slice(0, 150)}/done` });
    if (verdict.accepted) await thread.decline(proposal.id, { proposedAt: proposal.version, reason });
    return verdict;
  }

  return Object.assign(store, {
    accept: (lines: readonly ProposalLine[]) => each(lines, approve, "accepted"),
    /** Although it is not any more what was proposed. */
    acceptAnyway: (line: ProposalLine) =>
      each([line], () => carryOut(line, line.proposal.operation as BoardOperation, `Done by ${user}`), "carried out"),
    edit: (line: ProposalLine, operation: BoardOperation) =>
      each(
        [line],
        () => carryOut(line, operation, `Done differently: ${describe(operation, replica.getState())}`),
        "carried out differently",
      ),
    decline: (lines: readonly ProposalLine[], reason = "") =>
      each(
        lines,
        ({ proposal: { id, version } }) => thread.decline(id, { proposedAt: version, ...(reason === "" ? {} : { reason }) }),
        "declined",
      ),
    close() {
      for (const end of ends) end();
    },
  });
}

function lineOf(proposal: Proposal, sentence: string, entries: readonly LogEntry[]): ProposalLine {
  const cardId = cardIdOf(proposal.operation);
  const isAbout = ({ cardIds }: LogEntry) => cardId !== undefined && cardIds.includes(cardId);
  const since =
    proposal.stale.length === 0 ? [] : entries.filter((entry) => entry.version > proposal.version && entry.accepted && isAbout(entry));
  return { proposal, sentence, since: since.toReversed(), problem: proposal.rejection?.message };
}
