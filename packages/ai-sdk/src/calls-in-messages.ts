// Which call of a conversation a tool call is. The SDK gives a tool the messages before its call;
// when a person answered, the call itself is in them.
//
//   [user] assistant(call_0) tool(result) assistant(call_0) tool(yes)
//                    nth 1                         nth 2, no result yet
//
// Some providers count call ids anew in each message: the nth call with an id is a call of its own.

import type { HostCall } from "@opstate/agent";
import type { ModelMessage } from "ai";

export interface CallInMessages extends HostCall {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
}

/** A call that is to be made now. */
export function freshCall(
  messages: readonly ModelMessage[],
  toolCallId: string,
): HostCall & { readonly isInMessages: boolean } {
  const made = callsIn(messages).filter((call) => call.toolCallId === toolCallId);
  const last = made.at(-1);
  if (last !== undefined && !hasResult(messages, last)) {
    const { callId, message } = last;
    return { callId, message, isInMessages: true };
  }
  const message = String(messages.filter(({ role }) => role === "assistant").length);
  return { callId: idOf(toolCallId, made.length + 1), message, isInMessages: false };
}

/** The tool calls of a conversation, in order. */
export function callsIn(messages: readonly ModelMessage[]): readonly CallInMessages[] {
  const seen = new Map<string, number>();
  return messages
    .filter((message) => message.role === "assistant")
    .flatMap(({ content }, index) =>
      (typeof content === "string" ? [] : content).flatMap((part) => {
        if (part.type !== "tool-call") return [];
        const { toolCallId, toolName, input } = part;
        const nth = (seen.get(toolCallId) ?? 0) + 1;
        seen.set(toolCallId, nth);
        return [{ toolCallId, toolName, input, callId: idOf(toolCallId, nth), message: String(index) }];
      }),
    );
}

/** Whether the messages after a call have a result of it. */
function hasResult(messages: readonly ModelMessage[], { toolCallId, message }: CallInMessages): boolean {
  let assistants = 0;
  return messages.some(({ role, content }) => {
    if (role === "assistant") assistants++;
    if (role !== "tool" || assistants <= Number(message)) return false;
    return content.some((part) => part.type === "tool-result" && part.toolCallId === toolCallId);
  });
}

function idOf(toolCallId: string, nth: number): string {
  return nth === 1 ? toolCallId : `${toolCallId}.${nth}`;
}
