// One proposal in the list.

import { timeOfDay } from "@opstate/kanban-page/clock.ts";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import type { ProposalLine } from "@opstate/kanban-page/proposals/lines.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useRef } from "react";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import { Decision } from "./decision.tsx";

export interface ProposalItemProps {
  readonly line: ProposalLine;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
}

export function ProposalItem({ line, chosen, onChoose }: ProposalItemProps) {
  const { user } = useSession();
  const root = useRef<HTMLLIElement>(null);
  const { proposal, sentence, stale } = line;
  return (
    <li ref={root} className="decision" data-stale={stale ? "" : undefined} data-proposal={proposal.id}>
      <label className="decision-head">
        <input
          type="checkbox"
          checked={chosen && !stale}
          disabled={stale}
          onChange={(event) => onChoose(event.target.checked)}
        />
        <span className="decision-sentence">
          <Words>{sentence}</Words>
        </span>
      </label>
      <p className="decision-by">
        <Mark kind={proposal.actor.kind} size={8} />
        {nameOf(proposal.actor, user)}
        <time dateTime={proposal.at} className="number">
          {timeOfDay(proposal.at)}
        </time>
      </p>
      <Decision line={line} place="list" root={root} />
    </li>
  );
}
