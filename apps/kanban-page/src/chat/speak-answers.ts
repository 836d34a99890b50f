// Announces an answer when it is complete. A screen reader cannot follow it word by word.

import type { Announcer } from "../announcer.ts";
import type { Conversation } from "./late-conversation.ts";
import { isRunning, transcript } from "./transcript.ts";

/** Returns the function that stops it. */
export function speakAnswers(chat: Conversation, announcer: Announcer): () => void {
  return chat.subscribe((state, previous) => {
    if (!isRunning(previous) || isRunning(state)) return;
    const last = transcript(state).at(-1);
    if (last?.kind === "assistant") announcer.say(`Agent: ${last.text}`);
  });
}
