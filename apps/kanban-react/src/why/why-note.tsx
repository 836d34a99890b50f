// The answer to "why?", beside its card, with the way to the entry in the timeline.

import { describe } from "@opstate/kanban-domain";
import { useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";
import { cardElement } from "@opstate/kanban-page/drag/drop-target.ts";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { nameOf } from "@opstate/kanban-page/people/name.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { keepBeside } from "@opstate/kanban-page/place-beside.ts";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";

export function WhyNote() {
  const { why } = useSession();
  const cardId = useStore(why, (state) => state.cardId);
  return cardId === undefined ? null : <Note key={cardId} cardId={cardId} />;
}

function Note({ cardId }: { cardId: string }) {
  const { why, view, user, chat, log } = useSession();
  const { status, explanation, entry } = useStore(why);
  const question = useStore(chat, ({ questions }) => questions.get(explanation?.runId ?? ""));
  const inRun = useStore(log, ({ entries }) => entries.filter(({ runId, accepted }) => accepted && runId === explanation?.runId).length);
  const note = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const board = document.querySelector<HTMLElement>("[data-board]");
    const anchor = () =>
      (board && cardElement(board, cardId)?.getBoundingClientRect()) ?? new DOMRect(innerWidth / 2, innerHeight / 2, 0, 0);
    return note.current ? keepBeside(note.current, anchor) : undefined;
  }, [cardId]);

  function close() {
    const board = document.querySelector<HTMLElement>("[data-board]");
    why.close();
    if (board) cardElement(board, cardId)?.focus();
  }

  return (
    <div
      ref={note}
      className="why"
      role="dialog"
      aria-label={`Why ${cardId}?`}
      data-testid="why"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <div className="why-head">
        <h3>Why {cardId}?</h3>
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
            <span className="number">version {explanation.commit.version}</span>
            <time dateTime={explanation.commit.at} className="number">
              {new Date(explanation.commit.at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
            </time>
          </p>
          <p>
            <Words>{entry?.sentence ?? describe(explanation.commit.operation)}</Words>
          </p>
          {explanation.runId !== undefined && (
            <p className="why-run">
              In a run of {inRun === 1 ? "1 change" : `${inRun} changes`}
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
              <pre>{JSON.stringify(explanation.commit.operation, null, 2)}</pre>
              <p className="mono">{explanation.toolCallId}</p>
            </details>
          )}
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
        </>
      ) : (
        <p>{words[status]}</p>
      )}
    </div>
  );
}

const words = {
  reading: "Reading the log.",
  known: "",
  unknown: "Nobody changed it: it stands as the board began.",
  failed: "The log is on the server: this needs the connection.",
} as const;
