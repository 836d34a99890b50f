// The five moments by their headings and sentences, each one click away, and which were seen.

import { Icon } from "@opstate/ui/react/icon.tsx";
import { useId } from "react";
import { useStore } from "zustand";
import { MOMENTS } from "./tour/moments.ts";
import type { Tour } from "./tour/tour.ts";

export function Moments({ tour }: { tour: Tour }) {
  const { current, seen } = useStore(tour);
  const id = useId();
  return (
    <ol className="moments" aria-label="Five moments">
      {MOMENTS.map(({ id: moment, title, sentence }, index) => {
        const isSeen = seen.includes(moment);
        return (
          <li
            key={moment}
            className="moment"
            data-moment={moment}
            data-seen={isSeen ? "" : undefined}
            aria-current={moment === current ? "step" : undefined}
          >
            <span className="moment-number number" aria-hidden="true">
              {isSeen ? <Icon name="check" /> : index + 1}
            </span>
            <h2 id={`${id}-${moment}`}>
              {title}
              {isSeen && <span className="spoken"> (seen)</span>}
            </h2>
            <p>{sentence}</p>
            <button
              type="button"
              className="button quiet small moment-play"
              aria-label={`${isSeen ? "Play again" : "Play"}: ${title}`}
              onClick={() => tour.play(moment)}
            >
              {isSeen ? "Play again" : "Play"}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
