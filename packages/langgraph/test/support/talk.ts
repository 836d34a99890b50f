// Model turns: an answer, or calls of tools. Ids are given, since they are what submissions are
// known by.

import { AIMessage } from "langchain";

let messages = 0;

export function say(content: string): AIMessage {
  return new AIMessage({ id: `ai-${++messages}`, content });
}

export type Call = readonly [name: string, args: Record<string, unknown>, id?: string];

export function call(...calls: readonly Call[]): AIMessage {
  const id = `ai-${++messages}`;
  return new AIMessage({
    id,
    content: "",
    tool_calls: calls.map(([name, args, callId], index) => ({
      type: "tool_call",
      name,
      args,
      id: callId ?? `${id}-call-${index}`,
    })),
  });
}
