// The form between two rounds: continue, continue with a remark to both, or stop.

import { Icon } from "@opstate/ui/react/icon.tsx";
import { useId } from "react";
import { MAX_REMARK_LENGTH } from "../../debate/limits.ts";
import { Remark } from "../drafts.ts";

interface Props {
  readonly nextRound: number;
  readonly maxRounds: number;
  readonly onContinue: (word: string) => void;
  readonly onStop: () => void;
}

export function PauseCard({ nextRound, maxRounds, onContinue, onStop }: Props) {
  const id = useId();
  const round = nextRound - 1;
  // One that was written after an earlier round is not shown.
  const word = Remark.useAgentState((remark) => (remark.round === round ? remark.text : ""));
  const dispatch = Remark.useDispatch();
  const said = word.trim();
  return (
    <form
      className="card pause"
      aria-label={`Round ${nextRound} is ready`}
      onSubmit={(event) => {
        event.preventDefault();
        onContinue(said);
      }}
    >
      <h2>
        Round {nextRound} of {maxRounds} is ready
      </h2>
      <p className="soft">The debaters wait for you. You can close this page and come back: the debate is kept.</p>
      <label htmlFor={id}>Say something to both first (optional)</label>
      <textarea
        id={id}
        className="field"
        rows={2}
        maxLength={MAX_REMARK_LENGTH}
        value={word}
        placeholder="A question, a fact, a rule for the next round"
        onChange={(event) => void dispatch({ type: "write", round, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onContinue(said);
        }}
      />
      <div className="row">
        <button type="submit" className="button primary">
          {said === "" ? `Continue with round ${nextRound}` : "Say it and continue"}
          <Icon name="arrow" />
        </button>
        <button type="button" className="button" onClick={onStop}>
          Stop the debate
        </button>
      </div>
    </form>
  );
}
