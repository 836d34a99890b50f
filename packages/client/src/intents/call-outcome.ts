// What the text of a tool's result says of its call, in the words that opstate's tools use.

import type { CallOutcome } from "./intent.ts";

/** Undefined: the text is no verdict, or that of a proposal, which is no intent any more. */
export function outcomeIn(result: string): CallOutcome | undefined {
  const accepted = /^Accepted: .*?\bversion (\d+)\./.exec(result);
  if (accepted) return { accepted: true, version: Number(accepted[1]) };
  const [, reason, message] = /^Refused \(([^)]*)\): (.*)/.exec(result) ?? [];
  if (reason === undefined || message === undefined) return undefined;
  return { accepted: false, rejection: { reason, message } };
}
