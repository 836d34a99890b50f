// Tool messages that wait for their verdict, rewritten from what the field recorded: same id, same call, same place.

import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { AnyDefinition } from "@opstate/core";
import type { FieldSnapshot } from "../fields/snapshot-field.ts";
import { refusedSince } from "./refused-since.ts";
import { waitingIn } from "./submit-to-field.ts";
import { verdictText, type Told } from "./verdict-text.ts";

/** The messages that changed; a message with a known id replaces its predecessor. */
export function settle(definition: AnyDefinition, { outcomes }: FieldSnapshot, messages: readonly BaseMessage[]): ToolMessage[] {
  const settled: ToolMessage[] = [];
  const told: BaseMessage[] = [];
  for (const message of messages) {
    const waiting = ToolMessage.isInstance(message) ? waitingIn(message) : undefined;
    if (!ToolMessage.isInstance(message) || waiting?.definition !== definition.name) {
      told.push(message);
      continue;
    }
    const outcome = Object.hasOwn(outcomes, waiting.submission) ? outcomes[waiting.submission] : undefined;
    const result = answer(definition, outcome, callOf(told, message), message, told);
    told.push(result);
    settled.push(result);
  }
  return settled;
}

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/** The message that tells a call its verdict. `before` are the messages so far: they say how often the same was refused already. */
export function answer(
  definition: AnyDefinition,
  outcome: Told | undefined,
  call: Call,
  { id, tool_call_id, name }: { readonly id?: string | undefined; readonly tool_call_id: string; readonly name?: string | undefined },
  before: readonly BaseMessage[],
): ToolMessage {
  const times = outcome === undefined || outcome.accepted ? 0 : 1 + refusedSince(before, call, outcome.rejection);
  const content =
    outcome === undefined
      ? `What became of this call was not recorded: look at the present state of ${definition.name}.`
      : verdictText(definition, outcome, times);
  return new ToolMessage({
    content,
    tool_call_id,
    artifact: outcome ?? null,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
  });
}

function callOf(before: readonly BaseMessage[], { tool_call_id, name }: ToolMessage): Call {
  const calls = before.findLast((message) => AIMessage.isInstance(message))?.tool_calls ?? [];
  return calls.find(({ id }) => id === tool_call_id) ?? { name: name ?? "", args: undefined };
}
