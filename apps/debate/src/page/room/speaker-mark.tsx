// The mark of a speaker: the optimist points up, the skeptic down, the moderator is a diamond, a
// person a circle.

import type { Speaker } from "../../debate/speakers.ts";

export function SpeakerMark({ speaker, size = 12 }: { speaker: Speaker; size?: number }) {
  return (
    <svg
      className="speaker-mark"
      data-speaker={speaker}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      fill="currentColor"
      aria-hidden="true"
    >
      {SHAPES[speaker]}
    </svg>
  );
}

const SHAPES: Readonly<Record<Speaker, React.ReactNode>> = {
  optimist: <path d="M6 1l5.500 10H.5z" />,
  skeptic: <path d="M6 11L.5 1h11z" />,
  moderator: <path d="M6 0l6 6-6 6-6-6z" />,
  person: <circle cx="6" cy="6" r="5.500" />,
};
