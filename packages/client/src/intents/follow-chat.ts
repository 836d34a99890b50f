// The intents of a conversation: the calls of its agent that have no result yet.

import type { Readable } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import type { IntentThread } from "./intent.ts";
import { intentsOf } from "./intents.ts";
import { Feed, type FeedOptions } from "./feed.ts";
import { PREDICT_STATE } from "./predictions.ts";

/** What is read of the state of a `ChatSession`. */
export interface FollowedChat {
  readonly phase: string;
  readonly run?: { readonly threadId: string; readonly runId: string };
  readonly pendingToolCallIds: readonly string[];
  readonly messages: readonly FollowedMessage[];
  /** The last value of each CUSTOM event, by its name. */
  readonly custom?: Readonly<Record<string, unknown>>;
}

interface FollowedMessage {
  readonly role: string;
  readonly toolCalls?: readonly FollowedCall[];
}

interface FollowedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly result?: { readonly content: unknown };
}

/**
 * Shows what the agent of a conversation is about to do in a thread, while its runs work on that
 * thread. Returns the function that stops. Call it once, where the session is made.
 *
 * @example
 * ```tsx
 * const chat = new ChatSession({ url: "/ag-ui/planner", threadId: "launch" });
 * const stop = followChat(client.thread(board, "launch"), chat);
 * ```
 */
export function followChat(thread: IntentThread, chat: Readable<FollowedChat>, options: FeedOptions = {}): () => void {
  const stopWatching = intentsOf(thread).watch();
  const feed = new Feed(thread, options);

  function read({ phase, run, pendingToolCallIds, messages, custom }: FollowedChat): void {
    feed.predict(custom?.[PREDICT_STATE]);
    const isHere = phase === "running" && run?.threadId === thread.threadId;
    const wanted = new Set(isHere ? pendingToolCallIds : []);
    const over = new Set(feed.ids.filter((id) => !wanted.has(id)));
    const sought = new Set([...wanted, ...over]);
    // Those of a run are at the end.
    for (let at = messages.length - 1; at >= 0 && sought.size > 0; at--) {
      for (const call of messages[at]?.toolCalls ?? []) {
        if (!sought.delete(call.id)) continue;
        if (over.delete(call.id)) feed.end(call.id, resultOf(call));
        else {
          feed.open(call.id, call.name, run?.runId);
          feed.writeAll(call.id, call.arguments);
        }
      }
      if (messages[at]?.role === "user") break;
    }
    // The conversation was cleared, or its run is over.
    for (const id of over) feed.end(id);
  }

  read(chat.getState());
  const unsubscribe = chat.subscribe(read);
  return () => {
    unsubscribe();
    feed.endAll();
    stopWatching();
  };
}

function resultOf({ result }: FollowedCall): string | undefined {
  if (result === undefined) return undefined;
  const { content } = result;
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}
