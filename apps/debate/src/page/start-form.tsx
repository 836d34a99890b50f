// The empty state: a topic, a number of rounds, and who takes part.

import { useCan, useDispatch, useSuspenseAgentState } from "@opstate/react";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { useEffect, useId, useRef, useState } from "react";
import { MAX_TOPIC_LENGTH, MAX_ROUNDS } from "../debate/limits.ts";
import type { Topic } from "./api.ts";
import type { Drafts } from "./drafts.ts";
import { SpeakerMark } from "./room/speaker-mark.tsx";

const EXAMPLES = [
  "Should we move to a four-day week?",
  "Nuclear power",
  "Tabs or spaces",
  "Should public transport be free?",
  "Pineapple belongs on pizza",
];

const PARTS = [
  ["optimist", "argues in favour"],
  ["skeptic", "argues against"],
  ["moderator", "sums up, takes no side"],
  ["person", "decide after each round"],
] as const;

interface Props {
  readonly model: string;
  readonly plan: Drafts["plan"];
  readonly onStart: (topic: Topic) => void;
}

export function StartForm({ model, plan, onStart }: Props) {
  const { topic, maxRounds } = useSuspenseAgentState(plan);
  const dispatch = useDispatch(plan);
  const refused = useCan(plan, { type: "start" });
  const [isAsked, setIsAsked] = useState(false);
  const problem = isAsked ? (refused?.message ?? "") : "";
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    // Whoever is elsewhere already stays there.
    if (document.activeElement === document.body) field.current?.focus();
  }, []);

  function write(text: string) {
    setIsAsked(false);
    void dispatch({ type: "write", topic: text });
  }

  function start() {
    if (refused === undefined) {
      void dispatch({ type: "start" });
      onStart({ topic: topic.trim(), maxRounds });
      return;
    }
    setIsAsked(true);
    field.current?.focus();
  }

  return (
    <main className="start">
      <h1>What should they argue about?</h1>
      <ul className="parts">
        {PARTS.map(([speaker, does]) => (
          <li key={speaker}>
            <SpeakerMark speaker={speaker} />
            <b>{speaker === "person" ? "You" : speaker}</b> {does}
          </li>
        ))}
      </ul>
      <form
        className="card start-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <label htmlFor={`${id}-topic`}>Topic</label>
        <textarea
          id={`${id}-topic`}
          ref={field}
          className="field topic-field"
          rows={2}
          maxLength={MAX_TOPIC_LENGTH}
          value={topic}
          placeholder="A question, an idea, or two things to choose from"
          aria-invalid={problem !== ""}
          aria-describedby={`${id}-problem`}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            start();
          }}
        />
        <p id={`${id}-problem`} className="problem" role="alert">
          {problem}
        </p>
        <div className="examples" role="group" aria-label="Examples">
          {EXAMPLES.map((example) => (
            <button
              key={example}
              type="button"
              className="button small"
              onClick={() => {
                write(example);
                field.current?.focus();
              }}
            >
              {example}
            </button>
          ))}
        </div>
        <fieldset className="rounds">
          <legend>Rounds</legend>
          <div className="segments">
            {Array.from({ length: MAX_ROUNDS }, (_, index) => index + 1).map((number) => (
              <label key={number} className="segment number">
                <input
                  type="radio"
                  name={`${id}-rounds`}
                  className="spoken"
                  value={number}
                  checked={number === maxRounds}
                  onChange={() => void dispatch({ type: "setRounds", maxRounds: number })}
                />
                {number}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="row">
          <button type="submit" className="button primary large">
            Start the debate
            <Icon name="arrow" />
          </button>
          <span className="soft model">{model}</span>
        </div>
      </form>
    </main>
  );
}
