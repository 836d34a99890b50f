// An open debate: its topic, its rounds as they stream, and what the person can do next.

import { createAgentStore } from "@opstate/react";
import { useEffect } from "react";
import { DebateBar } from "./debate-bar.tsx";
import { Notice } from "../notice.tsx";
import { PauseCard } from "./pause-card.tsx";
import { type DebateSession, useDebate } from "./room.ts";
import { RoundSection } from "./round-section.tsx";
import { showInTitle } from "./tab-title.ts";
import { phaseOf, roundsOf, speakingNow } from "./transcript.ts";
import { useKeptFocus } from "./use-kept-focus.ts";
import { useSpokenDebate } from "./use-spoken-debate.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { duration, tokens } from "../words.ts";

export interface DebateRoomProps {
  readonly session: DebateSession;
  readonly elsewhere: boolean;
  readonly onReload: () => void;
  readonly onNew: () => void;
}

export function DebateRoom({ session, elsewhere, onReload, onNew }: DebateRoomProps) {
  const { chat, begin, decide, goOn, breakOff } = useDebate(session);
  const { state } = chat;
  const {
    topic = "",
    round = 0,
    maxRounds = 0,
    startedAt = "",
    endedAt = "",
    problem = "",
    inputTokens = 0,
    outputTokens = 0,
  } = state;
  const phase = phaseOf(chat);
  const rounds = roundsOf(chat);
  const isRunning = phase === "running" || phase === "starting" || elsewhere;
  const place = useKeptFocus(phase);
  const spoken = useSpokenDebate(chat);
  useStickToEnd(isRunning);
  useEffect(() => showInTitle(createAgentStore(session)), [session]);

  return (
    <main className="debate" ref={place} tabIndex={-1} aria-label="Debate">
      <h1 className="topic">{topic}</h1>
      <DebateBar phase={phase} elsewhere={elsewhere} speaking={speakingNow(chat)} state={state} onBreakOff={breakOff} />
      {rounds
        .filter(({ number }) => number > 0)
        .map((round) => (
          <RoundSection
            key={round.number}
            round={round}
            maxRounds={maxRounds}
            facts={state.facts}
            isRunning={isRunning && round.number === state.round}
          />
        ))}
      <div className="after">
        {phase === "waiting" && (
          <PauseCard
            nextRound={round + 1}
            maxRounds={maxRounds}
            onContinue={(said) => decide({ decision: "continue", ...(said !== "" && { word: said }) })}
            onStop={() => decide({ decision: "stop" })}
          />
        )}
        {phase === "completed" && (
          <Notice
            kind="good"
            title={state.stopped ? `You stopped the debate after round ${round} of ${maxRounds}` : "The debate is over"}
          >
            <p className="soft">
              {round === 1 ? "One round" : `${round} rounds`} in {duration(startedAt, endedAt)},{" "}
              {tokens(inputTokens + outputTokens)}. It stays at this address.
            </p>
            <Actions>
              <button type="button" className="button primary" onClick={onNew}>
                Start another debate
              </button>
            </Actions>
          </Notice>
        )}
        {phase === "broken_off" && !elsewhere && (
          <Notice kind="warn" title={`Round ${Math.max(round, 1)} is not finished`}>
            <p className="soft">
              It was interrupted. Turns that were finished are kept; the one that was cut is spoken again.
            </p>
            <Actions>
              <button type="button" className="button primary" onClick={goOn}>
                Go on
              </button>
            </Actions>
          </Notice>
        )}
        {phase === "lost" && (
          <Notice
            kind="bad"
            title={chat.error?.code === undefined ? "The connection to the server is lost" : "The server refused this"}
          >
            <p>
              {chat.error?.code === undefined
                ? "What was finished is kept on the server. Try again when it is back."
                : inWords(chat.error.message)}
            </p>
            <Actions>
              <button
                type="button"
                className="button primary"
                onClick={chat.run === undefined && startedAt === "" ? begin : onReload}
              >
                Try again
              </button>
              <button type="button" className="button" onClick={onNew}>
                Start another debate
              </button>
            </Actions>
          </Notice>
        )}
        {phase === "error" && (
          <Notice kind="bad" title={problem === "" ? "The debate could not go on" : "The debate ended with an error"}>
            <p>{problem === "" ? chat.error?.message : problem}</p>
            <Actions>
              {problem === "" && (
                <button type="button" className="button primary" onClick={onReload}>
                  Try again
                </button>
              )}
              <button type="button" className="button" onClick={onNew}>
                Start another debate
              </button>
            </Actions>
          </Notice>
        )}
      </div>
      <p className="spoken" role="status" aria-live="polite" ref={spoken} />
    </main>
  );
}

/** What the server said, without its number. */
const inWords = (message: string): string => message.replace(/^The server answered \d+: /, "");

function Actions({ children }: { children: React.ReactNode }) {
  return <div className="row">{children}</div>;
}
