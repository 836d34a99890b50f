// A session against a real server: what a UI sees of a conversation, from the first message to its
// end.

import { describe, expect, it, vi } from "vitest";
import { ChatSession, type ChatState, httpAgent } from "../../src/index.ts";
import { calls, finished, gate, says, serveAgent, started } from "./support/agent-server.ts";

const texts = ({ messages }: ChatState) =>
  messages.map(({ role, ...rest }) => [role, "content" in rest ? rest.content : undefined]);

/** Ids that count, so that a test can name them. */
function ids() {
  let last = 0;
  return () => `id-${(last += 1)}`;
}

describe("sending", () => {
  /**
   * An agent that stops in the middle of its answer until `go` opens, and a session that asks it.
   */
  async function halfAnswered() {
    const go = gate();
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      yield { type: "STATE_SNAPSHOT", snapshot: { count: 1 } };
      yield { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" };
      yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "Hel" };
      await go.passed;
      yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "lo" };
      yield { type: "TEXT_MESSAGE_END", messageId: "m1" };
      yield { type: "STATE_DELTA", delta: [{ op: "replace", path: "/count", value: 2 }] };
      yield finished(run);
    });
    const session = new ChatSession({
      url,
      threadId: "launch",
      mintId: ids(),
      headers: async () => ({ authorization: "Bearer x" }),
      context: [{ description: "page", value: "board" }],
      forwardedProps: { a: 1 },
    });
    const initial = session.getInitialState();
    const seen: ChatState[] = [];
    session.subscribe((state, previous) => {
      expect(state).not.toBe(previous);
      seen.push(state);
    });
    const sending = session.send("Hi");
    await vi.waitUntil(() => texts(session.getState()).length === 2);
    return { go, runs, session, initial, seen, sending };
  }

  it("shows the message at once, and the answer while it arrives", async () => {
    const { go, session, seen, sending } = await halfAnswered();
    expect(seen[0]).toMatchObject({ phase: "running", messages: [{ role: "user", content: "Hi" }] });
    expect(session.getState().phase).toBe("running");
    expect(texts(session.getState())).toEqual([
      ["user", "Hi"],
      ["assistant", "Hel"],
    ]);
    go.open();
    await sending;
  });

  it("ends idle, with the whole answer and the agent's state", async () => {
    const { go, session, initial, sending } = await halfAnswered();
    go.open();
    const state = await sending;
    expect(state).toBe(session.getState());
    expect(state).toMatchObject({ phase: "idle", state: { count: 2 } });
    expect(texts(state)).toEqual([
      ["user", "Hi"],
      ["assistant", "Hello"],
    ]);
    expect(session.getInitialState()).toBe(initial);
  });

  it("posts the run's input, with the headers of the application", async () => {
    const { go, runs, sending } = await halfAnswered();
    go.open();
    await sending;
    expect(runs[0]?.input).toEqual({
      threadId: "launch",
      runId: "id-2",
      protocolVersion: "1.0",
      state: {},
      messages: [{ id: "id-1", role: "user", content: "Hi" }],
      tools: [],
      context: [{ description: "page", value: "board" }],
      forwardedProps: { a: 1 },
    });
    expect(runs[0]?.headers).toMatchObject({
      authorization: "Bearer x",
      accept: "text/event-stream",
      "content-type": "application/json",
    });
  });

  it("sends the whole conversation and the state to the next run, unless the state is turned off", async () => {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      yield { type: "STATE_SNAPSHOT", snapshot: [1, 2] };
      yield* says(`m-${run.input.runId}`, "ok");
      yield finished(run);
    });
    const session = new ChatSession({ url, mintId: ids() });
    await session.send("one");
    await session.send({ id: "u2", role: "user", content: [{ type: "text", text: "two" }] });
    expect(runs[1]?.input.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "one"],
      ["assistant", "ok"],
      ["user", [{ type: "text", text: "two" }]],
    ]);
    expect(runs[1]?.input.state).toEqual([1, 2]);
    const without = new ChatSession({ url, sendState: false });
    await without.send("x");
    expect(runs[2]?.input).not.toHaveProperty("state");
  });

  it("does not send a state that lacks a patch, which an agent would take for the person's own", async () => {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      yield { type: "STATE_SNAPSHOT", snapshot: { a: 1 } };
      if (runs.length === 1) yield { type: "STATE_DELTA", delta: [{ op: "replace", path: "/b", value: 2 }] };
      yield finished(run);
    });
    const session = new ChatSession({ url });
    for (const text of ["one", "two", "three"]) await session.send(text);
    expect(runs.slice(1).map(({ input }) => input.state)).toEqual([undefined, { a: 1 }]);
  });

  it("during a run waits for its end, and shows the message then", async () => {
    const gates = [gate(), gate()];
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      await gates[runs.length - 1]?.passed;
      yield* says(`m${runs.length}`, "ok");
      yield finished(run);
    });
    const session = new ChatSession({ url });
    const first = session.send("one");
    const second = session.send("two");
    await vi.waitUntil(() => runs.length === 1 && session.getState().run !== undefined);
    expect(texts(session.getState())).toEqual([["user", "one"]]);
    gates[0]?.open();
    await first;
    await vi.waitUntil(() => runs.length === 2);
    gates[1]?.open();
    await second;
    expect(texts(session.getState()).map(([, text]) => text)).toEqual(["one", "ok", "two", "ok"]);
  });

  it("reads chunks, comments, CRLF and frames that are split anywhere, also inside a character", async () => {
    const fetch = async (_url: unknown, init?: RequestInit) => {
      const { threadId, runId } = (await new Request("http://agent.test/", init).json()) as {
        threadId: string;
        runId: string;
      };
      const wire = [
        { type: "RUN_STARTED", threadId, runId },
        { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", delta: "Grüß " },
        { type: "TEXT_MESSAGE_CHUNK", delta: "dich 👋" },
        { type: "RUN_FINISHED", threadId, runId },
      ]
        .map((event) => `: comment\r\nevent: message\r\ndata: ${JSON.stringify(event)}\r\n\r\n`)
        .join("");
      const bytes = new TextEncoder().encode(wire);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
      return new Response(body);
    };
    const { messages, phase } = await new ChatSession({ url: "http://agent.test/", fetch }).send("Hi");
    expect(phase).toBe("idle");
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: "Grüß dich 👋", status: "complete" });
  });
});

