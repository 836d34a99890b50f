// One turn: the speaker, the streaming text, and the fact check below. Its space is reserved before
// it has text.

import { memo, useId, useState } from "react";
import { type Agent, isDebater } from "../../debate/speakers.ts";
import type { Fact } from "../../debate/state.ts";
import { Claims } from "./claims.tsx";
import { LabelIcon } from "../icons.tsx";
import { SpeakerMark } from "./speaker-mark.tsx";
import type { Entry } from "./transcript.ts";
import { LABEL_NAMES, SPEAKER_NAMES, timeOf, tokens, turnTime } from "../words.ts";

interface Props {
  readonly speaker: Agent;
  readonly text: string | undefined;
  readonly status: Entry["status"] | undefined;
  readonly turn: Entry["turn"];
  readonly facts: readonly Fact[] | undefined;
  /** Shown while there is no text. */
  readonly silence: string;
}

export const TurnCard = memo(function TurnCard({ speaker, text, status, turn, facts, silence }: Props) {
  const own = facts?.filter((fact) => fact.turn === turn?.id) ?? [];
  const [shown, setShown] = useState<Fact>();
  const id = useId();
  return (
    <article className="turn" data-speaker={speaker} data-status={status ?? "silent"} aria-labelledby={id}>
      <header className="turn-head">
        <SpeakerMark speaker={speaker} />
        <h3 id={id}>{SPEAKER_NAMES[speaker]}</h3>
        {turn && (
          <span
            className="turn-facts number"
            title={`${timeOf(turn.startedAt)}, ${turnTime(turn)}, ${tokens(turn.inputTokens)} in`}
          >
            {turnTime(turn)} · {tokens(turn.outputTokens)}
          </span>
        )}
      </header>
      <p className="turn-text">
        {text === undefined || text === "" ? (
          <span className="silence">{silence}</span>
        ) : (
          <Claims text={text} facts={own} shown={shown} />
        )}
        {status === "streaming" && <span className="caret" aria-hidden="true" />}
        {status === "incomplete" && <span className="silence"> … broken off here</span>}
      </p>
      {isDebater(speaker) && (
        <footer className="checks" aria-label={`Fact check of the ${speaker}`}>
          {own.map((fact) => (
            <button
              key={fact.quote}
              type="button"
              className="check"
              data-label={fact.label}
              aria-expanded={fact === shown}
              title={fact.note}
              onClick={() => setShown(fact === shown ? undefined : fact)}
            >
              <LabelIcon label={fact.label} />
              {LABEL_NAMES[fact.label]}
            </button>
          ))}
          {shown && (
            <p className="check-note" role="note">
              {shown.note}
            </p>
          )}
        </footer>
      )}
    </article>
  );
});
