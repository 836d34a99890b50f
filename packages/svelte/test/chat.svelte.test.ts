import { ChatSession } from "@opstate/ag-ui";
import { Chat } from "@opstate/svelte";
import { flushSync } from "svelte";
import { render } from "vitest-browser-svelte";
import { expect, onTestFinished, test, vi } from "vitest";
import Conversation from "./components/conversation.svelte";
import { counted, watch } from "./support/watch.svelte.ts";

/** An agent whose events a test hands out. */
function agent() {
  const queue: unknown[] = [];
  let wake = () => undefined as void;
  const say = (...events: unknown[]) => {
    queue.push(...events);
    wake();
  };
  const session = new ChatSession({
    threadId: "t",
    async *transport({ threadId, runId }, { signal }) {
      yield { type: "RUN_STARTED", threadId, runId };
      for (;;) {
        while (queue.length > 0) {
          const event = queue.shift();
          yield event;
          if (event === finished) return;
        }
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        });
      }
    },
  });
  const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" };
  return { session, say, finished };
}

const chunk = (delta: string) => ({ type: "TEXT_MESSAGE_CHUNK", messageId: "m1", delta });

test("shows a conversation while it grows, and sends what is typed", async () => {
  const { session, say, finished } = agent();
  const screen = await render(Conversation, { chat: new Chat(session) });
  await screen.getByRole("textbox").fill("Hi");
  await screen.getByRole("button", { name: "Send" }).click();
  await expect.element(screen.getByText("user: Hi")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Stop" })).toBeVisible();
  say(chunk("Hel"), chunk("lo"));
  await expect.element(screen.getByText("assistant: Hello")).toBeVisible();
  say(finished);
  await expect.poll(() => screen.getByRole("button", { name: "Stop" }).elements()).toEqual([]);
  expect(session.getState().phase).not.toBe("running");
});

test("stops a run, and shows why it ended", async () => {
  const { session, say } = agent();
  const chat = new Chat(session);
  const { seen } = watch(() => chat.phase);
  const sent = chat.send("Hi");
  say(chunk("Hel"));
  await expect.poll(() => chat.messages.at(-1)).toMatchObject({ content: "Hel" });
  chat.abort();
  const state = await sent;
  expect([state.phase, chat.phase, chat.error]).toEqual([state.phase, session.getState().phase, state.error]);
  await expect.poll(() => seen.at(-1)).toBe(state.phase);
  expect(seen.slice(0, 2)).toEqual(["idle", "running"]);
});

test("starts a new conversation", async () => {
  const { session, say, finished } = agent();
  const chat = new Chat(session);
  const { seen } = watch(() => chat.messages.length);
  const sent = chat.send("Hi");
  say(chunk("Hello"), finished);
  await sent;
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(2);
  await chat.clear();
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(0);
});

test("answers an interrupt of the agent", async () => {
  const session = new ChatSession({
    async *transport({ threadId, runId, resume }) {
      yield { type: "RUN_STARTED", threadId, runId };
      const interrupts = [{ id: "i1", reason: "approval" }];
      yield {
        type: "RUN_FINISHED",
        threadId,
        runId,
        ...(resume === undefined && { outcome: { type: "interrupt", interrupts } }),
      };
    },
  });
  const chat = new Chat(session);
  await chat.send("Delete it");
  expect(chat.interrupts.map(({ id }) => id)).toEqual(["i1"]);
  const { interrupts } = await chat.resume([{ interruptId: "i1", payload: true }]);
  expect(interrupts).toEqual([]);
  expect(chat.interrupts).toBe(interrupts);
});

test("a token changes the messages only, and earlier messages stay the same objects", async () => {
  const { session, say, finished } = agent();
  const chat = new Chat(session);
  const sent = chat.send("Hi");
  say(chunk("a"));
  await expect.poll(() => chat.messages.length).toBe(2);
  const [phases, first, messages] = [watch(() => chat.phase), watch(() => chat.messages), watch(() => chat.current)];
  say(chunk("b"));
  await expect.poll(() => messages.seen.length).toBe(2);
  flushSync();
  expect(phases.seen).toEqual(["running"]);
  expect(first.seen[1]?.[0]).toBe(first.seen[0]?.[0]);
  expect(first.seen[1]?.[1]).toMatchObject({ content: "ab" });
  say(finished);
  await sent;
});

test("notifies at once of a first token, once a frame of many, and always of the last one", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let state = new ChatSession({ url: "" }).getState();
  const listeners = new Set<() => void>();
  const steps = (count: number) => {
    state = {
      ...state,
      steps: Array.from({ length: count }, (_, index) => ({ name: `${index}`, status: "running" as const })),
    };
    for (const listener of listeners) listener();
    flushSync();
  };
  const session = Object.assign(new ChatSession({ url: "" }), {
    getState: () => state,
    subscribe: (listener: () => void) => (listeners.add(listener), () => void listeners.delete(listener)),
  });
  const { seen } = watch(() => new Chat(session).select(({ steps }) => steps.length));
  const chat = new Chat(session);
  const lengths = watch(() => chat.steps.length);
  for (const count of [1, 2, 3, 4]) steps(count);
  expect(chat.steps.length).toBe(4);
  expect(lengths.seen).toEqual([0, 1]);
  vi.advanceTimersByTime(100);
  flushSync();
  expect(lengths.seen).toEqual([0, 1, 4]);
  steps(5);
  expect(lengths.seen).toEqual([0, 1, 4, 5]);
  expect(seen).toHaveLength(1);
});

test("unsubscribes with its last reader, also in the middle of a frame", async () => {
  const { session, say } = agent();
  const { source, followers } = counted({
    ...session,
    getState: session.getState,
    getInitialState: session.getInitialState,
    subscribe: session.subscribe,
  });
  const chat = new Chat(Object.assign(Object.create(session) as ChatSession, source));
  const { end, seen } = watch(() => chat.messages.length);
  const { end: endOther } = watch(() => chat.messages.at(-1));
  expect(followers()).toBe(1);
  endOther();
  void session.send("Hi");
  await expect.poll(() => seen.at(-1)).toBe(1);
  say(chunk("a"), chunk("b"));
  end();
  await expect.poll(followers).toBe(0);
  session.abort();
  expect(seen.at(-1)).toBe(1);
});