describe("an error in a run", () => {
  it.each([
    ["the agent says so", { kind: "agent", message: "No key", code: "no_key" }],
    ["the stream ends before the run", { kind: "truncated" }],
    ["the stream is empty", { kind: "truncated" }],
    ["the connection breaks", { kind: "transport" }],
    ["the server refuses", { kind: "transport", code: "http_403", message: "The server answered 403: You may not." }],
    ["a frame is not JSON", { kind: "transport", code: "not_json" }],
    ["the order of events is wrong", { kind: expect.stringMatching(/agent|protocol/) }],
  ])("is in the state: %s; and the next run begins without it", async (what, error) => {
    let healthy = false;
    const { url } = await serveAgent(async function* (run, response) {
      if (healthy) {
        yield started(run);
        yield* says("m2", "better");
        yield finished(run);
        return;
      }
      if (what === "the server refuses") {
        response.writeHead(403, { "content-type": "application/problem+json" });
        yield JSON.stringify({ detail: "You may not." });
        return;
      }
      if (what === "the stream is empty") return;
      yield started(run);
      if (what === "a frame is not JSON") yield "data: {oops\n\n";
      if (what === "the agent says so") yield { type: "RUN_ERROR", message: "No key", code: "no_key" };
      if (what === "the order of events is wrong")
        yield { type: "TEXT_MESSAGE_CONTENT", messageId: "missing", delta: "x" };
      if (what === "the stream ends before the run" || what === "the connection breaks") {
        yield { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" };
        yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "half" };
      }
      if (what === "the connection breaks") response.destroy();
    });
    const session = new ChatSession({ url });
    const state = await session.send("Hi");
    expect(state).toMatchObject({ phase: "error", error });
    for (const message of state.messages) expect(message.status).not.toBe("streaming");
    healthy = true;
    const next = await session.send("Again");
    expect(next.phase).toBe("idle");
    expect(next).not.toHaveProperty("error");
    expect(next.messages.at(-1)).toMatchObject({ content: "better" });
  });

  it("ends the run there, and reads no more of the response", async () => {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      yield { type: "TEXT_MESSAGE_CONTENT", messageId: "missing", delta: "x" };
      await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
    });
    const { phase } = await new ChatSession({ url }).send("Hi");
    expect(phase).toBe("error");
    await vi.waitUntil(() => runs[0]?.signal.aborted);
  });

  it("aborts an agent in this process as well", async () => {
    const stopped = gate();
    const session = new ChatSession({
      transport: async function* ({ threadId, runId }, { signal }) {
        signal.addEventListener("abort", stopped.open);
        yield { type: "RUN_STARTED", threadId, runId };
        yield { type: "RUN_STARTED", threadId, runId };
        await new Promise(() => {});
      },
    });
    expect((await session.send("Hi")).phase).toBe("error");
    await stopped.passed;
  });

  it("that the agent sent itself may be followed by another run in the same stream", async () => {
    const go = gate();
    const { url } = await serveAgent(async function* (run) {
      yield started(run);
      yield* says("m1", "first");
      yield { type: "RUN_ERROR", message: "Overloaded" };
      await go.passed;
      yield { ...started(run), runId: "second" };
      yield* says("m2", "again");
      yield { ...finished(run), runId: "second" };
    });
    const session = new ChatSession({ url });
    const sending = session.send("Hi");
    await vi.waitUntil(() => session.getState().phase === "error");
    expect(session.getState().error).toMatchObject({ kind: "agent", message: "Overloaded" });
    go.open();
    const state = await sending;
    expect(state).toMatchObject({ phase: "idle", run: { runId: "second", outcome: "success" } });
    expect(state).not.toHaveProperty("error");
    expect(texts(state).map(([, text]) => text)).toEqual(["Hi", "first", "again"]);
    expect(session.replayTo(session.recording.length)).toEqual(state);
  });

  it.each([
    ["error", { type: "RUN_ERROR", message: "no" }],
    ["success", { type: "RUN_FINISHED", threadId: "t", runId: "r" }],
  ])("or its end stays what it was, when what follows in the stream is aborted: %s", async (outcome, end) => {
    const session = new ChatSession({
      transport: async function* ({ threadId, runId }) {
        yield { type: "RUN_STARTED", threadId, runId };
        yield end;
        await new Promise(() => {});
      },
    });
    const sending = session.send("Hi");
    await vi.waitUntil(() => session.getState().run?.outcome !== undefined);
    session.abort();
    expect(await sending).toMatchObject({ run: { outcome } });
  });

  it("does not fail when a listener throws: `onError` gets the error", async () => {
    const { url } = await serveAgent(async function* (run) {
      yield started(run);
      yield finished(run);
    });
    const errors: unknown[] = [];
    const session = new ChatSession({ url, onError: (error) => errors.push(error) });
    let notified = 0;
    session.subscribe(() => {
      throw new Error("a listener");
    });
    session.subscribe(() => void (notified += 1));
    expect((await session.send("Hi")).phase).toBe("idle");
    expect(notified).toBeGreaterThan(1);
    expect(errors).toHaveLength(notified);
  });
});

