// POST /ag-ui/:agent, used by an unmodified HttpAgent.

import { type AGUIEvent, type BaseEvent, EventType, HttpAgent } from "@ag-ui/client";
import type { StateOf } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import { describe, expect, it, vi } from "vitest";
import type { Agent, AgentEvent, AgentRun } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const robot = { kind: "agent", id: "robot" };

function startAgent(run: Agent) {
  return start({ agents: { robot: { run, definition: "board" } } });
}

/** A promise that the test resolves. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

function client(url: string, threadId = "launch", headers: Record<string, string> = ada) {
  const agent = new HttpAgent({
    url: `${url}/ag-ui/robot`,
    threadId,
    headers,
    initialMessages: [{ id: "u1", role: "user", content: "Plan the launch" }],
  });
  const events: BaseEvent[] = [];
  agent.subscribe({ onEvent: ({ event }) => void events.push(event) });
  return { agent, events, types: () => events.map(({ type }) => type) };
}

const text = (messageId: string, delta: string): AgentEvent => ({
  type: "TEXT_MESSAGE_CHUNK",
  messageId,
  role: "assistant",
  delta,
});

/** The body of a run as bytes. */
async function raw(url: string, input: object, headers = ada): Promise<Response> {
  return fetch(`${url}/ag-ui/robot`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ runId: "r1", messages: [], ...input }),
  });
}

