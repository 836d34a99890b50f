// Rewritten tool messages, for those who stream messages: LangGraph streams a message of one id
// once, and the message without a verdict was the first.

import type { ToolMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { pushMessage } from "@langchain/langgraph";

/** Streams the messages under their ids. They reach the state by the node's own update. */
export function streamRewritten(messages: readonly ToolMessage[], config: RunnableConfig): void {
  for (const message of messages) if (message.id !== undefined) pushMessage(message, { ...config, stateKey: null });
}
