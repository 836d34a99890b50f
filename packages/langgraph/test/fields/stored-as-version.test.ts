// `{ checkpoint: "version" }`: the graph has the state, its checkpoints have the version.

import { Command, interrupt, MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { operationTools, opstateMiddleware, snapshotField, snapshotOf } from "@opstate/langgraph";
import { createAgent, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada, board, layout, openSample, sample } from "../support/board.ts";
import { shown } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };

/** Everything the saver has, as text. */
function stored(saver: MemorySaver): string {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (value instanceof Uint8Array) texts.push(new TextDecoder().decode(value));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  walk(saver.storage);
  walk(saver.writes);
  return texts.join("\n");
}

function agentOf(
  thread: Awaited<ReturnType<typeof openSample>>,
  model: ReturnType<typeof fakeModel>,
  checkpointer: MemorySaver,
) {
  const ask = tool(() => String(interrupt("sure?")), { name: "ask", description: "Ask", schema: z.object({}) });
  return createAgent({
    model,
    tools: [ask, ...operationTools(board, { thread })],
    middleware: [opstateMiddleware(board, { thread, field: "board", checkpoint: "version" })],
    checkpointer,
  });
}

describe("a version-only checkpoint", () => {
  it("stores no state, and every run has it", async () => {
    const thread = await openSample();
    const saver = new MemorySaver();
    const model = fakeModel()
      .respond(call(["rename", { cardId: "T-2", title: "short" }]))
      .respond(say("1"))
      .respond(say("2"));
    const agent = agentOf(thread, model, saver);
    const { board: field } = await agent.invoke({ messages: "go" }, config);
    expect(field).toEqual({ version: 2, state: thread.getState(), outcomes: {} });
    // The commit in the tool's message has the old title; the state has the others.
    expect(stored(saver)).not.toMatch(/Task T-[13]/);
    expect((await agent.graph.getState(config)).values["board"]).toEqual({ version: 2, state: null, outcomes: {} });
    await thread.dispatch(board.op.remove({ cardId: "T-1" }), { actor: ada });
    const again = await agentOf(thread, model, saver).invoke({ messages: "go on" }, config);
    expect(again.board).toEqual({ version: 3, state: thread.getState(), outcomes: {} });
    expect(stored(saver)).not.toContain("Task T-3");
    for (const { messages } of model.calls) expect(shown(messages)).toContain("Task T-3");
  });

  it("is the same number of bytes however large the state is", async () => {
    const texts: string[] = [];
    for (const count of [10, 1000, 4000]) {
      const thread = await openSample("t");
      const cards = Array.from({ length: count }, (_, index) => ({ cardId: `C-${index}`, title: `Card ${index}` }));
      await thread.dispatch(
        { type: "$replace", value: { columns: [{ columnId: "all", cards }] } },
        { actor: { kind: "system", id: "s" } },
      );
      const saver = new MemorySaver();
      await agentOf(thread, fakeModel().respond(say("same")), saver).invoke({ messages: "go" }, config);
      texts.push(stored(saver));
    }
    // Of a large state, the memory has beside that which version its snapshot shows.
    const base = /,"base":\{"threadId":"t","incarnation":"[^"]*","version":2,"focus":\["\/columns"\],"spent":0\}/g;
    expect(texts.map((text) => (text.match(base) ?? []).length > 0)).toEqual([false, true, true]);
    const [small, ...others] = texts.map((text) => text.replaceAll(base, "").length);
    expect(others).toEqual([small, small]);
  });

  it("is filled in again when an interrupted run is resumed by another process", async () => {
    const thread = await openSample();
    const saver = new MemorySaver();
    const model = fakeModel()
      .respond(call(["ask", {}]))
      .respond(say("done"));
    await agentOf(thread, model, saver).invoke({ messages: "go" }, config);
    const { board: field } = await agentOf(thread, model, saver).invoke(new Command({ resume: "yes" }), config);
    expect(field.state).toEqual(sample);
    expect(shown(model.calls[1]?.messages)).toContain("Task T-3");
  });

  it("shows the model the thread's state when the run broke off right before the call", async () => {
    const thread = await openSample();
    const saver = new MemorySaver();
    const model = fakeModel().respond(new Error("overloaded")).respond(say("done"));
    await expect(agentOf(thread, model, saver).invoke({ messages: "go" }, config)).rejects.toThrow("overloaded");
    await agentOf(thread, model, saver).invoke(null as never, config);
    expect(shown(model.calls[1]?.messages)).toContain("Task T-3");
  });

  it("is updated by the thread only", async () => {
    const thread = await openSample();
    const State = new StateSchema({ board: snapshotField(board, { checkpoint: "version" }) });
    const writes: unknown[] = [
      snapshotOf(thread, { checkpoint: "version" }),
      board.op.remove({ cardId: "T-1" }),
      sample,
    ];
    const graph = new StateGraph(State)
      .addNode("a", () => ({ board: writes[0] }) as never)
      .addNode("b", () => ({ board: writes[1] }) as never)
      .addNode("c", () => ({ board: writes[2] }) as never)
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", "c")
      .compile({ checkpointer: new MemorySaver() });
    const { board: field } = await graph.invoke({}, config);
    expect(layout(field.state)).toEqual({ todo: ["T-1", "T-2", "T-3"], done: [] });
    expect(field.version).toBe(1);
  });
});
