// A model that repeats a call that is refused: how often, and the words that end its run.
//
//   move(T-9)  Refused (card_not_found)     1
//   move(T-9)  Refused (card_not_found)     2   the verdict asks it to stop
//   move(T-9)  Refused (card_not_found)     3   the run ends

import type { Rejection } from "@opstate/core";
import { equal, isRecord } from "@opstate/core/json";

/** A refused call: the tool, its arguments, and why it was refused. */
export interface RefusedCall {
  readonly name: string;
  readonly args: unknown;
  /** The word that a verdict has in brackets: the application's reason, else the code. */
  readonly reason: string;
  readonly message: string;
}

const MAX_MESSAGE_CHARACTERS = 400;
/** Deeper arguments are no update. */
const MAX_LEVELS = 64;

/** The reason and the message of a rejection. */
export function refusalOf({ code, reason, message }: Rejection): Pick<RefusedCall, "reason" | "message"> {
  return { reason: reason ?? code, message };
}

/**
 * The refusal in a tool's result: in the verdict beside it, else in its text, as `verdictText`
 * writes it. Undefined when it is none.
 */
export function readRefusal(verdict: unknown, text: string): Pick<RefusedCall, "reason" | "message"> | undefined {
  const rejection = isRecord(verdict) ? verdict["rejection"] : undefined;
  if (isRecord(rejection) && typeof rejection["code"] === "string") {
    const { code, reason, message } = rejection;
    return { reason: typeof reason === "string" ? reason : code, message: typeof message === "string" ? message : "" };
  }
  const [, reason, message = ""] = /^Refused \(([^)\n]{1,200})\):? ?(.*)/.exec(text) ?? [];
  return reason === undefined ? undefined : { reason, message };
}

/** How many of the calls are this one and were refused for the same reason. */
export function timesRefused(
  past: readonly RefusedCall[],
  { name, args, reason }: Pick<RefusedCall, "name" | "args" | "reason">,
): number {
  return past.filter((call) => call.name === name && call.reason === reason && equal(call.args, args, MAX_LEVELS))
    .length;
}

/** What a run says that ends because of a repeated call: for the person whose request it was. */
export function repeatText({ name, reason, message }: RefusedCall, times: number): string {
  const said = message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…` : message;
  const why = said === "" ? "" : ` ${said}`;
  return `I stopped: "${name}" was refused ${times} times for the same reason (${reason}).${why}`;
}
