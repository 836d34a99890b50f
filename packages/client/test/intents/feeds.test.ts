// Where intents come from: a conversation, a run's events, any other stream.

import { followChat, type FollowedChat, followRun, intentsOf } from "@opstate/client/intents";
import { createSource } from "@opstate/core/readable";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../tally.ts";
import { desk, openDesk } from "./desk.ts";

let page: Awaited<ReturnType<typeof openDesk>>;
beforeEach(async () => void (page = await openDesk()));
afterEach(() => page.close());

const titles = () =>
  intentsOf(page.thread)
    .getState()
    .view.lists[0]?.cards.map(({ title }) => title);
const run = { threadId: "desk", runId: "run_1" };

describe("a conversation", () => {
  const idle: FollowedChat = { phase: "idle", pendingToolCallIds: [], messages: [] };
  const user = { role: "user" };

  function calling(text: string, threadId = "desk"): FollowedChat {
    const call = { id: "call_1", name: "add", arguments: text };
    const messages = [user, { role: "assistant", toolCalls: [call] }];
    return { phase: "running", run: { ...run, threadId }, pendingToolCallIds: ["call_1"], messages };
  }

  function answered(content: string): FollowedChat {
    const call = { id: "call_1", name: "add", arguments: '{"list":"todo","title":"Write"}', result: { content } };
    const messages = [user, { role: "assistant", toolCalls: [call] }, { role: "tool" }];
    return { phase: "running", run, pendingToolCallIds: [], messages };
  }

  it("shows the calls of its runs on this thread, as far as they are written", () => {
    const chat = createSource(idle);
    const stop = followChat(page.thread, chat);
    chat.set(calling('{"list":"todo","title":"W'))();
    expect(titles()).toEqual(["Plan", "Sing", "W"]);
    chat.set(calling('{"list":"todo","title":"Write'))();
    expect(titles()).toEqual(["Plan", "Sing", "Write"]);
    chat.set(idle)();
    expect(titles()).toEqual(["Plan", "Sing"]);
    stop();
  });

  it("shows what is under way already when it is followed, and nothing once it is not", () => {
    const stop = followChat(page.thread, createSource(calling('{"list":"todo","title":"W')));
    expect(titles()).toEqual(["Plan", "Sing", "W"]);
    stop();
    expect(titles()).toEqual(["Plan", "Sing"]);
  });

  it("shows nothing of a run on another thread, such as a branch", () => {
    const stop = followChat(page.thread, createSource(calling('{"list":"todo","title":"W', "desk-branch")));
    expect(intentsOf(page.thread).getState().intents).toEqual([]);
    stop();
  });

  it("says why a call was refused, as its result says it", () => {
    const chat = createSource(idle);
    const stop = followChat(page.thread, chat);
    chat.set(calling('{"list":"todo","title":"Write"}'))();
    chat.set(answered("Refused (list_full): Not added: it is full.\ndesk is unchanged by this call."))();
    const { intents, refused } = intentsOf(page.thread).getState();
    expect(intents).toEqual([]);
    expect(refused[0]?.rejection).toEqual({ reason: "list_full", message: "Not added: it is full." });
    stop();
  });

  it("keeps an accepted call until its version is here, also when the run ends before", async () => {
    const chat = createSource(idle);
    const stop = followChat(page.thread, chat);
    chat.set(calling('{"list":"todo","title":"Write"}'))();
    chat.set(answered("Accepted: desk is now at version 1.\nChanged: ..."))();
    chat.set(idle)();
    expect(titles()).toEqual(["Plan", "Sing", "Write"]);
    await page.submit(desk.op.add({ list: "todo", title: "Write" }), { toolCallId: "call_1", runId: "run_1" });
    await until("the commit", () => intentsOf(page.thread).getState().intents.length === 0);
    expect(titles()).toEqual(["Plan", "Sing", "Write"]);
    stop();
  });
});

