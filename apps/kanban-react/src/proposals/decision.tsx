// What a person decides about one proposal, wherever it is shown: what changed since it was made,
// and the buttons and forms to accept, edit or decline it.

import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import type { DecidingPlace } from "@opstate/kanban-page/layout/page-view.ts";
import { approveAnywayWarning, earlierText } from "@opstate/kanban-page/proposals/changes-since.ts";
import { isEditable } from "@opstate/kanban-page/proposals/editable.ts";
import { keepFocus } from "@opstate/kanban-page/proposals/keep-focus.ts";
import type { ProposalLine } from "@opstate/kanban-page/proposals/lines.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import type { RefObject } from "react";
import { useStore } from "zustand";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import { DeclineForm } from "./decline-form.tsx";
import { EditForm } from "./edit-form.tsx";

export interface DecisionProps {
  readonly line: ProposalLine;
  readonly place: DecidingPlace;
  /** What it is shown in. The focus stays there, or goes to the next decision when it is gone. */
  readonly root: RefObject<HTMLElement | null>;
}

export function Decision({ line, place, root }: DecisionProps) {
  const { decisions, view, user } = useSession();
  const { proposal, stale, since, problem } = line;
  const { id, operation } = proposal;
  const refusal = useStore(decisions, ({ refusals }) => refusals.get(id));
  const busy = useStore(decisions, (state) => state.busy);
  const how = useStore(view, ({ deciding }) =>
    deciding?.id === id && deciding.place === place ? deciding.how : undefined,
  );
  const warning = problem === undefined ? approveAnywayWarning(operation) : undefined;

  function end(by: string, done?: Promise<void>) {
    // Another one's form stays open.
    if (how !== undefined) view.decide(undefined);
    if (root.current) void keepFocus(root.current, by, done);
  }

  return (
    <>
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
        <EditForm line={line} onEnd={(done) => end("edit", done)} />
      ) : how === "decline" ? (
        <DeclineForm line={line} onEnd={(done) => end("decline", done)} />
      ) : (
        <div className="decide-row">
          {problem === undefined && (
            <button
              type="button"
              className="button small"
              data-how="accept"
              disabled={busy}
              onClick={() => end("accept", stale ? decisions.acceptAnyway(line) : decisions.accept([line]))}
            >
              {stale ? "Do it anyway" : "Accept"}
            </button>
          )}
          {isEditable(operation) && (
            <button
              type="button"
              className="button quiet small"
              data-how="edit"
              disabled={busy}
              onClick={() => view.decide({ id, how: "edit", place })}
            >
              Edit
            </button>
          )}
          <button
            type="button"
            className="button quiet small danger"
            data-how="decline"
            disabled={busy}
            onClick={() => view.decide({ id, how: "decline", place })}
          >
            Decline
          </button>
        </div>
      )}
    </>
  );
}
