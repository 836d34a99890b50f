// The words for a model as messages of LangChain: in the system message what is the same in every
// call, a message before the conversation, a message after it. None of them enters the history.

import { type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { Words } from "@opstate/agent";

interface Prompt {
  readonly systemMessage: SystemMessage;
  readonly messages: BaseMessage[];
}

/** The prompt with the words. With `inSystem`, all of them are in the system message. */
export function brief(
  { systemMessage, messages }: Prompt,
  { instructions, start, end }: Words,
  { inSystem }: { readonly inSystem: boolean },
): Prompt {
  if (inSystem) return { systemMessage: appendText(systemMessage, instructions, start, end), messages };
  return {
    systemMessage: appendText(systemMessage, instructions),
    messages: [...messageOf(start), ...messages, ...messageOf(end)],
  };
}

function messageOf(text: string): readonly HumanMessage[] {
  return text === "" ? [] : [new HumanMessage(text)];
}

function appendText(system: SystemMessage, ...texts: readonly string[]): SystemMessage {
  const text = texts.filter((part) => part !== "").join("\n\n");
  if (text === "") return system;
  return system.text === "" ? new SystemMessage(text) : system.concat(`\n\n${text}`);
}

/** What is said of the agent's own changes: the texts of the results of its tools. */
export function resultsIn(messages: readonly BaseMessage[]): readonly string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
}

export function charactersIn(messages: readonly BaseMessage[]): number {
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}
