// A proposed card in its proposed place, with buttons to accept, edit or decline.

import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { PriorityIcon } from "../board/priority-icon.tsx";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { useProposalLine } from "./use-proposal-line.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useSession } from "../session-context.ts";
import { keepFocus } from "@opstate/kanban-page/proposals/keep-focus.ts";
import { isEditable } from "@opstate/kanban-page/proposals/editable.ts";
import { showGhost } from "@opstate/kanban-page/scroll/show-ghost.ts";
import { useEffect, useRef } from "react";
import type { Ghost } from "@opstate/kanban-page/proposals/preview.ts";

export function GhostCard({ ghost: { proposal, card } }: { ghost: Ghost }) {
  const { decisions, view, user } = useSession();
  const busy = useStore(decisions, (state) => state.busy);
  const line = useProposalLine(proposal);
  const { sentence, stale } = line;
  const accept = stale ? `Changed since; decide: ${sentence}` : `Accept: ${sentence}`;
  const root = useRef<HTMLLIElement>(null);
  useEffect(() => void (root.current && showGhost(root.current)), []);
  const decide = (how: string, done: Promise<void>) => {
    if (root.current) void keepFocus(root.current, how, done);
  };
  return (
    <li
      ref={root}
      className="card ghost"
      data-ghost-of={card.cardId}
      data-stale={stale ? "" : undefined}
      data-still=""
      aria-label={`Proposed by ${nameOf(proposal.actor, user)}: ${sentence}`}
    >
      <p className="card-title">{card.title}</p>
      <div className="card-meta">
        <Mark kind={proposal.actor.kind} size={9} />
        <span className="ghost-label">{stale ? "Changed" : "Proposed"}</span>
        {proposal.operation.type === "move" ? (
          <span className="card-id mono whole">{card.cardId}</span>
        ) : (
          <span className="priority number" data-priority={card.priority}>
            <PriorityIcon priority={card.priority} />
            {`P${card.priority}`}
          </span>
        )}
        <span className="push" />
        <button
          type="button"
          className="button quiet small icon ghost-accept"
          aria-label={accept}
          title={accept}
          disabled={busy}
          data-how="accept"
          onClick={() => (stale ? view.reveal("proposals") : decide("accept", decisions.accept([line])))}
        >
          <Icon name={stale ? "warning" : "check"} />
        </button>
        {isEditable(proposal.operation) && (
          <button
            type="button"
            className="button quiet small icon"
            aria-label={`Edit: ${sentence}`}
            title="Do it differently"
            disabled={busy}
            onClick={() => view.decide({ id: proposal.id, how: "edit", place: "list" })}
          >
            <Icon name="pencil" />
          </button>
        )}
        <button
          type="button"
          className="button quiet small icon ghost-decline"
          aria-label={`Decline: ${sentence}`}
          title="Decline"
          disabled={busy}
          data-how="decline"
          onClick={() => decide("decline", decisions.decline([line]))}
        >
          <Icon name="cross" />
        </button>
      </div>
    </li>
  );
}
