// The open proposals with what has become of them since, and the ways to decide: accept, do it
// differently, decline with a word.
//
// Nobody approves his own: the thread sees to that. What was changed since a proposal was made is
// told with it; whoever has seen that may have it done anyway, which the log says.

import {
  createProposalFeed,
  type Proposal,
  type ProposalSource,
  type Rejection,
  type Replica,
  type Verdict,
} from "@opstate/core";
import { board, type BoardOperation, describe } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "../announcer.ts";
import type { OpenBoard } from "../open-board.ts";
import type { BoardLog } from "../timeline/log.ts";
import type { LogEntry } from "../timeline/log-entry.ts";
import { NOTHING_PROPOSED, type Preview, previewOf } from "./preview.ts";
import { NO_CHANGES_SINCE, type ChangesSince, changesSince } from "./changes-since.ts";

export interface ProposalLine {
  readonly proposal: Proposal;
  readonly sentence: string;
  /** What it would change was changed since: only a decision of its own does it anyway. */
  readonly stale: boolean;
  /** What was done since to what it would change. */
  readonly since: ChangesSince;
  /** Why it does not hold any more. */
  readonly problem: string | undefined;
}

export interface ProposalsView {
  readonly lines: readonly ProposalLine[];
  readonly preview: Preview;
  readonly busy: boolean;
  /** What was not accepted, and why; by proposal. */
  readonly refusals: ReadonlyMap<string, string>;
}

interface ProposalsOptions {
  readonly source: ProposalSource;
  readonly thread: OpenBoard["thread"];
  readonly replica: Replica<typeof board>;
  readonly log: BoardLog;
  readonly announcer: Announcer;
}

export function createProposals({ source, thread, replica, log, announcer }: ProposalsOptions) {
  const feed = createProposalFeed(source);
  const store = createStore<ProposalsView>()(() => ({
    lines: [],
    preview: NOTHING_PROPOSED,
    busy: false,
    refusals: new Map(),
  }));

  function update(): void {
    const { proposals } = feed.getState();
    if (proposals.length === 0 && store.getState().lines.length === 0) return;
    const state = replica.getState();
    const { entries } = log.getState();
    const lines = proposals.map((proposal) => lineOf(proposal, describe(proposal.operation, state), entries));
    store.setState({ lines, preview: previewOf(state, proposals) });
  }

  const cleanups = [feed.subscribe(update), replica.subscribe(update), log.subscribe(update)];

  /** One after the other: what is accepted first may be what the next one needs. */
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
        else refusals.set(id, refusalWords(verdict.rejection));
      } catch (error) {
        refusals.set(
          id,
          error instanceof TypeError ? "This needs the connection. Try again when it is back." : String(error),
        );
      }
    }
    await feed.refresh();
    store.setState({ busy: false, refusals });
    const failedCount = lines.length - acceptedCount;
    announcer.say(
      `${acceptedCount} ${acceptedCount === 1 ? "proposal" : "proposals"} ${done}.${failedCount === 0 ? "" : ` ${failedCount} not: ${[...refusals.values()][0] ?? ""}`}`,
    );
  }

  function approve({ proposal: { id, version } }: ProposalLine): Promise<Verdict> {
    return thread.approve(id, { proposedAt: version });
  }

  /** Only if nothing happened that is not told with it. */
  function approveAnyway({ proposal: { id, version }, since: { upTo } }: ProposalLine): Promise<Verdict> {
    return thread.approve(id, { proposedAt: version, anyway: true, expectedVersion: upTo });
  }

  async function applyEdited({ proposal }: ProposalLine, operation: BoardOperation, reason: string): Promise<Verdict> {
    const verdict = await replica.dispatch(operation, { id: `${proposal.id.slice(0, 150)}/done` });
    if (verdict.accepted) await thread.decline(proposal.id, { proposedAt: proposal.version, reason });
    return verdict;
  }

  return Object.assign(store, {
    accept: (lines: readonly ProposalLine[]) => decideEach(lines, approve, "accepted"),
    /** Although it is not any more what was proposed. */
    acceptAnyway: (line: ProposalLine) => decideEach([line], approveAnyway, "done anyway"),
    edit: (line: ProposalLine, operation: BoardOperation) =>
      decideEach(
        [line],
        () => applyEdited(line, operation, `Done differently: ${describe(operation, replica.getState())}`),
        "carried out differently",
      ),
    decline: (lines: readonly ProposalLine[], reason = "") =>
      decideEach(
        lines,
        ({ proposal: { id, version } }) =>
          thread.decline(id, { proposedAt: version, ...(reason === "" ? {} : { reason }) }),
        "declined",
      ),
    close() {
      for (const cleanup of cleanups) cleanup();
    },
  });
}

function lineOf(proposal: Proposal, sentence: string, entries: readonly LogEntry[]): ProposalLine {
  const problem = proposal.rejection?.message;
  const stale = proposal.stale.length > 0 || problem !== undefined;
  return { proposal, sentence, stale, since: stale ? changesSince(proposal, entries) : NO_CHANGES_SINCE, problem };
}

/** In a person's words where the thread's are about versions and paths. */
function refusalWords({ code, reason, path, message }: Rejection): string {
  if (code !== "conflict") return message;
  if (path === "/expectedVersion") return "Something else was changed just now. Look at it again.";
  return reason === "changed"
    ? "It was changed since it was proposed. Look at what was changed, then decide."
    : message;
}
