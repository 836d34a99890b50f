// A conversation whose page is reloaded, cut off or offline in the middle of a run, and whose
// server starts again: it ends as one that nothing happened to.

import { ChatSession, type ChatState, type FrontendTools, memoryStorage } from "@opstate/ag-ui";
import { memoryLog } from "@opstate/core";
import { describe, expect, it, vi } from "vitest";
import { type AgentEvent, memoryRuns, type ServerOptions } from "../../src/index.ts";
import { longRun, STEPS, Steps } from "../support/long-run.ts";
import { ada, send, start } from "../support/server.ts";

const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5, timeout: 60_000 });

async function serve(options: Partial<ServerOptions> = {}) {
  const steps = new Steps();
  const running = await start({ agents: { robot: { run: longRun(steps), definition: "board" } }, ...options });
  return { ...running, steps };
}

/** A page: its requests end when it is closed, and nothing is told to the server. */
function openPage() {
  const closed = new AbortController();
  const requests: string[] = [];
  let isOffline = false;
  const cuts = new Set<AbortController>();
  return {
    requests,
    close: () => closed.abort(),
    /** Breaks what is open. */
    cut: () => cuts.forEach((cut) => cut.abort()),
    setOffline(value: boolean) {
      isOffline = value;
    },
    fetch: async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
      if (closed.signal.aborted) return new Promise(() => undefined);
      if (isOffline) throw new TypeError("Failed to fetch");
      const cut = new AbortController();
      cuts.add(cut);
      const url = input instanceof Request ? input.url : input;
      requests.push(`${init.method ?? "GET"} ${new URL(url).pathname}`);
      const signals = [closed.signal, cut.signal, ...(init.signal ? [init.signal] : [])];
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
      return closed.signal.aborted ? new Promise(() => undefined) : response;
    },
  };
}

interface Opened {
  readonly url: string;
  readonly threadId?: string;
  readonly storage?: ReturnType<typeof memoryStorage>;
  readonly tools?: FrontendTools;
}

function open({ url, threadId = "launch", storage = memoryStorage(), tools = {} }: Opened) {
  const page = openPage();
  let id = 0;
  const session = new ChatSession({
    url: `${url}/ag-ui/robot`,
    threadId,
    headers: ada,
    storage,
    tools,
    fetch: page.fetch,
    mintId: () => `id${(id += 1)}`,
  });
  return { session, page, storage };
}

/** What is the same for every thread. */
function shown({ run, ...state }: ChatState) {
  return { ...state, custom: Object.keys(state.custom), run: { ...run, threadId: "" } };
}

async function undisturbed(url: string, steps: Steps) {
  steps.allow(STEPS);
  const { session } = open({ url, threadId: "undisturbed" });
  const state = await session.send("Plan it");
  expect(state).toMatchObject({ phase: "idle", warnings: [], pendingToolCallIds: ["id2-page"] });
  return { state, events: session.recording.length - 1 };
}

/** Sends a message, and calls back when the session has so many entries. */
function sendUntil(session: ChatSession, entries: number): Promise<void> {
  void session.send("Plan it");
  return new Promise((resolve) => {
    const stop = session.recording.subscribe(({ length }) => {
      if (length < entries) return;
      stop();
      resolve();
    });
  });
}

const runsOf = async (url: string, threadId = "launch") => (await send(`${url}/threads/${threadId}/runs`, "GET")).body;