describe("the events of a run", () => {
  /** A stream that the test writes to. */
  function stream() {
    const END = {};
    const events: unknown[] = [];
    async function* read(): AsyncGenerator<unknown, void> {
      for (;;) {
        await until("an event", () => events.length > 0);
        const event = events.shift();
        if (event === END) return;
        yield event;
      }
    }
    return { read, send: (...more: unknown[]) => events.push(...more), end: () => events.push(END) };
  }
  const started = { type: "RUN_STARTED", ...run };

  it("show a call from its start to its result", async () => {
    const { read, send, end } = stream();
    const followed = followRun(page.thread, read(), { actor: { kind: "agent", id: "planner" } });
    send(started, { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "add" });
    send({ type: "TOOL_CALL_ARGS", toolCallId: "c", delta: '{"list":"todo","title":"Wr' }, "no event", null);
    await until("the card", () => titles()?.length === 3);
    expect(intentsOf(page.thread).getState().intents[0]).toMatchObject({ runId: "run_1", actor: { id: "planner" } });
    send({ type: "TOOL_CALL_RESULT", toolCallId: "c", content: "It failed" });
    await until("its end", () => titles()?.length === 2);
    end();
    await followed;
  });

  it("may come in chunks", async () => {
    const { read, send, end } = stream();
    const followed = followRun(page.thread, read());
    send(started, { type: "TOOL_CALL_CHUNK", toolCallId: "c", toolCallName: "add", delta: '{"list":"to' });
    send({ type: "TOOL_CALL_CHUNK", delta: 'do","title":"Wr' });
    await until("the card", () => titles()?.at(-1) === "Wr");
    end();
    await followed;
  });

  it("leave nothing when the run ends, or its stream breaks off, in the middle of a call", async () => {
    for (const last of [{ type: "RUN_ERROR", message: "gone" }, new Error("cut")]) {
      async function* broken(): AsyncGenerator<unknown, void> {
        yield started;
        yield { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "add" };
        yield { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: '{"list":"todo","title":"Wr' };
        expect(titles()).toEqual(["Plan", "Sing", "Wr"]);
        if (last instanceof Error) throw last;
        yield last;
      }
      await followRun(page.thread, broken()).catch((error: unknown) => expect(error).toBe(last));
      expect(titles()).toEqual(["Plan", "Sing"]);
    }
  });

  it("show a tool that is announced by PredictState as the operation that writes that member", async () => {
    const said = () => intentsOf(page.thread).getState().view.motto;
    const { read, send, end } = stream();
    const followed = followRun(page.thread, read());
    const prediction = { state_key: "motto", tool: "write_motto", tool_argument: "text" };
    send(started, { type: "CUSTOM", name: "PredictState", value: [prediction, null, { tool: "x" }] });
    send({ type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "write_motto" });
    send({ type: "TOOL_CALL_ARGS", toolCallId: "c", delta: '{"tone":"motto","text":"Less' });
    await until("the beginning", () => said() === "Less");
    send({ type: "TOOL_CALL_ARGS", toolCallId: "c", delta: ' is more","motto":"never"}' });
    await until("the rest", () => said() === "Less is more");
    expect(intentsOf(page.thread).getState().intents[0]).toMatchObject({ type: "say", status: "waiting" });
    await page.submit(desk.op.say({ motto: "Less is more" }), { toolCallId: "c", runId: "run_1" });
    await until("its commit", () => intentsOf(page.thread).getState().intents.length === 0);
    expect(page.thread.getState().motto).toBe("Less is more");
    end();
    await followed;
  });

  it("show nothing of a predicted member that no operation writes, or that several do", async () => {
    const { read, send, end } = stream();
    const followed = followRun(page.thread, read());
    const predict = (...keys: string[]) => keys.map((key) => ({ state_key: key, tool: "guess", tool_argument: key }));
    for (const [index, keys] of [["lists"], ["card", "title"], ["motto"]].entries()) {
      const toolCallId = `c${index}`;
      send(started, { type: "CUSTOM", name: "PredictState", value: predict(...keys) });
      send({ type: "TOOL_CALL_START", toolCallId, toolCallName: "guess" });
      send({ type: "TOOL_CALL_ARGS", toolCallId, delta: '{"lists":[],"card":"T-4","title":"X","motto":"Y"}' });
    }
    await until("the last", () => intentsOf(page.thread).getState().intents.length > 0);
    expect(intentsOf(page.thread).getState().intents).toMatchObject([{ id: "c2", type: "say" }]);
    end();
    await followed;
  });

  it("know an operation by another name of its tool", async () => {
    async function* renamed(): AsyncGenerator<unknown, void> {
      yield started;
      yield { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "desk_add" };
      yield { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: '{"list":"todo","title":"Wr' };
      expect(titles()).toEqual(["Plan", "Sing", "Wr"]);
    }
    await followRun(page.thread, renamed(), { operationOf: (tool) => tool.replace("desk_", "") });
  });
});
