// The line above the rounds: phase, round, tokens and times. Its height never changes.

import { Icon } from "@opstate/ui/react/icon.tsx";
import type { DebateView } from "../../debate/state.ts";
import { PhaseIcon } from "../icons.tsx";
import type { Phase } from "./transcript.ts";
import { duration, SPEAKER_NAMES, timeOf, tokens } from "../words.ts";

interface Props {
  readonly phase: Phase;
  readonly elsewhere: boolean;
  readonly speaking: "optimist" | "skeptic" | "moderator" | "fact check" | undefined;
  readonly state: Partial<DebateView>;
  readonly onBreakOff: () => void;
}

export function DebateBar({ phase, elsewhere, speaking, state, onBreakOff }: Props) {
  const { round = 0, maxRounds = 0, inputTokens = 0, outputTokens = 0, startedAt = "", endedAt = "" } = state;
  const isRunning = !elsewhere && (phase === "running" || phase === "starting");
  return (
    <div className="bar" data-phase={elsewhere ? "running" : phase}>
      <span className="phase" data-testid="phase">
        <PhaseIcon phase={elsewhere ? "running" : phase} />
        {elsewhere ? "Running in another window" : isRunning ? doing(speaking) : NAMES[phase]}
      </span>
      <span className="progress number">
        <span className="dots" aria-hidden="true">
          {Array.from({ length: maxRounds }, (_, index) => index + 1).map((number) => (
            <i
              key={number}
              data-state={
                number < round || (number === round && phase === "completed")
                  ? "done"
                  : number === round
                    ? "now"
                    : "next"
              }
            />
          ))}
        </span>
        Round {round} of {maxRounds}
      </span>
      <span className="push" />
      <button
        type="button"
        className="button small"
        aria-label="Pause"
        title="Pause: the turn that is cut is spoken again later"
        data-hidden={isRunning ? undefined : ""}
        disabled={!isRunning}
        onClick={onBreakOff}
      >
        <Icon name="stop" />
        <span className="for-wide">Pause</span>
      </button>
      <span className="meter number" title={`${tokens(inputTokens)} in, ${tokens(outputTokens)} out`}>
        {tokens(inputTokens + outputTokens)}
      </span>
      <span className="meter number for-time" title={endedAt === "" ? "" : `Ended ${timeOf(endedAt)}`}>
        {startedAt !== "" && (endedAt === "" ? `Started ${timeOf(startedAt)}` : `Took ${duration(startedAt, endedAt)}`)}
      </span>
    </div>
  );
}

const NAMES: Readonly<Record<Phase, string>> = {
  starting: "Starting",
  running: "Running",
  waiting: "Waiting for you",
  broken_off: "Paused",
  completed: "Completed",
  error: "Ended with an error",
  lost: "Connection lost",
};

function doing(speaking: Props["speaking"]): string {
  if (speaking === undefined) return "Starting";
  return speaking === "fact check" ? "Checking facts" : `${SPEAKER_NAMES[speaking]} speaks`;
}
