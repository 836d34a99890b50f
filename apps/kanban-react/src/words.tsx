// A sentence about the board, without line breaks in its ids.

import { sentenceParts } from "@opstate/kanban-page/sentence-parts.ts";

export function Words({ children }: { children: string }) {
  return sentenceParts(children).map(({ text, whole }, index) =>
    whole ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity
      <span key={index} className="whole">
        {text}
      </span>
    ) : (
      text
    ),
  );
}