describe("a run", () => {
  it("sends text, the state and its changes, tool calls and results to an unmodified client", async () => {
    const { url } = await startAgent(async function* ({ thread, input }) {
      yield { type: EventType.TOOL_CALL_START, toolCallId: "t1", toolCallName: "addCard" };
      yield { type: EventType.TOOL_CALL_ARGS, toolCallId: "t1", delta: '{"cardId":"c1"}' };
      yield { type: EventType.TOOL_CALL_END, toolCallId: "t1" };
      const verdict = await thread.dispatch(addCard("c1"), { actor: robot, runId: input.runId, toolCallId: "t1" });
      yield {
        type: "TOOL_CALL_RESULT",
        messageId: "m1",
        toolCallId: "t1",
        content: JSON.stringify({ accepted: verdict.accepted }),
      };
      yield { type: "TEXT_MESSAGE_START", messageId: "m2", role: "assistant", name: null };
      yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m2", delta: "Added " };
      yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m2", delta: "c1." };
      yield { type: "TEXT_MESSAGE_END", messageId: "m2" };
    });
    const { agent, events, types } = client(url);
    const { result } = await agent.runAgent({ runId: "r1" });
    expect(result).toBeUndefined();
    expect(types()).toEqual([
      "RUN_STARTED",
      "STATE_SNAPSHOT",
      "TOOL_CALL_START",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_END",
      "STATE_DELTA",
      "CUSTOM",
      "TOOL_CALL_RESULT",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
    expect(events[0]).toMatchObject({ threadId: "launch", runId: "r1" });
    expect(events.at(-1)).toEqual({ type: "RUN_FINISHED", threadId: "launch", runId: "r1" });
    expect(agent.state).toEqual((await send(`${url}/threads/launch`, "GET")).body.state);
    expect(agent.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "Plan the launch"],
      ["assistant", undefined],
      ["tool", '{"accepted":true}'],
      ["assistant", "Added c1."],
    ]);
  });

  it("creates a missing thread, and gives the agent the input, the actor and the thread", async () => {
    let seen: AgentRun | undefined;
    const { url } = await startAgent(async function* (run) {
      seen = run;
      yield* [];
    });
    await client(url, "brand-new").agent.runAgent({
      runId: "r7",
      tools: [{ name: "ask", description: "Ask" }],
      context: [{ description: "d", value: "v" }],
      forwardedProps: { a: 1 },
    });
    expect(seen?.input).toMatchObject({
      threadId: "brand-new",
      runId: "r7",
      tools: [{ name: "ask" }],
      context: [{ value: "v" }],
      forwardedProps: { a: 1 },
      messages: [{ content: "Plan the launch" }],
    });
    expect(seen?.actor).toEqual({ kind: "user", id: "ada" });
    expect(seen?.thread.threadId).toBe("brand-new");
    expect((await send(`${url}/threads/brand-new`, "GET")).body.definition).toBe("board");
  });

  it("ignores the client's copy of the state", async () => {
    const inputs: unknown[] = [];
    const { url } = await startAgent(async function* ({ input }) {
      inputs.push(input);
      yield* [];
    });
    await createBoard(url);
    await send(`${url}/threads/launch/operations`, "POST", addCard("c1"));
    const before = await send(`${url}/threads/launch`, "GET");
    const { agent } = client(url);
    agent.setState({ columns: [], stolen: true });
    await agent.runAgent();
    expect(agent.state).toEqual(before.body.state);
    expect(await send(`${url}/threads/launch`, "GET")).toEqual(before);
    expect(JSON.stringify(inputs)).not.toContain("stolen");
  });

  it("sends the commits of others in version order, and the client has the thread's state at every event", async () => {
    const go = gate();
    const { url } = await startAgent(async function* ({ thread }) {
      yield text("m1", "Working");
      await go.passed;
      for (let index = 0; index < 10; index += 1) {
        await thread.dispatch(addCard(`robot-${index}`), { actor: robot });
        yield text("m1", ".");
      }
    });
    await createBoard(url);
    const { agent, events } = client(url);
    const running = agent.runAgent();
    await vi.waitUntil(() => events.length > 2);
    const edits = Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send(`${url}/threads/launch/operations`, "POST", addCard(`ada-${index}`, "x", "done")),
      ),
    );
    go.open();
    await Promise.all([running, edits]);
    const history = (await send(`${url}/threads/launch/history`, "GET")).body.map(
      ({ commit }: { commit: { patches: unknown } }) => commit.patches,
    );
    expect(history).toHaveLength(20);
    const deltas = events.flatMap((event) => (event.type === EventType.STATE_DELTA ? [event["delta"]] : []));
    const changes = (deltas as { op: string }[][]).map((delta) => delta.filter(({ op }) => op !== "test"));
    expect(changes).toEqual(history.slice(0, deltas.length));
    let state: unknown = board.initial;
    for (const delta of deltas) {
      const applied = applyPatch(state, delta);
      if (!applied.ok) throw new Error("A delta did not apply.");
      state = applied.document;
    }
    expect(agent.state).toEqual(state);
  });

  it("waits for earlier runs on the same thread, not for those on others", async () => {
    const gates = new Map(["r1", "r2", "r3"].map((id) => [id, gate()]));
    const log: string[] = [];
    const { url } = await startAgent(async function* ({ input }) {
      log.push(`${input.runId} begins`);
      await gates.get(input.runId)?.passed;
      log.push(`${input.runId} ends`);
      yield text(input.runId, "done");
    });
    const [first, second, elsewhere] = [client(url), client(url), client(url, "other")];
    const runs = [first.agent.runAgent({ runId: "r1" })];
    await vi.waitUntil(() => log.includes("r1 begins"));
    runs.push(second.agent.runAgent({ runId: "r2" }), elsewhere.agent.runAgent({ runId: "r3" }));
    await vi.waitUntil(() => log.includes("r3 begins"));
    gates.get("r3")?.open();
    gates.get("r2")?.open();
    await runs[2];
    expect(log).toEqual(["r1 begins", "r3 begins", "r3 ends"]);
    gates.get("r1")?.open();
    await Promise.all(runs);
    expect(log.slice(3)).toEqual(["r1 ends", "r2 begins", "r2 ends"]);
    expect(second.types().at(-1)).toBe("RUN_FINISHED");
  });
});

