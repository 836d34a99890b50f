// Conversations in the log of an opstate server, each in its own thread, over plain HTTP.
//
// Invariants:
// - Only the messages from the first changed one on are sent.
// - Two sessions of one conversation do not merge: the last save wins.

import { defined } from "@opstate/core";
import { randomId } from "@opstate/core/thread";
import type { ChatMessage } from "../state/chat-state.ts";
import type { ChatStorage } from "./chat-storage.ts";
import { readSavedChat, type SavedChat } from "./saved-chat.ts";

type RequestHeaders = Readonly<Record<string, string>>;

export interface ServerStorageOptions {
  /** The URL of the server's routes. `chatDefinition` must be one of the server's definitions. */
  readonly url: string;
  /**
   * The thread's id is this prefix and the conversation's id; default "chat.". The server's
   * `authorize` decides who may use the thread.
   */
  readonly prefix?: string;
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The name of `chatDefinition`. It is here so that this file does not import the engine. */
export const CHAT_DEFINITION = "opstate-chat";

/** How often a save is tried when other sessions save too. */
const MAX_ATTEMPTS = 5;

/** The last save or load of this storage. */
interface Saved {
  readonly version: number;
  readonly messages: readonly ChatMessage[];
}

/**
 * A storage in the log of an opstate server: a conversation is a thread, with its history.
 */
export function serverStorage(options: ServerStorageOptions): ChatStorage {
  const { prefix = "chat.", headers = {}, fetch = (input, init) => globalThis.fetch(input, init) } = options;
  const lastSaved = new Map<string, Saved>();

  async function request(threadId: string, method: string, path = "", body?: unknown): Promise<Response> {
    const requestHeaders = typeof headers === "function" ? await headers() : headers;
    return fetch(`${options.url.replace(/\/+$/, "")}/threads/${encodeURIComponent(prefix + threadId)}${path}`, {
      method,
      headers: {
        ...requestHeaders,
        ...defined({ "content-type": body === undefined ? undefined : "application/json" }),
      },
      ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    });
  }

  /** Sends the changes. False when another session has saved since `before`. */
  async function send(
    { state: { messages, ...others }, threadId, run }: SavedChat,
    { version, messages: before }: Saved,
  ): Promise<boolean> {
    const changed = messages.findIndex((message, index) => message !== before[index]);
    const from = changed < 0 ? Math.min(messages.length, before.length) : changed;
    const rest = { ...others, ...defined({ underWay: run }) };
    const operation = { type: "save", from, messages: messages.slice(from), rest };
    const [verdict] = await readAnswer<
      { accepted: boolean; version: number; rejection?: { code: string; message: string } }[]
    >(await request(threadId, "POST", "/operations", [{ id: randomId(), operation, expectedVersion: version }]));
    if (verdict?.accepted !== true) {
      if (verdict?.rejection?.code === "conflict") return false;
      throw new Error(
        `The server did not save the conversation: ${verdict?.rejection?.message ?? "it gave no verdict"}`,
      );
    }
    lastSaved.set(threadId, { version: verdict.version, messages });
    return true;
  }

  return {
    async load(threadId) {
      const response = await request(threadId, "GET");
      if (response.status === 404) return undefined;
      const { version, state } = await readAnswer<{
        version: number;
        state: { messages: ChatMessage[]; rest: { underWay?: unknown } | null };
      }>(response);
      if (state.rest === null) return undefined;
      const { underWay: run, ...rest } = state.rest;
      const chat = readSavedChat({
        format: "opstate.chat",
        version: 1,
        threadId,
        state: { ...rest, messages: state.messages },
        run,
      });
      lastSaved.set(threadId, { version, messages: chat.state.messages });
      return chat;
    },
    async save(chat) {
      const { threadId } = chat;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const known = lastSaved.get(threadId);
        if (known !== undefined && (await send(chat, known))) return;
        // Another session saved, or none has yet: the whole conversation is sent.
        const { version } = await readAnswer<{ version: number }>(
          await request(threadId, "PUT", "", { definition: CHAT_DEFINITION }),
        );
        lastSaved.set(threadId, { version, messages: [] });
      }
      throw new Error(
        `The server did not save the conversation "${threadId}": another session saved first, ${MAX_ATTEMPTS} times in a row.`,
      );
    },
    async delete(threadId) {
      // Deleting a thread needs the right "admin" and drops its history, so the thread is emptied.
      lastSaved.delete(threadId);
      const there = await request(threadId, "GET");
      if (there.status === 404) return;
      await readAnswer(there);
      const operation = { type: "save", from: 0, messages: [], rest: null };
      await readAnswer(await request(threadId, "POST", "/operations", [{ id: randomId(), operation }]));
    },
  };
}

/** The body of a good answer, in the shape that the server's routes give. */
async function readAnswer<T>(response: Response): Promise<T> {
  if (!response.ok)
    throw new Error(
      `The server answered ${response.status} for a stored conversation: ${(await response.text()).slice(0, 300)}`,
    );
  return (await response.json()) as T;
}
