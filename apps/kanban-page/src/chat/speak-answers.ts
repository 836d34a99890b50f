// An answer is said when it is complete: word by word nobody could follow it.

import type { Readable } from "@opstate/core";
import type { Announcer } from "../announcer.ts";
import type { Chat } from "./chat.ts";

/** The function that it gives back ends it. */
export function speakAnswers(chat: Readable<Chat>, announcer: Announcer): () => void {
  return chat.subscribe(({ running, items }, previous) => {
    const last = items.at(-1);
    if (previous.running && !running && last?.kind === "assistant") announcer.say(`Agent: ${last.text}`);
  });
}
