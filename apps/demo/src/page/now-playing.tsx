// The moment that is played: what happens in a sentence, what to press next, and the lines that do
// it.

import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { MOMENTS } from "./tour/moments.ts";
import { nextMoment, type Tour } from "./tour/tour.ts";

interface Props {
  readonly tour: Tour;
  /** The board is the visitor's own. */
  readonly isOwn: boolean;
  readonly onReset: () => void;
}

export function NowPlaying({ tour, isOwn, onReset }: Props) {
  const { current, seen, sentence, isPlaying, isWaiting, isProblem, isPatient } = useStore(tour);
  const section = useRef<HTMLElement>(null);
  // The words and the board below them are seen together while a moment is played.
  useEffect(() => {
    if (isPlaying) section.current?.scrollIntoView({ block: "start" });
  }, [isPlaying]);
  const moment = MOMENTS.find(({ id }) => id === current) ?? MOMENTS[0];
  const next = nextMoment(current);
  if (moment === undefined || next === undefined) return null;
  return (
    <section className="now" ref={section} aria-labelledby="now-title">
      <div className="now-words">
        <div className="now-head">
          <h2 id="now-title">{current === undefined ? "Five moments, two minutes" : moment.title}</h2>
          <p className="now-progress number" data-testid="progress">{`${seen.length} of ${MOMENTS.length} seen`}</p>
        </div>
        <p
          className="now-sentence"
          role="status"
          data-testid="now"
          data-state={isPlaying ? (isWaiting ? "waiting" : "playing") : "still"}
          data-problem={isProblem ? "" : undefined}
        >
          {sentence}
        </p>
        <div className="now-buttons">
          <button
            type="button"
            className="button primary"
            aria-disabled={isPlaying}
            onClick={() => isPlaying || tour.play(next.id)}
          >
            {`${seen.length === MOMENTS.length ? "Again" : "Next"}: ${next.title.toLowerCase()}`}
          </button>
          {isWaiting && (
            <button type="button" className="button" onClick={tour.showMe}>
              Show me
            </button>
          )}
          {isOwn && (
            <button type="button" className="button quiet" onClick={onReset}>
              Begin again
            </button>
          )}
        </div>
        <label className="now-patience">
          <input type="checkbox" checked={isPatient} onChange={({ target }) => tour.setPatient(target.checked)} />
          Wait for me. Otherwise the page shows its own hand after 20 seconds.
        </label>
        <p className="now-note">
          {isOwn
            ? "This board is yours alone, and gone after a day. To begin again is to get a new one."
            : "This is the shared board: there are as many boards of visitors as this demo keeps."}
        </p>
      </div>
      <figure className="now-code">
        <figcaption>
          The few lines that do this <code>{moment.file.split("/").at(-1)}</code>
        </figcaption>
        <pre tabIndex={0} role="region" aria-label="The few lines that do this">
          <code>{moment.code}</code>
        </pre>
      </figure>
    </section>
  );
}
