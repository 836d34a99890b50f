// The port between a session and a store of conversations, with storages in memory and in the
// browser. `serverStorage` is the one in the log of an opstate server.

import { readSavedChat, type SavedChat } from "./saved-chat.ts";

/**
 * Stores conversations by their thread id. A session calls one method at a time. When one throws or
 * rejects, the conversation goes on and the session's `onError` gets the error. A `load` that
 * returns no promise shows the conversation at once.
 */
export interface ChatStorage {
  load(threadId: string): SavedChat | undefined | Promise<SavedChat | undefined>;
  save(chat: SavedChat): void | Promise<void>;
  delete(threadId: string): void | Promise<void>;
}

/** A storage in the memory of the process. It stores JSON text, as any other does. */
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

/** The shape of `localStorage` and `sessionStorage`. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * A storage in the browser: `webStorage(sessionStorage)`. Each conversation is one item, whose key
 * is `prefix` (default "opstate.chat.") and the thread id. When the browser's quota is exceeded,
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