describe("chunks of an agent", () => {
  it("are one message, whatever is committed between them, also if only the first has its id", async () => {
    const { url } = await startAgent(async function* ({ thread }) {
      yield text("m1", "One ");
      await thread.dispatch(addCard("c1"), { actor: robot });
      yield { type: "TEXT_MESSAGE_CHUNK", delta: "two " };
      await thread.dispatch(addCard("c2"), { actor: robot });
      yield { type: "TEXT_MESSAGE_CHUNK", delta: "three" };
      yield { type: "TOOL_CALL_CHUNK", toolCallId: "t1", toolCallName: "look", delta: '{"at":' };
      await thread.dispatch(addCard("c3"), { actor: robot });
      yield { type: "TOOL_CALL_CHUNK", delta: "1}" };
    });
    const { agent, types } = client(url);
    await agent.runAgent();
    expect(types().at(-1)).toBe("RUN_FINISHED");
    expect(agent.messages.slice(1)).toMatchObject([
      { role: "assistant", content: "One two three" },
      { role: "assistant", toolCalls: [{ id: "t1", function: { name: "look", arguments: '{"at":1}' } }] },
    ]);
  });
});

describe("the end of a run", () => {
  it("is the one that the agent sends: interrupts, results, errors", async () => {
    const outcome = { type: "interrupt", interrupts: [{ id: "i1", reason: "approval", message: "Clear the column?" }] };
    const { url } = await startAgent(async function* ({ input }) {
      if (input.resume)
        yield { type: "RUN_FINISHED", threadId: "wrong", runId: "wrong", result: { answer: input.resume[0]?.payload } };
      else yield { type: "RUN_FINISHED", outcome };
      yield text("m9", "never sent");
    });
    const { agent, events } = client(url);
    await agent.runAgent({ runId: "r1" });
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", threadId: "launch", runId: "r1", outcome });
    const { result } = await agent.runAgent({
      runId: "r2",
      resume: [{ interruptId: "i1", status: "resolved", payload: "yes" }],
    });
    expect(result).toEqual({ answer: "yes" });
    expect(events.at(-1)).toMatchObject({ runId: "r2" });
    const failing = await startAgent(async function* () {
      yield { type: "RUN_ERROR", message: "No model key: set OPENAI_API_KEY.", code: "no_key" };
    });
    const other = client(failing.url);
    await other.agent.runAgent();
    expect(other.events.at(-1)).toEqual({
      type: "RUN_ERROR",
      message: "No model key: set OPENAI_API_KEY.",
      code: "no_key",
    });
  });

  it("is RUN_ERROR without details when the agent throws, and the next run works", async () => {
    let runs = 0;
    const agents: Agent[] = [
      async function* () {
        yield text("m1", "half");
        throw new Error("token sk-canary");
      },
      () => {
        throw new Error("token sk-canary");
      },
      async function* ({ thread }) {
        await thread.dispatch(addCard("c1"), { actor: robot });
        yield* [];
        throw new Error("token sk-canary");
      },
      async function* () {},
    ];
    const { url, errors } = await startAgent((run) => agents[runs++]!(run));
    const { agent, events, types } = client(url);
    await agent.runAgent();
    expect(events.at(-1)).toEqual({ type: "RUN_ERROR", message: "The agent failed.", code: "agent_failed" });
    await agent.runAgent();
    expect(types().slice(-3)).toEqual(["RUN_STARTED", "STATE_SNAPSHOT", "RUN_ERROR"]);
    await agent.runAgent();
    expect(types().slice(-5)).toEqual(["RUN_STARTED", "STATE_SNAPSHOT", "STATE_DELTA", "CUSTOM", "RUN_ERROR"]);
    await agent.runAgent();
    expect(types().at(-1)).toBe("RUN_FINISHED");
    expect(JSON.stringify(events)).not.toContain("sk-canary");
    expect(errors.map(String)).toEqual(Array.from({ length: 3 }, () => "Error: token sk-canary"));
  });

  it("aborts the agent when the client leaves, and lets the next run begin even if the agent goes on", async () => {
    const aborted = gate();
    const never = gate();
    let runs = 0;
    const { url, errors } = await startAgent(async function* ({ signal }) {
      runs += 1;
      yield text("m1", "Hello");
      if (runs > 1) return;
      signal.addEventListener("abort", () => aborted.open());
      await never.passed;
    });
    const { agent, events } = client(url);
    const running = agent.runAgent();
    await vi.waitUntil(() => events.length >= 3);
    agent.abortRun();
    await running.catch(() => {});
    await aborted.passed;
    const next = client(url);
    await next.agent.runAgent();
    expect(next.types().at(-1)).toBe("RUN_FINISHED");
    expect(errors).toEqual([]);
  });

  it("is RUN_ERROR when the server closes", async () => {
    const never = gate();
    const { url, server } = await startAgent(async function* () {
      yield text("m1", "Hello");
      await never.passed;
    });
    const { agent, events } = client(url);
    const running = agent.runAgent();
    await vi.waitUntil(() => events.length >= 3);
    // The client has the head of the response, but no event yet.
    const queued = await raw(url, { threadId: "launch" });
    const error = { type: "RUN_ERROR", message: "The server is closing.", code: "closing" };
    await Promise.all([server.close(), running]);
    expect(events.at(-1)).toEqual(error);
    expect(await queued.text()).toBe(`data: ${JSON.stringify(error)}\n\n`);
  });
});

