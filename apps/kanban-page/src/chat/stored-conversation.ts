// What the tab's session storage has of the conversation, and what is shown of it before its code
// is there.

import { type ChatState, initialChatState } from "@opstate/ag-ui";
import { isObject } from "@opstate/core/json";

export interface ConversationState extends ChatState {
  /** The person's question of each run, for the log. */
  readonly questions: Readonly<Record<string, string>>;
}

export const NO_CONVERSATION: ConversationState = { ...initialChatState(), questions: {} };

/** Undefined: none is stored. Who loads it checks whether it is a whole one. */
export function storedConversation(storageKey: string): ConversationState | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    if (!isObject(stored) || !isObject(stored["state"])) return undefined;
    const { messages, questions } = stored["state"];
    if (!Array.isArray(messages) || !isObject(questions)) return undefined;
    // This page stored it.
    return { ...NO_CONVERSATION, ...(stored["state"] as Partial<ConversationState>) };
  } catch {
    return undefined;
  }
}

export function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The storage is full or forbidden: the conversation lasts as long as the page.
  }
}
