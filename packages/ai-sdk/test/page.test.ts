// A chat and a page on one thread: commits in the stream, and a transport that keeps them in step.

import { createServer as createHttpServer } from "node:http";
import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import { Chat } from "@ai-sdk/react";
import { createClient } from "@opstate/client";
import { threadAgent, threadTransport, withCommits, type CommitChunk, type CommitParts } from "@opstate/ai-sdk";
import {
  convertToModelMessages,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  pipeUIMessageStreamToResponse,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, board, planner } from "../../agent/test/support/board.ts";
import { call, scripted, shown, type Step } from "./support/model.ts";
import { connectBoard, serveBoard } from "../../agent/test/support/board-server.ts";
import { ADA } from "../../agent/test/support/server.ts";

type Message = UIMessage<unknown, CommitParts>;

/** The route of a chat, as an application writes it, and the bodies that it got. */
async function chatRoute(url: string, ...steps: readonly Step[]) {
  const model = scripted(...steps);
  const bodies: { messages: Message[]; id: string; threadId?: string; version?: number }[] = [];
  const http = createHttpServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await textOf(request));
      bodies.push(body);
      const thread = await connectBoard(url);
      const agent = await threadAgent({ thread, actor: planner, conversation: body.id, approver: { headers: ADA } });
      const result = streamText({ model, messages: await convertToModelMessages(body.messages), ...agent });
      const stream = toUIMessageStream<typeof agent.tools, Message>({
        stream: result.stream,
        tools: agent.tools,
        originalMessages: body.messages,
      });
      await pipeUIMessageStreamToResponse({ response, stream: withCommits(stream, { thread }) });
    })();
  });
  http.listen(0);
  await once(http, "listening");
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  );
  const address = http.address();
  return { api: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`, model, bodies };
}

async function page(url: string, api: string) {
  const client = createClient({ url, headers: ADA });
  onTestFinished(() => client.close());
  const thread = client.thread(board, "b");
  onTestFinished(thread.sync.subscribe(() => {}));
  await thread.ready();
  await expect.poll(() => thread.sync.getState().status).toBe("online");
  const chat = new Chat<Message>({
    id: "chat-1",
    transport: threadTransport<Message>({ thread, transport: new DefaultChatTransport({ api }) }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  return { thread, chat };
}

const partsOf = (chat: Chat<Message>) => chat.messages.flatMap(({ parts }) => parts);

describe("a chat beside a page", () => {
  it("has a part for each commit, and the page shows a commit before the chat speaks of it", async () => {
    const { url } = await serveBoard();
    const { api } = await chatRoute(url, [call("c1", "add", { id: "T-1", title: "One" })], "Added.");
    const { thread, chat } = await page(url, api);
    const versions: [number, number][] = [];
    const watched = new Chat<Message>({
      transport: threadTransport<Message>({ thread, transport: new DefaultChatTransport({ api }) }),
      id: "chat-2",
      onData: (part) =>
        part.type === "data-commit" && versions.push([part.data.version, thread.sync.getState().version]),
    });
    await watched.sendMessage({ text: "Add a card" });
    expect(watched.error).toBeUndefined();
    expect(versions).toHaveLength(1);
    for (const [commit, shownVersion] of versions) expect(shownVersion).toBeGreaterThanOrEqual(commit);
    const commits = partsOf(watched).filter((part) => part.type === "data-commit");
    expect(commits).toMatchObject([
      { data: { threadId: "b", version: 1, actor: planner, type: "add", sentence: "Add T-1: One", toolCallId: "c1" } },
    ]);
    expect(thread.getState().cards).toHaveLength(1);
    expect(chat.messages).toEqual([]);
  });

  it("sends no message before the person's own edits are confirmed", async () => {
    const { url } = await serveBoard();
    const { api, model, bodies } = await chatRoute(url, "I see it.");
    const { thread, chat } = await page(url, api);
    void thread.dispatch(board.op.add({ id: "T-1", title: "Mine" }));
    await chat.sendMessage({ text: "What is there?" });
    expect(bodies).toMatchObject([{ threadId: "b", version: 1 }]);
    expect(shown(model.doStreamCalls[0]).at(-1)).toContain("Mine");
  });

  it("requests approval by the SDK's own means, and goes on after the answer", async () => {
    const { url, thread: authority } = await serveBoard();
    await authority.dispatch(board.op.add({ id: "T-1", title: "One" }), { actor: ada });
    const { api, bodies } = await chatRoute(url, [call("c1", "clear", {})], "Cleared.");
    const { thread, chat } = await page(url, api);
    await chat.sendMessage({ text: "Clear the board" });
    const waiting = partsOf(chat).find((part) => part.type === "tool-clear");
    expect(waiting).toMatchObject({ state: "approval-requested" });
    expect(thread.getState().cards).toHaveLength(1);
    const id = waiting && "approval" in waiting ? (waiting.approval?.id ?? "") : "";
    await chat.addToolApprovalResponse({ id, approved: true });
    await expect.poll(() => JSON.stringify(chat.messages)).toContain("Cleared.");
    expect(chat.error).toBeUndefined();
    await expect.poll(() => thread.getState().cards).toEqual([]);
    expect(bodies).toHaveLength(2);
  });

  it("reads why a call was declined, and the thread has the decline", async () => {
    const { url, thread } = await serveBoard();
    await thread.dispatch(board.op.add({ id: "T-1", title: "One" }), { actor: ada });
    const { api, model } = await chatRoute(url, [call("c1", "clear", {})], "It stays.");
    const { chat } = await page(url, api);
    await chat.sendMessage({ text: "Clear the board" });
    const waiting = partsOf(chat).find((part) => part.type === "tool-clear");
    const id = waiting && "approval" in waiting ? (waiting.approval?.id ?? "") : "";
    await chat.addToolApprovalResponse({ id, approved: false, reason: "Not today" });
    await expect.poll(() => JSON.stringify(chat.messages)).toContain("It stays.");
    expect(shown(model.doStreamCalls[1]).join("\n")).toContain('declined it, and said: "Not today"');
    expect(await thread.proposals()).toEqual([]);
  });
});

describe("a transport beside a page", () => {
  const commit = { type: "data-commit" as const, data: { threadId: "b", version: 1 } };

  /** A page that gets its news when something waits for them. */
  function slowPage(now: { status: string; version: number; pending: readonly unknown[] }, next: Partial<typeof now>) {
    const happened: string[] = [];
    let state = now;
    const sync = {
      getState: () => state,
      getInitialState: () => state,
      subscribe(listener: (next: typeof state, last: typeof state) => void) {
        queueMicrotask(() => {
          const last = state;
          happened.push("page");
          state = { ...state, ...next };
          listener(state, last);
        });
        return () => {};
      },
    };
    return { thread: { threadId: "b", sync }, happened };
  }

  /** What happens when the chat sends a message and reads the answer. */
  async function exchange({ thread, happened }: ReturnType<typeof slowPage>): Promise<readonly string[]> {
    const transport = threadTransport({
      thread,
      transport: {
        async sendMessages({ body }) {
          happened.push(`sent at ${JSON.stringify(body)}`);
          return new ReadableStream({
            start(controller) {
              controller.enqueue(commit);
              controller.close();
            },
          });
        },
        reconnectToStream: () => Promise.resolve(null),
      },
    });
    const about = { trigger: "submit-message", chatId: "c", messageId: undefined, abortSignal: undefined } as const;
    for await (const { type } of await transport.sendMessages({ ...about, messages: [] })) happened.push(type);
    return happened;
  }

  it("passes a commit on when the page has it", async () => {
    const page = slowPage({ status: "online", version: 0, pending: [] }, { version: 1 });
    expect(await exchange(page)).toEqual(['sent at {"threadId":"b","version":0}', "page", "data-commit"]);
  });

  it("sends a message when no edit of the page waits", async () => {
    const page = slowPage({ status: "online", version: 0, pending: ["an edit"] }, { version: 1, pending: [] });
    expect(await exchange(page)).toEqual(["page", 'sent at {"threadId":"b","version":1}', "data-commit"]);
  });

  it("waits for nothing while the page is offline", async () => {
    const page = slowPage({ status: "offline", version: 0, pending: ["an edit"] }, {});
    expect(await exchange(page)).toEqual(['sent at {"threadId":"b","version":0}', "data-commit"]);
  });
});

type Part = { type: "start" | "finish" } | CommitChunk;

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("a stream with commits", () => {
  const stream = (...chunks: readonly { type: "start" | "finish" }[]) =>
    new ReadableStream<{ type: "start" | "finish" }>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });

  it("stays between the first and the last part of its message", async () => {
    const { thread } = await serveBoard();
    const merged = withCommits(stream({ type: "start" }, { type: "finish" }), { thread, transient: true });
    await thread.dispatch(board.op.add({ id: "T-1", title: "One" }), { actor: ada });
    const parts = await collect<Part>(merged);
    await thread.dispatch(board.op.add({ id: "T-2", title: "Two" }), { actor: ada });
    expect(parts.map(({ type }) => type)).toEqual(["start", "data-commit", "finish"]);
    expect(parts[1]).toMatchObject({ id: "b@1", transient: true, data: { patches: [{ op: "add" }] } });
  });

  it("leaves long patches out of a message", async () => {
    const { thread } = await serveBoard();
    const merged = withCommits(stream({ type: "start" }, { type: "finish" }), { thread });
    await thread.dispatch(board.op.add({ id: "T-1", title: "x".repeat(9_000) }), { actor: ada });
    const [, part] = await collect<Part>(merged);
    expect(part).toMatchObject({ data: { version: 1 } });
    expect(JSON.stringify(part)).not.toContain('"patches"');
  });
});
