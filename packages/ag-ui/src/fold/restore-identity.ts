// After several edits: every part that equals what it was before them is the same object again.

import type { ChatMessage, ChatState } from "../state/chat-state.ts";
import { shareFromEnds } from "../state/share-from-ends.ts";

export function restoreIdentity(before: ChatState, after: ChatState): ChatState {
  const rest = shareFromEnds<ChatState>(before, { ...after, messages: before.messages });
  const messages = restoreMessages(before, after);
  return messages === before.messages ? rest : { ...rest, messages };
}

/**
 * Messages are compared by id, because their positions may have changed. The identical messages at
 * both ends are skipped.
 */
function restoreMessages(before: ChatState, after: ChatState): readonly ChatMessage[] {
  const [old, given] = [before.messages, after.messages];
  if (old === given) return old;
  const length = Math.min(old.length, given.length);
  const moved = given.length - old.length;
  let start = 0;
  while (start < length && old[start] === given[start]) start += 1;
  let end = given.length;
  while (end > start && end - moved > start && old[end - 1 - moved] === given[end - 1]) end -= 1;
  const known = new Map(old.slice(start, end - moved).map((message) => [message.id, message]));
  let messages: ChatMessage[] | undefined;
  for (let position = start; position < end; position += 1) {
    const message = given[position]!;
    const restored = shareFromEnds<ChatMessage>(known.get(message.id), message);
    if (restored !== message) (messages ??= [...given])[position] = restored;
  }
  const result = messages ?? given;
  const same = moved === 0 && result.every((message, position) => message === old[position]);
  return same ? old : result;
}
