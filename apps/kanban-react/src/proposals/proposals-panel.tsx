// The open proposals as a list: accept all or some, edit, or decline with a reason.

import { keepFocus } from "@opstate/kanban-page/proposals/keep-focus.ts";
import { proposalLine } from "@opstate/kanban-page/proposals/lines.ts";
import { useRef, useState } from "react";
import { useStore } from "zustand";
import { Board, useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { ProposalItem } from "./proposal-item.tsx";

export function ProposalsPanel() {
  const { decisions } = useSession();
  const { busy } = useStore(decisions);
  const { proposals } = Board.useProposals();
  const log = useLog((each) => each);
  const board = Board.useAgentState();
  const lines = proposals.map((proposal) => proposalLine(proposal, board, log));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = lines.filter(({ proposal, stale }) => !left.has(proposal.id) && !stale);
  const all = chosen.length === lines.length;
  const list = useRef<HTMLOListElement>(null);
  // Those that stay are in the list still.
  const decide = (how: string, done: Promise<void>) => {
    if (list.current) void keepFocus(list.current, how, done);
  };

  if (lines.length === 0)
    return (
      <div className="panel-empty">
        <h3>Nothing waits for you</h3>
        <p>
          Choose “Ask me first” above the message field, and ask the agent for a change: what it wants to do is listed
          here, and shown on the board as ghosts.
        </p>
      </div>
    );
  return (
    <div className="decisions">
      <ol ref={list} className="decision-list" aria-label="Proposals">
        {lines.map((line) => (
          <ProposalItem
            key={line.proposal.version}
            line={line}
            chosen={!left.has(line.proposal.id)}
            onChoose={(chosen) => setLeft((before) => toggled(before, line.proposal.id, !chosen))}
          />
        ))}
      </ol>
      <div className="decision-bar">
        <button
          type="button"
          className="button primary small"
          disabled={busy || chosen.length === 0}
          onClick={() => decide("accept", decisions.accept(chosen))}
        >
          {chosen.length === 0
            ? "Accept"
            : all
              ? `Accept all (${chosen.length})`
              : `Accept ${chosen.length} of ${lines.length}`}
        </button>
        <button
          type="button"
          className="button quiet small danger"
          disabled={busy}
          onClick={() => decide("decline", decisions.decline(lines))}
        >
          Decline all
        </button>
      </div>
    </div>
  );
}

function toggled(set: ReadonlySet<string>, item: string, inside: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (inside) next.add(item);
  else next.delete(item);
  return next;
}