describe("on the wire", () => {
  it("every frame is one data line of JSON that ends with \\n, without null for absent members", async () => {
    const { url } = await startAgent(async function* ({ thread }) {
      await thread.dispatch(addCard("c1", "a\r\nb\u2028"), { actor: robot });
      yield {
        type: "TEXT_MESSAGE_CHUNK",
        messageId: "m1",
        role: "assistant",
        delta: "x\r\ny",
        name: null,
        metadata: null,
      };
      yield { type: "CUSTOM", name: "n", value: null };
    });
    const response = await raw(url, { threadId: "launch" });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const body = await response.text();
    expect(body).not.toContain("\r");
    const frames = body.split("\n\n");
    expect(frames.pop()).toBe("");
    const events = frames.map((frame) => JSON.parse(frame.replace(/^data: /, "")) as AGUIEvent);
    expect(events.map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "STATE_SNAPSHOT",
      "STATE_DELTA",
      "CUSTOM",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "CUSTOM",
      "RUN_FINISHED",
    ]);
    expect(events[5]).toEqual({ type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "x\r\ny" });
    expect(events[7]).toEqual({ type: "CUSTOM", name: "n", value: null });
  });

  it("events that only the server may send are dropped when an agent sends them", async () => {
    const { url } = await startAgent(async function* () {
      // An agent written without types.
      for (const type of ["RUN_STARTED", "STATE_SNAPSHOT", "STATE_DELTA"])
        yield { type, snapshot: { forged: true }, delta: [], threadId: "x", runId: "y" } as unknown as AgentEvent;
    });
    const { agent, types } = client(url);
    await agent.runAgent();
    expect(types()).toEqual(["RUN_STARTED", "STATE_SNAPSHOT", "RUN_FINISHED"]);
  });

  it("a reader that falls behind gets a snapshot, and the agent waits for the reader", async () => {
    const count = 60;
    let done = 0;
    const { server } = await startAgent(async function* ({ thread }) {
      await thread.dispatch(addCard("c1"), { actor: robot });
      for (let index = 1; index <= count; index += 1) {
        await thread.dispatch(board.op.annotate({ cardId: "c1", note: String(index % 10).repeat(50_000) }), {
          actor: robot,
        });
        yield text("m1", String(index));
        done = index;
      }
    });
    // Not over the network, so that nothing between the server and this reader buffers bytes.
    const response = await server.fetch(
      new Request("http://x/ag-ui/robot", {
        method: "POST",
        headers: { ...ada, "content-type": "application/json" },
        body: JSON.stringify({ threadId: "launch", runId: "r1", messages: [] }),
      }),
    );
    const reader = response.body?.getReader();
    await vi.waitUntil(() => done >= 3);
    // Larger than the backlog limit. So the stream stops, and Ada's commits find no room.
    await server.fetch(
      new Request("http://x/threads/launch/operations", {
        method: "POST",
        headers: { ...ada, "content-type": "application/json" },
        body: JSON.stringify(addCard("ada")),
      }),
    );
    const stoppedAt = done;
    let body = "";
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      body += new TextDecoder().decode(chunk.value);
    }
    expect(stoppedAt).toBeLessThan(20);
    let state: unknown;
    for (const frame of body.split("\n\n").filter((part) => part.startsWith("data: "))) {
      const event = JSON.parse(frame.slice(6)) as AGUIEvent;
      if (event.type === EventType.STATE_SNAPSHOT) state = event.snapshot;
      if (event.type === EventType.STATE_DELTA) {
        const applied = applyPatch(state, event.delta);
        if (!applied.ok) throw new Error("A delta did not apply.");
        state = applied.document;
      }
      // The commits that found no room come as a snapshot before the agent goes on.
      if (event.type === EventType.TEXT_MESSAGE_CONTENT && Number(event.delta) > stoppedAt + 1) {
        expect((state as StateOf<typeof board>).columns[0]?.cards.map(({ cardId }) => cardId)).toContain("ada");
      }
    }
    const now = await server.fetch(new Request("http://x/threads/launch", { headers: ada }));
    expect(await now.json()).toMatchObject({ state });
    expect(body).toContain(`"delta":"${count}"`);
  });
});

