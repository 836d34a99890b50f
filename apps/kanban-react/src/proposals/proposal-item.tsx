// One proposal in the list, with what changed since it was made.

import { useStore } from "zustand";
import { timeOfDay } from "@opstate/kanban-page/clock.ts";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import { DeclineForm } from "./decline-form.tsx";
import { EditForm } from "./edit-form.tsx";
import { isEditable } from "@opstate/kanban-page/proposals/editable.ts";
import { approveAnywayWarning, earlierText } from "@opstate/kanban-page/proposals/changes-since.ts";
import type { ProposalLine } from "@opstate/kanban-page/proposals/lines.ts";

export interface ProposalItemProps {
  readonly line: ProposalLine;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
}

export function ProposalItem({ line, chosen, onChoose }: ProposalItemProps) {
  const { decisions, view, user } = useSession();
  const { proposal, sentence, stale, since, problem } = line;
  const refusal = useStore(decisions, ({ refusals }) => refusals.get(proposal.id));
  const busy = useStore(decisions, (state) => state.busy);
  const how = useStore(view, ({ deciding }) => (deciding?.id === proposal.id ? deciding.how : undefined));
  const warning = problem === undefined ? approveAnywayWarning(proposal.operation) : undefined;
  return (
    <li className="decision" data-stale={stale ? "" : undefined} data-proposal={proposal.id}>
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
      {stale && (
        <div className="decision-stale" role="note">
          <p>{problem === undefined ? "Since then" : <Words>{`It no longer applies. ${problem}`}</Words>}</p>
          {since.newest.map(({ key, actor, sentence }) => (
            <p key={key} className="decision-since">
              <Mark kind={actor.kind} size={8} />
              <span>
                <Words>{`${nameOf(actor, user)}: ${sentence}`}</Words>
              </span>
            </p>
          ))}
          {since.earlier > 0 && <p className="decision-since">{earlierText(since.earlier)}</p>}
          {warning !== undefined && <p>{warning}</p>}
        </div>
      )}
      {refusal !== undefined && (
        <p className="entry-reason">
          <Words>{refusal}</Words>
        </p>
      )}
      {how === "edit" ? (
        <EditForm line={line} />
      ) : how === "decline" ? (
        <DeclineForm line={line} />
      ) : (
        <div className="decide-row">
          {problem === undefined && (
            <button
              type="button"
              className="button small"
              disabled={busy}
              onClick={() => void (stale ? decisions.acceptAnyway(line) : decisions.accept([line]))}
            >
              {stale ? "Do it anyway" : "Accept"}
            </button>
          )}
          {isEditable(proposal.operation) && (
            <button
              type="button"
              className="button quiet small"
              disabled={busy}
              onClick={() => view.decide({ id: proposal.id, how: "edit" })}
            >
              Edit
            </button>
          )}
          <button
            type="button"
            className="button quiet small danger"
            disabled={busy}
            onClick={() => view.decide({ id: proposal.id, how: "decline" })}
          >
            Decline
          </button>
        </div>
      )}
    </li>
  );
}
