// The conversation, over a network and a storage that a test controls.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openConversation } from "../../src/chat/conversation.ts";
import { isRunning, runProblem, transcript } from "../../src/chat/transcript.ts";

interface Sent {
  readonly threadId: string;
  readonly runId: string;
  readonly forwardedProps: { readonly conversationId: string; readonly askFirst: boolean };
  readonly messages: readonly { readonly content: string }[];
}

const sent: Sent[] = [];
let storage: Map<string, string>;

/** The answer to a run: what the agent says, between the events that begin and end every run. */
function answer(text: string, { threadId, runId }: Sent): Response {
  const run = { threadId, runId };
  const frames = [
    { type: "RUN_STARTED", ...run },
    { type: "TEXT_MESSAGE_START", messageId: `m${sent.length}`, role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: `m${sent.length}`, delta: text },
    { type: "TEXT_MESSAGE_END", messageId: `m${sent.length}` },
    { type: "RUN_FINISHED", ...run },
  ];
  const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

beforeEach(() => {
  sent.length = 0;
  useTab(new Map());
  vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) => {
    const run: Sent = JSON.parse(body);
    sent.push(run);
    return answer("Done.", run);
  });
});
afterEach(() => vi.unstubAllGlobals());

function useTab(tab: Map<string, string>): void {
  storage = tab;
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
  });
}

let wanted = { threadId: "demo", askFirst: false, waitForHand: false };
const open = () =>
  openConversation({
    url: "http://localhost/ag-ui/kanban",
    headers: {},
    fetch: (input, init) => globalThis.fetch(input, init),
    storageKey: "chat",
    prepare: async () => wanted,
  });
const texts = (chat: ReturnType<typeof open>) =>
  transcript(chat.getState()).map((item) => ("text" in item ? item.text : item.kind));
const ended = (chat: ReturnType<typeof open>) => ({
  running: isRunning(chat.getState()),
  problem: runProblem(chat.getState()),
});
const conversations = () => sent.map(({ forwardedProps }) => forwardedProps.conversationId);

describe("the chat", () => {
  it("goes on after a reload under the same conversation's id", async () => {
    const chat = open();
    await chat.send("clear Done");
    expect(ended(chat)).toEqual({ running: false, problem: undefined });
    expect(texts(chat)).toEqual(["clear Done", "Done."]);

    const reloaded = open();
    expect(texts(reloaded)).toEqual(["clear Done", "Done."]);
    await reloaded.send("and Review");
    expect(sent[1]?.messages.map(({ content }) => content)).toEqual(["clear Done", "Done.", "and Review"]);
    const [first, second] = conversations();
    expect(second).toBe(first);
  });

  it("is another conversation in another tab", async () => {
    await open().send("clear Done");
    useTab(new Map());
    const other = open();
    await other.send("hello");
    expect(texts(other)).toEqual(["hello", "Done."]);
    const [first, second] = conversations();
    expect(second).not.toBe(first);
  });

  it("works where and how the settings of that time say, and remembers what each run was about", async () => {
    const chat = open();
    await chat.send("clear Done");
    wanted = { threadId: "demo~try", askFirst: true, waitForHand: false };
    await chat.send("and Review");
    wanted = { threadId: "demo", askFirst: false, waitForHand: false };
    expect(sent.map(({ threadId, forwardedProps }) => [threadId, forwardedProps.askFirst])).toEqual([
      ["demo", false],
      ["demo~try", true],
    ]);
    const questions = sent.map(({ runId }) => open().getState().questions[runId]);
    expect(questions).toEqual(["clear Done", "and Review"]);
  });

  it("stores a question when it is sent, before any answer", async () => {
    vi.stubGlobal("fetch", (_url: string, { signal }: { signal: AbortSignal }) => {
      const { promise, reject } = Promise.withResolvers<Response>();
      signal.addEventListener("abort", () => reject(new DOMException("Stopped", "AbortError")));
      return promise;
    });
    const chat = open();
    const end = chat.send("clear Done");
    await vi.waitFor(() => expect([...storage.values()].join()).toContain("clear Done"));
    expect(texts(open())).toEqual(["clear Done"]);
    chat.abort();
    await end;
    expect(ended(chat)).toEqual({ running: false, problem: undefined });
  });

  it("says when the agent cannot be reached, keeps the question, and sends it along with the next", async () => {
    const network = globalThis.fetch;
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const chat = open();
    await chat.send("clear Done");
    expect(ended(chat).running).toBe(false);
    expect(ended(chat).problem).toMatch(/^The agent cannot be reached\. Your message is kept/);
    expect(texts(open())).toEqual(["clear Done"]);
    vi.stubGlobal("fetch", network);
    await chat.send("again");
    expect(ended(chat).problem).toBeUndefined();
    expect(texts(chat)).toEqual(["clear Done", "again", "Done."]);
  });

  it("says when an answer breaks off, and keeps what came", async () => {
    vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) => {
      const { threadId, runId }: Sent = JSON.parse(body);
      const frames = [
        { type: "RUN_STARTED", threadId, runId },
        { type: "TEXT_MESSAGE_CHUNK", messageId: "m", role: "assistant", delta: "T-15 is" },
      ];
      return new Response(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));
    });
    const chat = open();
    await chat.send("clear Done");
    expect(ended(chat).problem).toMatch(/^The answer broke off/);
    expect(texts(chat)).toEqual(["clear Done", "T-15 is"]);
  });

  it("remembers what a run is about when the page goes away in the middle of it", async () => {
    const { promise: never } = Promise.withResolvers<void>();
    let runId = "";
    vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) => {
      const run: Sent = JSON.parse(body);
      runId = run.runId;
      const begin = `data: ${JSON.stringify({ type: "RUN_STARTED", threadId: run.threadId, runId })}\n\n`;
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(begin));
          },
          pull: () => never,
        }),
      );
    });
    const chat = open();
    void chat.send("clear Done");
    await vi.waitFor(() => expect(open().getState().questions).toEqual({ [runId]: "clear Done" }));
    chat.abort();
  });

  it("accepts a next question after a run that left proposals", async () => {
    vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) => {
      const { threadId, runId }: Sent = JSON.parse(body);
      sent.push(JSON.parse(body));
      const outcome = { type: "interrupt", interrupts: [{ id: "p1", reason: "approval" }] };
      const frames = [
        { type: "RUN_STARTED", threadId, runId },
        { type: "RUN_FINISHED", threadId, runId, outcome },
      ];
      return new Response(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));
    });
    const chat = open();
    await chat.send("remove T-1");
    await chat.send("and T-2");
    expect(sent.length).toBe(2);
    expect(ended(chat).problem).toBeUndefined();
  });
});
