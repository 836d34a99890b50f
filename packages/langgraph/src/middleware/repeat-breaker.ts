// Ends a run whose model repeats a refused call. The verdict asks it to stop; a stubborn model
// would go on to LangGraph's recursion limit, which is an error that explains nothing to the user.

import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { repeatText, timesRefused } from "@opstate/agent";
import { refusedSteps } from "../tools/count-refusals.ts";

/** The `maxRefusals` of a middleware. */
export type MaxRefusals = number | false;

const DEFAULT: MaxRefusals = 3;

/** Throws a TypeError that says what is right. */
export function checkMaxRefusals(most: MaxRefusals = DEFAULT): MaxRefusals {
  if (most === false || (Number.isSafeInteger(most) && most >= 1)) return most;
  throw new TypeError(
    `\`maxRefusals\` must be a whole number of at least 1, or false; it is ${String(most)}. The default is ${DEFAULT}.`,
  );
}

interface State {
  readonly messages: readonly BaseMessage[];
}

/**
 * The field that says where in the conversation the agent began: agents of a team share one, and
 * what another one was refused does not count. LangChain keeps fields that begin with `_` out of
 * inputs and outputs.
 */
export function beganKey(name: string): `_${string}` {
  return `_opstate_${name}_began`;
}

/** The value of the field, when the agent begins: the id of the last message, "" without any. */
export function beganAfter({ messages }: State): string {
  return messages.at(-1)?.id ?? "";
}

/**
 * The hook `beforeModel`, which ends the run instead when a call of the last step was refused in
 * `most` steps since the agent began. A call counts when its result reads as a refusal
 * (`readRefusal`). A message that the hook rewrites counts as rewritten.
 */
export function endOnRepeats<S extends State, Update extends object>(
  { name, most }: { readonly name: string; readonly most: MaxRefusals },
  hook: (state: S, runtime: object) => Promise<Update> | Update | undefined,
) {
  return {
    canJumpTo: ["end" as const],
    async hook(state: S, runtime: object) {
      const update = await hook(state, runtime);
      const rewritten = messagesIn(update);
      const began: unknown = Reflect.get(state, beganKey(name));
      const last = lastWord(withRewritten(state.messages, rewritten), most, typeof began === "string" ? began : "");
      // The rest of the update is dropped: no model call follows that would show it.
      return last === undefined ? update : { messages: [...rewritten, last], jumpTo: "end" as const };
    },
  };
}

function lastWord(messages: readonly BaseMessage[], most: MaxRefusals, began: string): AIMessage | undefined {
  if (most === false) return undefined;
  const steps = refusedSteps(messages, began);
  for (const call of steps.at(-1) ?? []) {
    // Equal calls of one message count once: the model had read no refusal when it made them.
    const times = steps.filter((step) => timesRefused(step, call) > 0).length;
    if (times >= most) return new AIMessage(repeatText(call, times));
  }
  return undefined;
}

function messagesIn(update: object | undefined): readonly BaseMessage[] {
  return update !== undefined && "messages" in update && Array.isArray(update.messages) ? update.messages : [];
}

/** The messages, with the rewritten ones in the places of those with their ids. */
function withRewritten(messages: readonly BaseMessage[], rewritten: readonly BaseMessage[]): readonly BaseMessage[] {
  if (rewritten.length === 0) return messages;
  const byId = new Map(rewritten.map((message) => [message.id, message]));
  return messages.map((message) => byId.get(message.id) ?? message);
}
