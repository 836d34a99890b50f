// Conversations in the log of an opstate server, each in a thread of its own, over plain HTTP.
//
// Only the messages that changed since the last save are sent. Two sessions that keep one
// conversation do not merge: the last that saves wins.

import type { ChatMessage } from "../state/chat-state.ts";
import type { ChatStorage } from "./chat-storage.ts";
import { readSavedChat, type SavedChat } from "./saved-chat.ts";
import { randomId } from "@opstate/core";

type RequestHeaders = Readonly<Record<string, string>>;

export interface ServerStorageOptions {
  /** Where the server's routes stand; it must have `chatDefinition` among its definitions. */
  readonly url: string;
  /**
   * In front of a conversation's id, to name its thread; default "chat.". The server's `authorize`
   * says whose it is.
   */
  readonly prefix?: string;
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The name of `chatDefinition`, without the engine that the definition itself brings. */
export const CHAT_DEFINITION = "opstate-chat";

/** How often a save is tried when others save as well. */
const TRIES = 5;

/** What the server has, as far as this storage knows. */
interface Kept {
  readonly version: number;
  readonly messages: readonly ChatMessage[];
}

/**
 * A storage in the log of an opstate server: the conversation is where the threads are, and its
 * past with it.
 */
export function serverStorage(options: ServerStorageOptions): ChatStorage {
  const { prefix = "chat.", headers = {}, fetch = (input, init) => globalThis.fetch(input, init) } = options;
  const kept = new Map<string, Kept>();

  async function request(threadId: string, method: string, path = "", body?: unknown): Promise<Response> {
    const own = typeof headers === "function" ? await headers() : headers;
    return fetch(`${options.url.replace(/\/+$/, "")}/threads/${encodeURIComponent(prefix + threadId)}${path}`, {
      method,
      headers: { ...own, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Sends what changed; false when the server has not what this storage thinks it has. */
  async function send(
    { state: { messages, ...rest }, threadId }: SavedChat,
    { version, messages: before }: Kept,
  ): Promise<boolean> {
    const changed = messages.findIndex((message, index) => message !== before[index]);
    const from = changed < 0 ? Math.min(messages.length, before.length) : changed;
    const operation = { type: "save", from, messages: messages.slice(from), rest };
    const [verdict] = await answer<
      { accepted: boolean; version: number; rejection?: { code: string; message: string } }[]
    >(await request(threadId, "POST", "/operations", [{ id: randomId(), operation, expectedVersion: version }]));
    if (verdict?.accepted !== true) {
      if (verdict?.rejection?.code === "conflict") return false;
      throw new Error(
        `The server did not keep the conversation: ${verdict?.rejection?.message ?? "it gave no verdict"}`,
      );
    }
    kept.set(threadId, { version: verdict.version, messages });
    return true;
  }

  return {
    async load(threadId) {
      const response = await request(threadId, "GET");
      if (response.status === 404) return undefined;
      const { version, state } = await answer<{
        version: number;
        state: { messages: ChatMessage[]; rest: object | null };
      }>(response);
      if (state.rest === null) return undefined;
      const chat = readSavedChat({
        format: "opstate.chat",
        version: 1,
        threadId,
        state: { ...state.rest, messages: state.messages },
      });
      kept.set(threadId, { version, messages: chat.state.messages });
      return chat;
    },
    async save(chat) {
      const { threadId } = chat;
      for (let tries = 0; tries < TRIES; tries += 1) {
        const known = kept.get(threadId);
        if (known !== undefined && (await send(chat, known))) return;
        // Another session was here, or nobody yet: what is there is replaced as a whole.
        const { version } = await answer<{ version: number }>(
          await request(threadId, "PUT", "", { definition: CHAT_DEFINITION }),
        );
        kept.set(threadId, { version, messages: [] });
      }
      throw new Error(
        `The server did not keep the conversation "${threadId}": somebody else was first, ${TRIES} times in a row.`,
      );
    },
    async delete(threadId) {
      // Deleting a thread takes the right "admin", and takes its past with it: emptied, it is
      // nobody's conversation any more.
      kept.delete(threadId);
      const there = await request(threadId, "GET");
      if (there.status === 404) return;
      await answer(there);
      const operation = { type: "save", from: 0, messages: [], rest: null };
      await answer(await request(threadId, "POST", "/operations", [{ id: randomId(), operation }]));
    },
  };
}

/** The body of a good answer. Its shape is the server's promise. */
async function answer<T>(response: Response): Promise<T> {
  if (!response.ok)
    throw new Error(
      `The server answered ${response.status} for a stored conversation: ${(await response.text()).slice(0, 300)}`,
    );
  return (await response.json()) as T;
}