describe("aborting", () => {
  it("ends the run as cancelled, notifies the server, and drops what waits", async () => {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      yield { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" };
      yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "half" };
      if (runs.length > 1) {
        yield { type: "TEXT_MESSAGE_END", messageId: "m1" };
        yield finished(run);
      } else await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
    });
    const session = new ChatSession({ url });
    const first = session.send("one");
    const second = session.send("two");
    await vi.waitUntil(() => session.getState().messages.length === 2);
    session.abort();
    const state = await first;
    expect(state).toMatchObject({ phase: "idle", run: { outcome: "cancelled" } });
    expect(state).not.toHaveProperty("error");
    expect(state.messages.at(-1)).toMatchObject({ content: "half", status: "incomplete" });
    await second;
    expect(texts(session.getState()).map(([, text]) => text)).toEqual(["one", "half"]);
    await vi.waitUntil(() => runs[0]?.signal.aborted);
    session.abort();
    expect((await session.send("three")).phase).toBe("idle");
    expect(runs).toHaveLength(2);
  });

  it("ends the run of an agent that ignores the signal", async () => {
    const began = gate();
    const session = new ChatSession({
      transport: async function* ({ threadId, runId }) {
        yield { type: "RUN_STARTED", threadId, runId };
        began.open();
        await new Promise(() => {});
      },
    });
    const sending = session.send("Hi");
    await began.passed;
    session.abort();
    expect(await sending).toMatchObject({ phase: "idle", run: { outcome: "cancelled" } });
  });
});

