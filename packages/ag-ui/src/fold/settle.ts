// Gives back its identity to whatever is, after several edits, what it was before them.

import type { ChatMessage, ChatState } from "../chat-state.ts";
import { share } from "../json.ts";

export function settle(before: ChatState, after: ChatState): ChatState {
  const rest = share<ChatState>(before, { ...after, messages: before.messages });
  const messages = settleMessages(before, after);
  return messages === before.messages ? rest : { ...rest, messages };
}

/** Messages are compared by id: their positions may have changed. */
function settleMessages(before: ChatState, after: ChatState): readonly ChatMessage[] {
  if (before.messages === after.messages) return before.messages;
  const known = new Map(before.messages.map((message) => [message.id, message]));
  let messages: ChatMessage[] | undefined;
  for (const [position, message] of after.messages.entries()) {
    const settled = share<ChatMessage>(known.get(message.id), message);
    if (settled !== message) (messages ??= [...after.messages])[position] = settled;
  }
  const result = messages ?? after.messages;
  const same = result.length === before.messages.length && result.every((message, position) => message === before.messages[position]);
  return same ? before.messages : result;
}
