// The answer to "Why?" beside its card, with a link to the entry in the timeline.

import { describeCommit } from "@opstate/kanban-domain";
import { useChat } from "@opstate/react";
import { useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";
import { dateAndTime } from "@opstate/kanban-page/clock.ts";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { JsonBlock } from "@opstate/ui/react/json-block.tsx";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { focusCard, keepBesideCard } from "@opstate/kanban-page/why/beside-card.ts";
import { NO_ANSWER_TEXT } from "@opstate/kanban-page/why/why.ts";
import { useSession } from "./session-context.ts";
import { Words } from "./words.tsx";

export function WhyNote({ cardId }: { cardId: string }) {
  const { why, view, user, chat } = useSession();
  const { name, status, explanation, inRun, inTimeline } = useStore(why);
  const question = useChat(chat, ({ questions }) => questions[explanation?.runId ?? ""]);
  const note = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (note.current ? keepBesideCard(note.current, cardId) : undefined), [cardId]);

  function close() {
    why.close();
    focusCard(cardId);
  }

  return (
    <div
      ref={note}
      className="why"
      role="dialog"
      aria-label={`Why ${name}?`}
      data-testid="why"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <div className="why-head">
        <h3>{`Why ${name}?`}</h3>
        <span className="push" />
        <button type="button" className="button quiet small icon" aria-label="Close" onClick={close}>
          <Icon name="cross" />
        </button>
      </div>
      {explanation ? (
        <>
          <p className="why-who">
            <Mark kind={explanation.actor.kind} />
            <strong>{nameOf(explanation.actor, user)}</strong>
            <span className="number">{`version ${explanation.commit.version}`}</span>
            <time dateTime={explanation.commit.at} className="number">
              {dateAndTime(explanation.commit.at)}
            </time>
          </p>
          <p>
            <Words>{describeCommit(explanation.commit)}</Words>
          </p>
          {explanation.runId !== undefined && (
            <p className="why-run">
              {`In a run of ${inRun === 1 ? "1 change" : `${inRun} changes`}`}
              {question !== undefined && (
                <>
                  , asked for by <q>{question}</q>
                </>
              )}
            </p>
          )}
          {explanation.toolCallId !== undefined && (
            <details className="why-call">
              <summary>
                Tool call <code>{explanation.commit.operation.type}</code>
              </summary>
              <JsonBlock value={explanation.commit.operation} label="The operation" />
              <p className="mono">{explanation.toolCallId}</p>
            </details>
          )}
          {inTimeline && (
            <div className="why-row">
              <button
                type="button"
                className="button small"
                autoFocus
                onClick={() => {
                  why.close();
                  view.point(explanation.commit.version);
                }}
              >
                Show in the timeline
              </button>
            </div>
          )}
        </>
      ) : (
        <p>{NO_ANSWER_TEXT[status]}</p>
      )}
    </div>
  );
}