describe("httpAgent", () => {
  it("aborts the request when its reader leaves", async () => {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
    });
    const input = { threadId: "t", runId: "r", messages: [], tools: [], context: [] };
    for await (const event of httpAgent({ url })(input, { signal: new AbortController().signal })) {
      expect(event).toMatchObject({ type: "RUN_STARTED" });
      break;
    }
    await vi.waitUntil(() => runs[0]?.signal.aborted);
  });
});

describe("interrupts", () => {
  async function asking() {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      if (run.input.resume) yield finished(run);
      else
        yield finished(run, {
          type: "interrupt",
          interrupts: [
            { id: "i1", reason: "confirmation" },
            { id: "i2", reason: "input_required" },
          ],
        });
    });
    const session = new ChatSession({ url, mintId: ids() });
    await session.send("Clear it");
    return { session, runs };
  }

  it("are answered by resume, all at once, and are closed then", async () => {
    const { session, runs } = await asking();
    expect(session.getState().interrupts.map(({ id }) => id)).toEqual(["i1", "i2"]);
    const state = await session.resume(
      [
        { interruptId: "i1", payload: true },
        { interruptId: "i2", status: "cancelled" },
      ],
      "And hurry",
    );
    expect(runs[1]?.input.resume).toEqual([
      { interruptId: "i1", status: "resolved", payload: true },
      { interruptId: "i2", status: "cancelled" },
    ]);
    expect(runs[1]?.input.messages.at(-1)).toMatchObject({ content: "And hurry" });
    expect(state.interrupts).toEqual([]);
  });

  it("delay a send until they are answered", async () => {
    const { session, runs } = await asking();
    const before = session.getState();
    await expect(session.send("Something else")).rejects.toThrow("The agent waits for answers to i1, i2. Call resume");
    expect(session.getState()).toBe(before);
    expect(runs).toHaveLength(1);
  });

  it.each([
    ["leaves an interrupt open", [{ interruptId: "i1", payload: true }], "These have none: i2."],
    [
      "matches no open interrupt",
      [{ interruptId: "i1" }, { interruptId: "i2" }, { interruptId: "i3" }],
      "The open ones are: i1, i2.",
    ],
  ])("keep an answer from being sent that %s", async (_what, answers, message) => {
    const { session, runs } = await asking();
    const before = session.getState();
    await expect(session.resume(answers)).rejects.toThrow(message);
    expect(session.getState()).toBe(before);
    expect(runs).toHaveLength(1);
  });
});

