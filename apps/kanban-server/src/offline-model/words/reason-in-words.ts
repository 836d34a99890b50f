// Why something was changed: what the agent did, it was asked for in the conversation. Of others
// the log says what they did, and not why.

import type { Exchange } from "../conversation.ts";

/** `told` are the latest changes, as the tool lists them: newest first. */
export function reasonInWords(told: string, about: unknown, earlier: readonly Exchange[]): string {
  const newest = /^- (.+)$/m.exec(told)?.[1];
  if (newest === undefined) return told;
  const asked = newest.startsWith("the agent")
    ? earlier.findLast(({ answer }) => DONE.test(answer) && answer.includes(`(${String(about)})`))
    : undefined;
  const why =
    asked === undefined
      ? "The log says who did it, and not why."
      : `I did the latest of these because you asked: '${asked.request}'.`;
  return `${told}\n${why}`;
}

/** How the report of a run begins. */
const DONE = /\b(?:Moved|Removed|Added|Renamed|Set the priority|Cleared)\b/;
