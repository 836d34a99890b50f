// The mark of an actor: a shape and a colour.

import { markKind, MARKS } from "../marks.ts";

export function Mark({ kind, size = 10 }: { kind: string; size?: number }) {
  const shape = markKind(kind);
  return (
    <svg
      className="mark"
      data-kind={shape}
      width={size}
      height={size}
      viewBox="0 0 10 10"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d={MARKS[shape]} fillRule="evenodd" />
    </svg>
  );
}