describe("an invalid request", () => {
  const input = { threadId: "launch", runId: "r1", messages: [] };

  /** A server whose agent must not run. */
  async function startIdle() {
    const { url } = await startAgent(async function* () {
      expect.unreachable("the agent should not run");
      yield* [];
    });
    await send(`${url}/threads/a-note`, "PUT", { definition: "note" });
    const post = (body: unknown, headers = ada) => send(`${url}/ag-ui/robot`, "POST", body, headers);
    return { url, post };
  }

  it("is refused when there is no such agent", async () => {
    const { url } = await startIdle();
    expect(await send(`${url}/ag-ui/nobody`, "POST", input)).toMatchObject({
      status: 404,
      body: { code: "unknown_agent", detail: 'There is no agent "nobody". This server has: robot.' },
    });
  });

  it("is refused when its body is not a run's input", async () => {
    const { post } = await startIdle();
    expect(await post({ threadId: "launch" })).toMatchObject({
      status: 400,
      body: { code: "invalid_body", detail: expect.stringContaining("/runId") },
    });
    expect(await post({ ...input, messages: [{ role: "user" }] })).toMatchObject({ status: 400 });
    expect(await post({ ...input, threadId: "a/b" })).toMatchObject({ status: 400, body: { code: "invalid_id" } });
    expect(await post({ ...input, actor: { kind: "system", id: "root" } })).toMatchObject({
      status: 400,
      body: { code: "actor_in_body" },
    });
  });

  it("is refused when the thread has another definition", async () => {
    const { post } = await startIdle();
    expect(await post({ ...input, threadId: "a-note" })).toMatchObject({
      status: 409,
      body: { code: "definition_differs" },
    });
  });

  it("is refused when the actor may not run on the thread", async () => {
    const { post } = await startIdle();
    expect(await post(input, asUser("bob", "read", "admin"))).toMatchObject({ status: 403 });
    expect(await post({ ...input, threadId: "secret" })).toMatchObject({ status: 403 });
  });

  it("createServer throws when an agent needs an unknown definition", async () => {
    await expect(start({ agents: { robot: { definition: "bord", async *run() {} } } })).rejects.toThrow(
      'Agent "robot" needs the definition "bord", which is not in `definitions`: board, note.',
    );
  });
});
