// Announces an answer when it is complete. A screen reader cannot follow it word by word.

import type { Readable } from "@opstate/core";
import type { Announcer } from "../announcer.ts";
import type { Chat } from "./chat.ts";

/** Returns the function that stops it. */
export function speakAnswers(chat: Readable<Chat>, announcer: Announcer): () => void {
  return chat.subscribe(({ running, items }, previous) => {
    const last = items.at(-1);
    if (previous.running && !running && last?.kind === "assistant") announcer.say(`Agent: ${last.text}`);
  });
}
