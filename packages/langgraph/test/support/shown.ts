// What a model call was shown beside the conversation: the last message, which the middleware adds
// to that call alone.

import { HumanMessage, type BaseMessage } from "langchain";
import type { Board } from "./board.ts";

/** The text of the message that comes from the application. */
export function shown(messages: readonly BaseMessage[] | undefined): string {
  const last = messages?.at(-1);
  const isOurs = HumanMessage.isInstance(last) && last.text.startsWith("From the application, not from the user:\n");
  if (!isOurs) throw new Error(`The last message is ${last?.type ?? "none"}: ${last?.text ?? ""}`);
  return last.text;
}

/** What was said, without that message. */
export function conversation(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  shown(messages);
  return messages.slice(0, -1);
}

/** Version, state and changes by others, as the model was shown them. */
export function shownBoard(messages: readonly BaseMessage[] | undefined): {
  version: number;
  state: Board | null;
  changes: string | undefined;
} {
  const text = shown(messages);
  const [, version, json] = /<board version="(\d+)">\n(.*)\n<\/board>/.exec(text) ?? [];
  return {
    version: Number(version),
    state: JSON.parse(json ?? "null"),
    changes: /<board-changes>\n([^]*)\n<\/board-changes>/.exec(text)?.[1],
  };
}
