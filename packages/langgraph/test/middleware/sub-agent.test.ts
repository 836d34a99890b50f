// A sub-agent that is called again reads what others changed since its last call.

import { MemorySaver, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { operationTools, opstateMiddleware, snapshotField } from "@opstate/langgraph";
import { createAgent, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada } from "../support/board.ts";
import { list, openList, type List } from "../support/guarded.ts";
import { shown } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";
import { Team } from "../support/teams.ts";

type Model = ReturnType<typeof fakeModel>;
const worker = { kind: "agent", id: "worker" };
const at = (thread_id: string) => ({ configurable: { thread_id } });

function subAgent(thread: List, model: Model, options: { readonly checkpointer?: true } = {}) {
  return createAgent({
    model,
    tools: operationTools(list, { thread, actor: worker, approval: "propose" }),
    middleware: [opstateMiddleware(list, { thread, field: "list", actor: worker })],
    ...options,
  });
}

/** A main agent with the sub-agent as its tool; it calls it once in each run. */
function supervisor(agent: ReturnType<typeof subAgent>, runs: number) {
  const delegate = tool(
    async ({ task }: { task: string }) => (await agent.invoke({ messages: task })).messages.at(-1)!.text,
    { name: "delegate", description: "Delegate", schema: z.object({ task: z.string() }) },
  );
  const model = fakeModel();
  for (let run = 0; run < runs; run++) model.respond(call(["delegate", { task: "work" }])).respond(say("ok"));
  return createAgent({ model, tools: [delegate], checkpointer: new MemorySaver() });
}

const changesIn = (model: Model, at: number) =>
  /<list-changes>([^]*)<\/list-changes>/.exec(shown(model.calls[at]!.messages));

function talker(answers: number): Model {
  const model = fakeModel();
  for (let answer = 0; answer < answers; answer++) model.respond(say("did it"));
  return model;
}

describe.each([
  ["without checkpoints of its own", {}],
  ["with checkpoints of its own", { checkpointer: true }],
] as const)("a sub-agent in a tool, %s", (_name, options) => {
  it("reads what changed since its own last call, once, and apart for each conversation", async () => {
    const thread = await openList();
    const model = talker(4);
    const main = supervisor(subAgent(thread, model, options), 4);
    await main.invoke({ messages: "go" }, at("one"));
    expect(changesIn(model, 0)).toBeNull();
    await thread.dispatch(list.op.rename({ id: "A", title: "by Ada" }), { actor: ada });
    await main.invoke({ messages: "again" }, at("one"));
    expect(changesIn(model, 1)?.[1]).toContain("by Ada");
    await main.invoke({ messages: "again" }, at("one"));
    expect(changesIn(model, 2)).toBeNull();
    await main.invoke({ messages: "go" }, at("two"));
    expect(changesIn(model, 3)).toBeNull();
  });
});

it("a sub-agent as a node reads it, too", async () => {
  const thread = await openList();
  const model = talker(2);
  const graph = new StateGraph(Team)
    .addNode("worker", subAgent(thread, model).graph as never)
    .addEdge(START, "worker")
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ messages: "go" }, at("one"));
  await thread.dispatch(list.op.rename({ id: "A", title: "by Ada" }), { actor: ada });
  await graph.invoke({ messages: "again" }, at("one"));
  expect(changesIn(model, 1)?.[1]).toContain("by Ada");
});

it("reads again what its model never answered to", async () => {
  const thread = await openList();
  const model = fakeModel().respond(say("one")).respond(new Error("overloaded")).respond(say("two"));
  const main = supervisor(subAgent(thread, model), 3);
  await main.invoke({ messages: "go" }, at("one"));
  await thread.dispatch(list.op.rename({ id: "A", title: "by Ada" }), { actor: ada });
  await main.invoke({ messages: "again" }, at("one")).catch(() => undefined);
  await main.invoke({ messages: "again" }, at("one")).catch(() => undefined);
  expect(changesIn(model, 2)?.[1]).toContain("by Ada");
});

it("in a tool it reads it without a `thread_id`, too, within one run", async () => {
  const thread = await openList();
  const model = talker(3);
  const agent = subAgent(thread, model);
  let asked = 0;
  const delegate = tool(
    async () => {
      if (++asked > 1) await thread.dispatch(list.op.rename({ id: "A", title: `by Ada ${asked}` }), { actor: ada });
      return (await agent.invoke({ messages: "work" })).messages.at(-1)!.text;
    },
    { name: "delegate", description: "Delegate", schema: z.object({}) },
  );
  const run = async (calls: number) => {
    const script = fakeModel();
    for (let at = 0; at < calls; at++) script.respond(call(["delegate", {}]));
    await createAgent({ model: script.respond(say("ok")), tools: [delegate] }).invoke({ messages: "go" });
  };
  await run(2);
  expect(changesIn(model, 0)).toBeNull();
  expect(changesIn(model, 1)?.[1]).toContain("by Ada 2");
  // Another run is another conversation.
  await run(1);
  expect(changesIn(model, 2)).toBeNull();
});

it("reads nothing of it where no conversation says that it was called before", async () => {
  const thread = await openList();
  const model = talker(2);
  const agent = subAgent(thread, model);
  await agent.invoke({ messages: "go" });
  await thread.dispatch(list.op.rename({ id: "A", title: "by Ada" }), { actor: ada });
  await agent.invoke({ messages: "go" });
  expect(changesIn(model, 1)).toBeNull();
});

it("as a node it reads without a `thread_id`, too, what changed since the graph around it had the state", async () => {
  const thread = await openList();
  await thread.dispatch(list.op.rename({ id: "B", title: "before" }), { actor: ada });
  const model = talker(2);
  const Outer = new StateSchema({ messages: MessagesValue, list: snapshotField(list) });
  const graph = new StateGraph(Outer)
    .addNode("first", subAgent(thread, model).graph as never)
    .addNode("between", () =>
      thread.dispatch(list.op.rename({ id: "A", title: "by Ada" }), { actor: ada }).then(() => ({})),
    )
    .addNode("second", subAgent(thread, model).graph as never)
    .addEdge(START, "first")
    .addEdge("first", "between")
    .addEdge("between", "second")
    .compile();
  await graph.invoke({ messages: "go" });
  expect(changesIn(model, 0)).toBeNull();
  expect(changesIn(model, 1)?.[1]).toContain("by Ada");
  expect(changesIn(model, 1)?.[1]).not.toContain("before");
});
