// An answer that names no interrupt: `new Command({ resume: answer })`. LangGraph gives it to every
// task of the superstep that waits, so one yes would approve operations that nobody looked at.
//
//   A waits, B waits     resume: yes           A asks again, B asks again
//   B waits              resume: yes           B gets it
//   A waits, B waits     resume: { [A's id]: yes, [B's id]: no }
//
// LangGraph repeats a task's answers whenever the task runs again, and does not say how they came.
// So what is recorded is not the answer but the fact that it was addressed to nobody.

import type { RunnableConfig } from "@langchain/core/runnables";
import type { Commit, Thread } from "@opstate/core";

/** LangGraph's own key, which its `interrupt` reads, too. */
const KEY = "__pregel_scratchpad";

const UNADDRESSED = { opstate: "unaddressed" } as const;

/** The part of it that `interrupt` uses for an answer without an address. */
interface Scratchpad {
  readonly nullResume: unknown;
  consumeNullResume: () => unknown;
}

/** Makes the next `interrupt` return "unaddressed" for such an answer, if siblings wait as well. */
export async function refuseUnaddressed(
  thread: Pick<Thread, "proposals">,
  proposal: Commit,
  config: RunnableConfig,
): Promise<void> {
  const pad: unknown = config.configurable?.[KEY];
  if (!isScratchpad(pad) || pad.nullResume === undefined) return;
  const message = messageOf(proposal);
  const waiting = await thread.proposals();
  if (!waiting.some((other) => other.id !== proposal.id && messageOf(other) === message)) return;
  const consume = pad.consumeNullResume;
  pad.consumeNullResume = () => {
    consume();
    return UNADDRESSED;
  };
}

export function isUnaddressed(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "opstate" in answer && answer.opstate === UNADDRESSED.opstate;
}

/** The part of a proposal's id that all calls of one message share. */
function messageOf({ id, toolCallId = "" }: Pick<Commit, "id" | "toolCallId">): string {
  return id.endsWith(`/${toolCallId}`) ? id.slice(0, -toolCallId.length) : id;
}

function isScratchpad(value: unknown): value is Scratchpad {
  return (
    typeof value === "object" &&
    value !== null &&
    "nullResume" in value &&
    "consumeNullResume" in value &&
    typeof value.consumeNullResume === "function"
  );
}
