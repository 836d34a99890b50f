// The port between a session and what keeps conversations. Memory and Web Storage are here;
// `threadStorage` keeps them in an opstate log.

import { readSavedChat, type SavedChat } from "./saved-chat.ts";

/**
 * Keeps conversations by their thread id. A session calls one method at a time; when one throws or
 * rejects, the conversation goes on and the session's `onError` hears of it. A storage that answers
 * at once (not by a promise) has its conversation shown at once.
 */
export interface ChatStorage {
  load(threadId: string): SavedChat | undefined | Promise<SavedChat | undefined>;
  save(chat: SavedChat): void | Promise<void>;
  delete(threadId: string): void | Promise<void>;
}

/** A storage for as long as the process lives. It keeps JSON text, as any other would. */
export function memoryStorage(): ChatStorage {
  const items = new Map<string, string>();
  return webStorage(
    {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    },
    { prefix: "" },
  );
}

/** `localStorage` and `sessionStorage` are. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * A storage in the browser: `webStorage(sessionStorage)`. Each conversation is one item, under
 * `prefix` (default "opstate.chat.") and its thread id; when the browser has no room for one,
 * `save` throws.
 */
export function webStorage(
  storage: WebStorage,
  { prefix = "opstate.chat." }: { readonly prefix?: string } = {},
): ChatStorage {
  return {
    load(threadId) {
      const text = storage.getItem(prefix + threadId);
      return text === null ? undefined : readSavedChat(JSON.parse(text));
    },
    save: (chat) => storage.setItem(prefix + chat.threadId, JSON.stringify(chat)),
    delete: (threadId) => storage.removeItem(prefix + threadId),
  };
}
