// The verdict in a tool's result, read from its text as any model has to.

import { defined } from "@opstate/core";
import type { Call } from "./plan.ts";

/**
 * A call and its verdict. `retry`: it was itself a correction. `look`: it looked for the cards of a
 * step. `reading`: which wording of the request it follows.
 */
export interface Outcome {
  readonly step: number;
  readonly retry: boolean;
  readonly look: boolean;
  readonly reading: number;
  readonly call: Call;
  readonly verdict: ToolVerdict;
}

export interface ToolVerdict {
  readonly accepted: boolean;
  /** It was proposed: nothing has changed yet. */
  readonly proposed?: boolean;
  /** False if it was accepted but changed nothing. */
  readonly changed: boolean;
  /** What was done, as the log says it: "Move 'Dark mode' (T-2): Backlog -> Done". */
  readonly sentence?: string;
  /** A board reason or one of opstate's codes. */
  readonly reason?: string;
  /** Why not, in a sentence. */
  readonly message: string;
  readonly details?: unknown;
  /** How many times the same call was refused. */
  readonly attempt: number;
  /** The whole answer, as it came. */
  readonly text: string;
}

export function readVerdict(text: string | undefined): ToolVerdict {
  if (text === undefined) return { accepted: false, changed: false, message: "No answer came.", attempt: 1, text: "" };
  if (text.startsWith("Accepted"))
    return {
      accepted: true,
      changed: !/^Accepted: \S+ needed no change/.test(text),
      message: "",
      attempt: 1,
      text,
      ...defined({ sentence: sentenceIn(text) }),
    };
  if (text.startsWith("Proposed"))
    return { accepted: false, proposed: true, changed: false, message: "", attempt: 1, text };
  const [, reason, message] = /^Refused \(([^)]*)\): (.*)$/m.exec(text) ?? [];
  const details = readJson(/^Details: (.*)$/m.exec(text)?.[1]);
  return {
    accepted: false,
    changed: false,
    message: message ?? text.split("\n", 1)[0] ?? "",
    attempt: Number(/refused (\d+) times/.exec(text)?.[1] ?? 1),
    text,
    ...defined({ reason, details }),
  };
}

function sentenceIn(text: string): string | undefined {
  const sentence = readJson(/^Done: (".*")$/m.exec(text)?.[1]);
  return typeof sentence === "string" ? sentence : undefined;
}

/** Undefined if it is not JSON: a long text is cut. */
function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
