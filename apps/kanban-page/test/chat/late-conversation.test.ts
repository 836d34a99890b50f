// The conversation before its code is there, over a storage and a network that a test controls.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lateConversation } from "../../src/chat/late-conversation.ts";
import { isRunning, transcript } from "../../src/chat/transcript.ts";

let tab: Map<string, string>;
let asked: string[];

beforeEach(() => {
  tab = new Map();
  asked = [];
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock("../../src/chat/conversation.ts");
});

const open = () =>
  lateConversation({
    url: "http://localhost/ag-ui/kanban",
    headers: {},
    storageKey: "chat",
    prepare: async () => ({ threadId: "demo", askFirst: false, waitForHand: false }),
    async fetch(_url, init) {
      const { threadId, runId, messages } = JSON.parse(typeof init?.body === "string" ? init.body : "");
      asked.push(messages.at(-1).content);
      const events = [
        { type: "RUN_STARTED", threadId, runId },
        { type: "TEXT_MESSAGE_START", messageId: runId, role: "assistant" },
        { type: "TEXT_MESSAGE_CONTENT", messageId: runId, delta: "Done." },
        { type: "TEXT_MESSAGE_END", messageId: runId },
        { type: "RUN_FINISHED", threadId, runId },
      ];
      const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
const texts = (chat: ReturnType<typeof open>) =>
  transcript(chat.getState()).map((item) => ("text" in item ? item.text : item.kind));

describe("a conversation whose code is not there yet", () => {
  it("sends what waited for it, in its order", async () => {
    const chat = open();
    expect(texts(chat)).toEqual([]);
    await Promise.all([chat.send("clear Done"), chat.send("and Review")]);
    expect(texts(chat)).toEqual(["clear Done", "Done.", "and Review", "Done."]);
  });

  it("shows what is stored at once, and goes on with it", async () => {
    await open().send("clear Done");
    const reloaded = open();
    expect(texts(reloaded)).toEqual(["clear Done", "Done."]);
    await reloaded.send("and Review");
    expect(texts(reloaded)).toEqual(["clear Done", "Done.", "and Review", "Done."]);
  });

  it.each([["{"], ['{"state":{"messages":7}}'], ["null"]])("begins anew when %s is stored", async (stored) => {
    tab.set("chat", stored);
    const chat = open();
    expect(texts(chat)).toEqual([]);
    await chat.send("clear Done");
    expect(texts(chat)).toEqual(["clear Done", "Done."]);
  });

  it("sends nothing that was stopped while it waited", async () => {
    const chat = open();
    const sent = chat.send("clear Done");
    chat.abort();
    await sent;
    expect(asked).toEqual([]);
    expect(isRunning(chat.getState())).toBe(false);
  });

  it("keeps a message when its code cannot be loaded, and says so", async () => {
    vi.doMock("../../src/chat/conversation.ts", () => {
      throw new TypeError("Failed to fetch dynamically imported module");
    });
    vi.resetModules();
    const chat = open();
    const { phase, error } = await chat.send("clear Done");
    expect(phase).toBe("error");
    expect(error?.message).toContain("The agent cannot be reached");
    expect(texts(chat)).toEqual(["clear Done"]);
  });
});
