// A round: both sides beside each other, the moderator below, and a person's remark at its end.

import type { DebateView } from "../../debate/state.ts";
import { SpeakerMark } from "./speaker-mark.tsx";
import type { Round } from "./transcript.ts";
import { TurnCard } from "./turn-card.tsx";

interface Props {
  readonly round: Round;
  readonly maxRounds: number;
  readonly facts: DebateView["facts"] | undefined;
  readonly isRunning: boolean;
}

export function RoundSection({ round: { number, entries }, maxRounds, facts, isRunning }: Props) {
  const { optimist, skeptic, moderator, person } = entries;
  const card = (speaker: "optimist" | "skeptic" | "moderator", waits: string) => (
    <TurnCard
      speaker={speaker}
      text={entries[speaker]?.text}
      status={entries[speaker]?.status}
      turn={entries[speaker]?.turn}
      facts={facts}
      silence={isRunning ? waits : "Has not spoken yet."}
    />
  );
  return (
    <section className="round" aria-labelledby={`round-${number}`}>
      <h2 id={`round-${number}`} className="round-title">
        Round {number}
        <span className="round-of"> of {maxRounds}</span>
      </h2>
      <div className="sides">
        {card("optimist", "Thinking …")}
        {card("skeptic", optimist?.turn ? "Thinking …" : "Listens to the optimist.")}
      </div>
      {card("moderator", skeptic?.turn ? "Reads the fact check …" : "Takes notes.")}
      {person && moderator && (
        <p className="word">
          <SpeakerMark speaker="person" />
          <span>
            <b>You, to both:</b> {person.text}
          </span>
        </p>
      )}
    </section>
  );
}
