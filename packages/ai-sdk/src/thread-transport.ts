// The chat of a page beside its thread. What the person did before sending is in the thread before
// the agent reads it, and what the chat says was done is on the page before the chat says it.
//
//   useChat ── message ──> wait: own edits are confirmed ──> route { threadId, version, messages }
//   useChat <── parts ──── wait: the page has the version <── stream with `data-commit` parts

import { defined, type Readable } from "@opstate/core";
import { DefaultChatTransport, type ChatTransport, type UIMessage, type UIMessageChunk } from "ai";

/** A thread as a page has it: `client.thread(...)`, or a replica. */
export interface PageThread {
  readonly threadId: string;
  readonly sync: Readable<{
    readonly status: string;
    readonly version: number;
    readonly pending: readonly unknown[];
  }>;
}

export interface ThreadTransportOptions<Message extends UIMessage = UIMessage> {
  readonly thread: PageThread;
  /** How messages get to the agent. Default: the SDK's own, to `/api/chat`. */
  readonly transport?: ChatTransport<Message>;
}

/**
 * A transport for `useChat` beside `useAgentState`, on one thread. The request's body has the
 * `threadId`, and the `version` that the page shows. It never waits while the page is not online.
 *
 * @example
 * ```ts
 * import { threadTransport } from "@opstate/ai-sdk";
 * import { createClient } from "@opstate/client";
 * import { defineState } from "@opstate/core";
 * import { DefaultChatTransport } from "ai";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {},
 * });
 * const client = createClient({ url: "https://example.com/opstate" });
 * const transport = threadTransport({
 *   thread: client.thread(counter, "visits"),
 *   transport: new DefaultChatTransport({ api: "/agents/planner" }),
 * });
 * // useChat({ transport })
 * client.close();
 * ```
 */
export function threadTransport<Message extends UIMessage = UIMessage>({
  thread,
  transport = new DefaultChatTransport<Message>(),
}: ThreadTransportOptions<Message>): ChatTransport<Message> {
  const { sync } = thread;
  return {
    async sendMessages(options) {
      await until(sync, ({ pending }) => pending.length === 0, options.abortSignal);
      const { version } = sync.getState();
      const body = { ...options.body, threadId: thread.threadId, version };
      return inStep(thread, await transport.sendMessages({ ...options, body }));
    },
    async reconnectToStream(options) {
      const stream = await transport.reconnectToStream(options);
      return stream && inStep(thread, stream);
    },
    ...defined({ resumeStreamIsReplay: transport.resumeStreamIsReplay }),
    close: () => transport.close?.(),
  };
}

/** The stream; a `data-commit` part waits until the page has its commit. */
function inStep(
  { threadId, sync }: PageThread,
  stream: ReadableStream<UIMessageChunk>,
): ReadableStream<UIMessageChunk> {
  const reader = stream.getReader();
  const over = new AbortController();
  return new ReadableStream<UIMessageChunk>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      const version = versionIn(value, threadId);
      if (version !== undefined) await until(sync, (now) => now.version >= version, over.signal);
      if (!over.signal.aborted) controller.enqueue(value);
    },
    async cancel(reason) {
      over.abort();
      await reader.cancel(reason);
    },
  });
}

/** The version that a `data-commit` part of this thread has. */
function versionIn(chunk: UIMessageChunk, threadId: string): number | undefined {
  if (chunk.type !== "data-commit" || !("data" in chunk)) return undefined;
  const { data } = chunk;
  if (typeof data !== "object" || data === null || !("threadId" in data) || data.threadId !== threadId)
    return undefined;
  return "version" in data && typeof data.version === "number" ? data.version : undefined;
}

type PageSync = ReturnType<PageThread["sync"]["getState"]>;

/** Resolves when it holds, when the page is not online, or when `signal` aborts. */
function until(
  sync: PageThread["sync"],
  holds: (now: PageSync) => boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const isOver = () => {
      const now = sync.getState();
      return signal?.aborted === true || now.status !== "online" || holds(now);
    };
    if (isOver()) return resolve();
    const check = () => {
      if (!isOver()) return;
      unsubscribe();
      signal?.removeEventListener("abort", check);
      resolve();
    };
    const unsubscribe = sync.subscribe(check);
    signal?.addEventListener("abort", check);
    // It may have become true meanwhile.
    check();
  });
}
