// Calls that a person declined by the SDK's means. The SDK makes no call of them, so their
// proposals are declined here, and the model reads what became of them: a page may have approved
// one before.

import type { HostCalls } from "@opstate/agent";
import type { ModelMessage, ToolModelMessage } from "ai";
import { callsIn, type CallInMessages } from "./calls-in-messages.ts";

interface Declined extends CallInMessages {
  readonly reason: string | undefined;
}

export class DeclinedCalls {
  readonly #calls: HostCalls;
  /** What the model reads of each, by call id; undefined where the thread knows none. */
  readonly #texts = new Map<string, string | undefined>();

  constructor(calls: HostCalls) {
    this.#calls = calls;
  }

  /** The messages, with the thread's verdict as the result of each declined call. */
  async corrected(messages: readonly ModelMessage[]): Promise<readonly ModelMessage[]> {
    const declined = declinedIn(messages).filter(({ toolName }) =>
      this.#calls.tools.some(({ name }) => name === toolName),
    );
    if (declined.length === 0) return messages;
    for (const call of declined) {
      if (this.#texts.has(call.callId)) continue;
      const result = await this.#calls.declined(call.toolName, call.input, call, call.reason);
      this.#texts.set(call.callId, result?.text);
    }
    let assistants = 0;
    return messages.map((message) => {
      if (message.role === "assistant") assistants++;
      return message.role === "tool" ? this.#withTexts(message, declined, assistants) : message;
    });
  }

  /** `assistants`: how many messages of the model come before it. */
  #withTexts(message: ToolModelMessage, declined: readonly Declined[], assistants: number): ToolModelMessage {
    const content = message.content.map((part) => {
      if (part.type !== "tool-result") return part;
      const call = declined.findLast(
        ({ toolCallId, message: at }) => toolCallId === part.toolCallId && Number(at) < assistants,
      );
      const text = call && this.#texts.get(call.callId);
      return text === undefined ? part : { ...part, output: { type: "text" as const, value: text } };
    });
    return { ...message, content };
  }
}

function declinedIn(messages: readonly ModelMessage[]): readonly Declined[] {
  const requests = new Map<string, string>();
  const reasons = new Map<string, string | undefined>();
  for (const { role, content } of messages) {
    if (role === "assistant" && typeof content !== "string")
      for (const part of content)
        if (part.type === "tool-approval-request") requests.set(part.approvalId, part.toolCallId);
    if (role !== "tool") continue;
    for (const part of content)
      if (part.type === "tool-approval-response" && !part.approved) {
        const callId = requests.get(part.approvalId);
        if (callId !== undefined) reasons.set(callId, part.reason);
      }
  }
  return callsIn(messages)
    .filter(({ toolCallId }) => reasons.has(toolCallId))
    .map((call) => ({ ...call, reason: reasons.get(call.toolCallId) }));
}