describe("a session", () => {
  it("ends in the same conversation when its page is reloaded after any event of a run", async () => {
    const { url, steps } = await serve();
    const { state: expected, events } = await undisturbed(url, steps);
    expect(events).toBeGreaterThan(100);
    // The first entry is the message, the second the first event.
    for (let at = 2; at <= events + 1; at += 1) {
      steps.allow(STEPS);
      const threadId = `reload-${at}`;
      const before = open({ url, threadId });
      await sendUntil(before.session, at);
      before.page.close();
      const { session, page } = open({ url, threadId, storage: before.storage });
      // The stored one may be that of the end: then nothing is read again.
      await until(() => session.getState().phase === "idle" && session.getState().run !== undefined);
      expect(shown(session.getState()), `reload after ${at} entries`).toEqual(shown(expected));
      expect(page.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
    }
    expect(steps.started).toBe(events + 1);
    expect(steps.aborted).toBe(0);
  }, 240_000);

  it("sends nothing again when its page is closed before the server answered", async () => {
    const { url, steps } = await serve();
    const before = open({ url });
    await sendUntil(before.session, 1);
    before.page.close();
    const { session, page } = open({ url, storage: before.storage });
    await until(() => session.getState().phase === "error" || session.getState().run !== undefined);
    expect(page.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
    // Whether the request arrived in time is the network's matter. The message is there either way.
    expect(session.getState().messages[0]).toMatchObject({ role: "user", content: "Plan it" });
    expect(steps.started).toBeLessThanOrEqual(1);
  });

  it("reads on when its connection is cut after any event, and gets no event twice", async () => {
    const { url, steps } = await serve();
    const { state: expected, events } = await undisturbed(url, steps);
    for (let at = 2; at < events; at += 9) {
      steps.allow(STEPS);
      const threadId = `cut-${at}`;
      const { session, page } = open({ url, threadId });
      await sendUntil(session, at);
      page.cut();
      await until(() => session.getState().phase !== "running");
      expect(shown(session.getState()), `cut after ${at} entries`).toEqual(shown(expected));
      expect(session.recording.length - 1).toBe(events);
    }
  }, 120_000);

  it("waits while it is offline, and goes on when it is back", async () => {
    const { url, steps } = await serve();
    const { state: expected } = await undisturbed(url, steps);
    const { session, page } = open({ url });
    steps.allow(5);
    await sendUntil(session, 30);
    page.setOffline(true);
    page.cut();
    steps.allow(STEPS);
    await until(async () => (await runsOf(url))[0].status === "finished");
    expect(session.getState().phase).toBe("running");
    page.setOffline(false);
    await until(() => session.getState().phase !== "running");
    expect(shown(session.getState())).toEqual(shown(expected));
    expect(page.requests.filter((request) => request === "POST /ag-ui/robot")).toHaveLength(1);
  });

  it("stops the run on the server with abort, also after a reload", async () => {
    const { url, steps } = await serve();
    const before = open({ url });
    steps.allow(2);
    await sendUntil(before.session, 25);
    before.page.close();
    const { session } = open({ url, storage: before.storage });
    await until(() => session.getState().messages.length > 3);
    session.abort();
    await until(() => steps.aborted === 1);
    await until(async () => (await runsOf(url))[0].status === "stopped");
    expect(session.getState()).toMatchObject({ phase: "idle", run: { outcome: "cancelled" } });
    // Nothing is under way any more for the next page.
    await session.saved();
    const next = open({ url, storage: before.storage });
    await next.session.ready;
    await Promise.resolve();
    expect(next.session.getState().phase).toBe("idle");
    expect(next.page.requests).toEqual([]);
  });

  it("shows one run in every window that loads it, and their calls lead to one next run", async () => {
    const inputs: string[] = [];
    const { url } = await serve({
      agents: {
        robot: {
          definition: "board",
          async *run({ input }): AsyncGenerator<AgentEvent> {
            inputs.push(input.runId);
            await both;
            if (input.messages.at(-1)?.role === "tool") return yield text("m2", "Thank you.");
            yield { type: "TOOL_CALL_START", toolCallId: "t1", toolCallName: "ask" };
            yield { type: "TOOL_CALL_END", toolCallId: "t1" };
          },
        },
      },
    });
    let open2 = () => {};
    const both = new Promise<void>((resolve) => (open2 = resolve));
    const tools: FrontendTools = { ask: { description: "Ask", execute: () => "Milk" } };
    const first = open({ url, tools });
    void first.session.send("Plan it");
    await until(() => inputs.length === 1);
    const second = open({ url, tools, storage: first.storage });
    await until(() => second.page.requests.length === 1);
    open2();
    const isDone = ({ session }: typeof first) => session.getState().messages.at(-1)?.id === "m2";
    await until(() => [first, second].every((each) => isDone(each) && each.session.getState().phase === "idle"));
    expect(inputs).toEqual(["id2", "id2.2"]);
    const contents = ({ session }: typeof first) => session.getState().messages.map((message) => message.role);
    expect(contents(second)).toEqual(contents(first));
  });
});

describe("a session whose server starts again", () => {
  it("says where the run stopped", async () => {
    const [log, store] = [memoryLog(), memoryRuns()];
    const before = await serve({ log, runs: { store } });
    const { session, storage } = open({ url: before.url });
    before.steps.allow(3);
    void session.send("Plan it");
    await until(() => session.getState().messages.filter(({ role }) => role === "tool").length === 3);
    await before.server.close();
    const error = { code: "stopped", message: "The run was stopped after 3 steps: the server closed." };
    await until(() => session.getState().phase === "error");
    expect(session.getState().error).toMatchObject(error);
    await session.saved();
    // A page that was closed all the time.
    const stored = await storage.load("launch");
    const after = await serve({ log, runs: { store } });
    const late = memoryStorage();
    await late.save({
      ...stored!,
      state: { ...stored!.state, messages: stored!.state.messages.slice(0, 1) },
      run: { runId: "id2" },
    });
    const reloaded = open({ url: after.url, storage: late });
    await until(() => reloaded.session.getState().phase === "error");
    expect(reloaded.session.getState().error).toMatchObject(error);
    expect(reloaded.session.getState().messages).toEqual(session.getState().messages);
  });

  it("says so when nothing is known of the run any more", async () => {
    const log = memoryLog();
    const before = await serve({ log });
    const { session, storage, page } = open({ url: before.url });
    before.steps.allow(1);
    await sendUntil(session, 10);
    page.close();
    await before.server.close();
    const after = await serve({ log });
    const again = open({ url: after.url, storage });
    await until(() => again.session.getState().phase === "error");
    expect(again.session.getState().error).toMatchObject({ kind: "transport", code: "run_lost" });
    expect(again.session.getState().messages.map(({ role }) => role)).toEqual(["user"]);
    // The conversation goes on.
    after.steps.allow(STEPS);
    expect((await again.session.send("Once more")).phase).toBe("idle");
  });
});

describe("a session with another AG-UI server", () => {
  it("reads a stream once, and stores what it has of it", async () => {
    const lines = [
      { type: "RUN_STARTED", threadId: "launch", runId: "id2" },
      { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "Half" },
    ];
    const requests: string[] = [];
    const session = new ChatSession({
      url: "https://agents.example.com/ag-ui/planner",
      threadId: "launch",
      fetch: async (input, init) => {
        requests.push(`${init?.method ?? "GET"} ${input instanceof Request ? input.url : String(input)}`);
        return new Response(lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join(""));
      },
    });
    expect(await session.send("Hi")).toMatchObject({ phase: "error", error: { kind: "truncated" } });
    expect(requests).toEqual(["POST https://agents.example.com/ag-ui/planner?detached=true"]);
    expect(session.toJSON()).not.toHaveProperty("run");
    expect(session.toJSON().state.messages).toHaveLength(2);
  });
});

function text(messageId: string, delta: string): AgentEvent {
  return { type: "TEXT_MESSAGE_CHUNK", messageId, role: "assistant", delta };
}
