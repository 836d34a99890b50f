import { MemorySaver, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { queueRuns } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { describe, expect, it, vi } from "vitest";
import { say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };

function graphOf(before: () => unknown = () => undefined) {
  return new StateGraph(new StateSchema({ messages: MessagesValue }))
    .addNode("count", async (state) => (await before(), { messages: `${state.messages.length}` }))
    .addEdge(START, "count")
    .compile({ checkpointer: new MemorySaver() });
}

describe("queueRuns", () => {
  it("runs one after the other on one thread, in call order, and side by side on others", async () => {
    const begun: (() => void)[] = [];
    const runs = queueRuns(graphOf(() => new Promise<void>((resolve) => begun.push(resolve))));
    const results = ["a", "b", "c"].map((text) => runs.invoke({ messages: text }, config));
    const other = runs.invoke({ messages: "x" }, { configurable: { thread_id: "other" } });
    await vi.waitUntil(() => begun.length === 2);
    begun[0]?.();
    begun[1]?.();
    await Promise.any([results[0], other]);
    await vi.waitUntil(() => begun.length === 3);
    expect(begun).toHaveLength(3);
    begun[2]?.();
    await vi.waitUntil(() => begun.length === 4);
    begun[3]?.();
    const last = (await Promise.all(results)).at(-1);
    expect(last?.messages.map(({ text }) => text)).toEqual(["a", "1", "b", "3", "c", "5"]);
    expect((await other).messages).toHaveLength(2);
  });

  it("documents LangGraph: without it, messages of parallel runs are lost", async () => {
    const graph = graphOf();
    await Promise.all(["a", "b", "c"].map((text) => graph.invoke({ messages: text }, config)));
    expect((await graph.getState(config)).values["messages"].length).toBeLessThan(6);
  });

  it("goes on after a run that failed, was aborted while it waited, or is read no further", async () => {
    let fails = true;
    const runs = queueRuns(
      graphOf(() => {
        if (fails) throw new Error("boom");
      }),
    );
    const failed = runs.invoke({ messages: "a" }, config);
    const aborted = runs.invoke({ messages: "b" }, { ...config, signal: AbortSignal.abort(new Error("gone")) });
    await expect(failed).rejects.toThrow("boom");
    await expect(aborted).rejects.toThrow("gone");
    fails = false;
    for await (const _chunk of await runs.stream({ messages: "c" }, config)) break;
    const { messages } = await runs.invoke({ messages: "d" }, config);
    expect(messages.map(({ text }) => text)).not.toContain("b");
    expect(messages.at(-2)?.text).toBe("d");
  });

  it("accepts an agent, and starts runs without a thread id at once", async () => {
    const agent = queueRuns(createAgent({ model: fakeModel().respond(say("1")).respond(say("2")), tools: [] }));
    const [one, two] = await Promise.all([agent.invoke({ messages: "a" }), agent.invoke({ messages: "b" })]);
    expect([one.messages.length, two.messages.length]).toEqual([2, 2]);
  });
});
