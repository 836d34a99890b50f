// A process of its own, with graphs whose subgraphs clear a field and then wait for an answer:
//
//   clears-and-waits.ts <file> start     until they wait
//   clears-and-waits.ts <file> resume    until they end
//
// It sends the field `summary` of each graph, by the name of its form.

import { Command, interrupt, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { replace } from "@opstate/core";
import { createAgent, fakeModel, tool } from "langchain";
import * as z from "zod";
import { agentStateSchema, clear } from "../../src/index.ts";
import { call, say } from "./talk.ts";

const [file = "", mode = ""] = process.argv.slice(2);
const checkpointer = SqliteSaver.fromConnString(file);
const Schema = agentStateSchema({ summary: replace(z.string()), note: replace("") });

type Compiled = ReturnType<ReturnType<typeof around>["compile"]>;

/** Writes one after another, and then waits. After the answer it writes `last`. */
function child(writes: readonly unknown[], last: object = {}) {
  const graph = new StateGraph(Schema) as unknown as {
    addNode(name: string, node: () => unknown): void;
    addEdge(from: string, to: string): void;
    compile(options?: { readonly checkpointer?: true }): Compiled;
  };
  const nodes = writes.map((update) => () => ({ summary: update }));
  [...nodes, () => (interrupt("go on?"), last)].forEach((node, index) => {
    graph.addNode(`node${index}`, node);
    graph.addEdge(index === 0 ? START : `node${index - 1}`, `node${index}`);
  });
  return graph;
}

function around(node: unknown) {
  return new StateGraph(Schema)
    .addNode("child", node as (state: typeof Schema.State) => typeof Schema.Update)
    .addEdge(START, "child");
}

function team() {
  const clearIt = tool(() => new Command({ update: { summary: clear() } }), {
    name: "clear",
    description: "Clear",
    schema: z.object({}),
  });
  const ask = tool(() => String(interrupt("go on?")), { name: "ask", description: "Ask", schema: z.object({}) });
  const model = fakeModel();
  if (mode === "start") model.respond(call(["clear", {}])).respond(call(["ask", {}]));
  model.respond(say("done"));
  const agent = createAgent({ model, tools: [clearIt, ask], stateSchema: Schema });
  return new StateGraph(new StateSchema({ messages: MessagesValue, ...Schema.fields }))
    .addNode("author", agent.graph as never)
    .addEdge(START, "author");
}

const called = (inner: Compiled, result?: object) =>
  around(async (state: typeof Schema.State) => {
    const given = await inner.invoke(state);
    return result ?? given;
  });

const makeForms = () => ({
  "as a node": around(child([clear()]).compile()),
  "called by a node": called(child([clear()]).compile()),
  "two graphs deep": around(around(child([clear()]).compile()).compile()),
  "with checkpoints of its own": around(child([clear()]).compile({ checkpointer: true })),
  "as an agent": team(),
  "before it set the field again": called(child([clear(), "new"]).compile(), { summary: null }),
  "before it sets the field again": called(child([clear()], { summary: "new" }).compile(), { summary: null }),
  "given nothing": around(() => child([undefined], { note: "x" }).compile().invoke({})),
});

const summaries: Record<string, unknown> = {};
for (const durability of ["async", "exit"] as const)
  for (const [name, form] of Object.entries(makeForms())) {
    const graph = (form as ReturnType<typeof around>).compile({ checkpointer });
    const input = mode === "start" ? { summary: "done", messages: "go" } : new Command({ resume: "yes" });
    const config = { configurable: { thread_id: `${name} ${durability}` }, durability };
    const result = await graph.invoke(input as never, config);
    summaries[`${name}, ${durability}`] = "__interrupt__" in result ? "waits" : result.summary;
  }
process.send?.(summaries);
