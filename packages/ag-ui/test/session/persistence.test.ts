// What is kept of a conversation, where, and how it comes back.

import { describe, expect, it, vi } from "vitest";
import { ChatSession, type ChatStorage, memoryStorage, type SavedChat, webStorage } from "../../src/index.ts";
import { finished, gate, says, serveAgent, started } from "./support/agent-server.ts";

const echo = () =>
  serveAgent(async function* (run) {
    yield started(run);
    yield { type: "STATE_SNAPSHOT", snapshot: { runs: run.input.messages.length } };
    yield* says(`m-${run.input.runId}`, "ok");
    yield finished(run);
  });

const texts = (session: ChatSession) =>
  session.getState().messages.map((message) => ("content" in message ? message.content : undefined));

describe("toJSON and fromJSON", () => {
  async function storedAndRead() {
    const { url, runs } = await echo();
    const session = new ChatSession({ url, threadId: "launch" });
    await session.send("one");
    const text = JSON.stringify(session);
    return { session, again: ChatSession.fromJSON(JSON.parse(text), { url }), runs };
  }

  it("store and read a conversation as JSON text", async () => {
    const { session, again } = await storedAndRead();
    expect(again.threadId).toBe("launch");
    expect(again.getState()).toEqual(session.getState());
    expect(again.getInitialState()).toBe(again.getState());
  });

  it("make a session that continues the conversation", async () => {
    const { again, runs } = await storedAndRead();
    await again.send("two");
    expect(texts(again)).toEqual(["one", "ok", "two", "ok"]);
    expect(runs[1]?.input.messages).toHaveLength(3);
    expect(runs[1]?.input.threadId).toBe("launch");
  });

  it("leave out errors, and an open run is incomplete", async () => {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      yield { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" };
      yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "half" };
      if (runs.length === 1) await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
      else yield { type: "RUN_ERROR", message: "secret-canary" };
    });
    const session = new ChatSession({ url });
    const running = session.send("one");
    await vi.waitUntil(() => texts(session).length === 2);
    const during = session.toJSON();
    expect(during.state).toMatchObject({
      phase: "idle",
      messages: [{ content: "one" }, { content: "half", status: "incomplete" }],
    });
    expect(during.state).not.toHaveProperty("error");
    expect(session.getState().phase).toBe("running");
    session.abort();
    await running;
    await session.send("two");
    expect(session.getState().phase).toBe("error");
    expect(session.toJSON().state.phase).toBe("idle");
    expect(JSON.stringify(session)).not.toContain("secret-canary");
  });

  it.each([
    null,
    7,
    "x",
    {},
    { format: "opstate.chat", version: 2, threadId: "t", state: { messages: [] } },
    { format: "opstate.chat", version: 1, threadId: "t", state: 1 },
  ])("refuse what is none: %j", (json) => {
    expect(() => ChatSession.fromJSON(json, { url: "" })).toThrow("not a stored conversation");
  });
});

describe("a storage", () => {
  it("gets each message as soon as it is sent, and the answer when the run ends", async () => {
    const go = gate();
    const { url } = await serveAgent(async function* (run) {
      yield started(run);
      await go.passed;
      yield* says("m1", "ok");
      yield finished(run);
    });
    const storage = memoryStorage();
    const session = new ChatSession({ url, threadId: "t", storage });
    const sending = session.send("one");
    await vi.waitUntil(() => session.getState().run !== undefined);
    const kept = () => storage.load("t") as SavedChat | undefined;
    expect(kept()?.state).toMatchObject({ phase: "idle", messages: [{ content: "one" }] });
    go.open();
    await sending;
    expect(kept()?.state).toEqual(session.getState());
    expect(storage.load("another")).toBeUndefined();
  });

  it("is shown as soon as it is read, and a send waits for it", async () => {
    const { url } = await echo();
    const memory = memoryStorage();
    await new ChatSession({ url, threadId: "t", storage: memory }).send("one");
    const quick = new ChatSession({ url, threadId: "t", storage: memory });
    expect(texts(quick)).toEqual(["one", "ok"]);
    expect(quick.getInitialState()).toBe(quick.getState());
    const go = gate();
    const slow: ChatStorage = {
      async load(threadId) {
        await go.passed;
        return memory.load(threadId);
      },
      save: async (chat) => memory.save(chat),
      delete: async (threadId) => memory.delete(threadId),
    };
    const session = new ChatSession({ url, threadId: "t", storage: slow });
    const sending = session.send("two");
    expect(texts(session)).toEqual([]);
    go.open();
    await session.ready;
    await sending;
    expect(texts(session)).toEqual(["one", "ok", "two", "ok"]);
  });

  it("that fails stops nothing, and `onError` gets the error", async () => {
    const { url } = await echo();
    const errors: string[] = [];
    const onError = (error: unknown) => void errors.push((error as Error).message);
    const full = webStorage({
      getItem: () => "{oops",
      setItem() {
        throw new Error("full");
      },
      removeItem() {},
    });
    const session = new ChatSession({ url, storage: full, onError });
    expect((await session.send("one")).phase).toBe("idle");
    expect(errors.slice(1)).toEqual(["full", "full"]);
    expect(errors[0]).toMatch(/JSON/);
    const broken: ChatStorage = {
      load: () => Promise.reject(new Error("down")),
      save: () => Promise.reject(new Error("down")),
      delete: () => Promise.reject(new Error("down")),
    };
    errors.length = 0;
    const other = new ChatSession({ url, storage: broken, onError });
    expect((await other.send("one")).phase).toBe("idle");
    await other.saved();
    expect(errors).toEqual(["down", "down", "down"]);
  });

  it("gets one save at a time, the newest last", async () => {
    const { url } = await echo();
    const saves: { chat: SavedChat; done: () => void }[] = [];
    const storage: ChatStorage = {
      load: () => undefined,
      save: (chat) => new Promise<void>((resolve) => void saves.push({ chat, done: resolve })),
      delete: () => {},
    };
    const session = new ChatSession({ url, storage });
    await session.send("one");
    await session.send("two");
    expect(saves).toHaveLength(1);
    saves[0]?.done();
    await vi.waitUntil(() => saves.length === 2);
    saves[1]?.done();
    await session.saved();
    expect(saves).toHaveLength(2);
    expect(saves[1]?.chat.state).toEqual(session.getState());
  });

  it("deletes a conversation that is cleared, and the session starts again", async () => {
    const { url, runs } = await echo();
    const items = new Map<string, string>();
    const storage = webStorage({
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    });
    const session = new ChatSession({ url, threadId: "t", storage });
    await session.send("one");
    expect([...items.keys()]).toEqual(["opstate.chat.t"]);
    await session.clear();
    expect(items.size).toBe(0);
    expect(session.getState()).toMatchObject({ phase: "idle", messages: [], state: {} });
    await session.send("two");
    expect(runs[1]?.input.messages).toHaveLength(1);
  });
});