describe("tools of the page", () => {
  const color = {
    description: "The color of a thing",
    parameters: { type: "object", properties: { of: { type: "string" } } },
  };

  /** The agent asks the page's tool for two colors, and another tool for something else. */
  async function askForColors() {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      if (runs.length === 1) {
        yield* calls("t1", "color", { of: "sky" });
        yield* calls("t2", "color", { of: "grass" });
        yield* calls("t3", "elsewhere", {});
      } else yield* says("m2", "Blue and green.");
      yield finished(run);
    });
    const executed: unknown[] = [];
    const session = new ChatSession({
      url,
      tools: {
        color: {
          ...color,
          execute(args, { toolCallId }) {
            executed.push([args, toolCallId]);
            return (args as { of: string }).of === "sky" ? "blue" : { name: "green" };
          },
        },
      },
    });
    return { state: await session.send("Colors?"), runs, executed };
  }

  it("are offered to the agent", async () => {
    const { runs } = await askForColors();
    expect(runs[0]?.input.tools).toEqual([{ name: "color", ...color }]);
  });

  it("run when the agent called them and its run is over", async () => {
    const { executed } = await askForColors();
    expect(executed).toEqual([
      [{ of: "sky" }, "t1"],
      [{ of: "grass" }, "t2"],
    ]);
  });

  it("have results that go with the next run", async () => {
    const { runs } = await askForColors();
    expect(runs).toHaveLength(2);
    expect(runs[1]?.input.messages.filter(({ role }) => role === "tool")).toEqual([
      { id: expect.any(String), role: "tool", toolCallId: "t1", content: "blue" },
      { id: expect.any(String), role: "tool", toolCallId: "t2", content: '{"name":"green"}' },
    ]);
  });

  it("have results in the state, beside what the agent makes of them", async () => {
    const { state } = await askForColors();
    const results = state.messages
      .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
      .map(({ result }) => result?.content);
    expect(results).toEqual(["blue", '{"name":"green"}', undefined]);
    expect(state.messages.at(-1)).toMatchObject({ content: "Blue and green." });
    expect(state.phase).toBe("idle");
  });

  it("have a result also when they fail, or when their arguments are not JSON", async () => {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      if (runs.length === 1) {
        yield* calls("t1", "broken", {});
        yield* calls("t2", "broken", "{oops");
      }
      yield finished(run);
    });
    let executed = 0;
    const session = new ChatSession({
      url,
      tools: {
        broken: {
          description: "Breaks",
          execute() {
            executed += 1;
            throw new Error("No luck");
          },
        },
      },
    });
    await session.send("Go");
    expect(executed).toBe(1);
    expect(runs[1]?.input.messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
      '{"error":"No luck"}',
      '{"error":"The arguments are not JSON."}',
    ]);
  });

  it("are not run when the agent answered them, or when the run failed or was interrupted", async () => {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      if (runs.length < 3) yield* calls("t1", "mine", {});
      if (runs.length === 1) {
        yield { type: "TOOL_CALL_RESULT", messageId: "r1", toolCallId: "t1", content: "by the agent" };
        // It says so, but it has answered.
        yield finished(run, { type: "success", pendingToolCallIds: ["t1"] });
      } else if (runs.length === 3) yield finished(run);
      else yield { type: "RUN_ERROR", message: "no" };
    });
    let executed = 0;
    const tools = { mine: { description: "Mine", execute: () => (executed += 1) } };
    await new ChatSession({ url, tools }).send("Go");
    const session = new ChatSession({ url, tools });
    await session.send("Go");
    expect(session.getState().phase).toBe("error");
    await session.send("Go on");
    expect(session.getState().phase).toBe("idle");
    expect(runs).toHaveLength(3);
    expect(executed).toBe(0);
  });

  it("stop after a number of rounds", async () => {
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      yield* calls(`t${runs.length}`, "again", {});
      yield finished(run);
    });
    const session = new ChatSession({
      url,
      maxToolRounds: 3,
      tools: { again: { description: "Again", execute: () => "more" } },
    });
    const state = await session.send("Go");
    expect(runs).toHaveLength(4);
    expect(state).toMatchObject({ phase: "error", error: { code: "too_many_tool_rounds" } });
  });

  it("are cancelled by abort, and nothing more is sent", async () => {
    const began = gate();
    let signal: AbortSignal | undefined;
    const { url, runs } = await serveAgent(async function* (run) {
      yield started(run);
      yield* calls("t1", "slow", {});
      yield finished(run);
    });
    const session = new ChatSession({
      url,
      tools: {
        slow: {
          description: "Slow",
          execute(_args, context) {
            signal = context.signal;
            began.open();
            return new Promise(() => {});
          },
        },
      },
    });
    const sending = session.send("Go");
    await began.passed;
    expect(session.getState().phase).toBe("running");
    session.abort();
    expect((await sending).phase).toBe("idle");
    expect(signal?.aborted).toBe(true);
    expect(runs).toHaveLength(1);
  });
});
