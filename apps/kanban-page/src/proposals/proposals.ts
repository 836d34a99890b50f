// The open proposals, and the decisions on them: accept, edit and do, decline with a reason.
//
// - The thread refuses an approval by the proposer.
// - A stale proposal lists what changed since it was made. A person who has seen the list may
//   accept it anyway; the log records that.

import { defined, type Proposal, type Rejection, type Replica, type Verdict } from "@opstate/core";
import { createProposalFeed, type ProposalSource } from "@opstate/core/feeds";
import { type Board, board, type BoardOperation, describe } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "../announcer.ts";
import type { OpenBoard } from "../open-board.ts";
import { plainRefusal } from "../plain-refusal.ts";
import type { BoardLog } from "../timeline/log.ts";
import type { LogEntry } from "../timeline/log-entry.ts";
import { NOTHING_PROPOSED, type Preview, previewOf } from "./preview.ts";
import { NO_CHANGES_SINCE, type ChangesSince, changesSince } from "./changes-since.ts";

export interface ProposalLine {
  readonly proposal: Proposal;
  readonly sentence: string;
  /** What it would change has changed since: it is not accepted together with others. */
  readonly stale: boolean;
  /** What changed since it was made. */
  readonly since: ChangesSince;
  /** Why it would be refused now. */
  readonly problem: string | undefined;
}

export interface ProposalsView {
  readonly lines: readonly ProposalLine[];
  readonly preview: Preview;
  readonly busy: boolean;
  /** Why a decision failed, by the proposal's id. */
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
    const lines = proposals.map((proposal) => lineOf(proposal, state, entries));
    store.setState({ lines, preview: previewOf(state, proposals) });
  }

  const cleanups = [feed.subscribe(update), replica.subscribe(update), log.subscribe(update)];

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
        else refusals.set(id, refusalWords(verdict.rejection, replica.getState()));
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
      `${acceptedCount} ${acceptedCount === 1 ? "proposal" : "proposals"} ${done}.${failedCount === 0 ? "" : ` ${failedCount} failed: ${[...refusals.values()][0] ?? ""}`}`,
    );
  }

  function approve({ proposal: { id, version } }: ProposalLine): Promise<Verdict> {
    return thread.approve(id, { proposedAt: version });
  }

  /** Only if nothing changed that its list does not show. */
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
    /** Accepts a stale proposal. */
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
          thread.decline(id, { proposedAt: version, ...defined({ reason: reason || undefined }) }),
        "declined",
      ),
    close() {
      for (const cleanup of cleanups) cleanup();
    },
  });
}

function lineOf(proposal: Proposal, state: Board | null, entries: readonly LogEntry[]): ProposalLine {
  const { operation } = proposal;
  const sentence = operation.type === "$replace" ? describe(operation) : proposal.sentence;
  const problem = proposal.rejection && plainRefusal(proposal.rejection, state);
  const stale = proposal.stale.length > 0 || problem !== undefined;
  return { proposal, sentence, stale, since: stale ? changesSince(proposal, entries) : NO_CHANGES_SINCE, problem };
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
