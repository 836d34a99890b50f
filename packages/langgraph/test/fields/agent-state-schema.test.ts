import { AIMessage, HumanMessage, RemoveMessage, ToolMessage } from "@langchain/core/messages";
import { Command, END, MemorySaver, Overwrite, REMOVE_ALL_MESSAGES, START, StateGraph } from "@langchain/langgraph";
import { toolsCondition, ToolNode } from "@langchain/langgraph/prebuilt";
import { append, counter, defineAgentState, immutable, messages, oneOf, replace } from "@opstate/core";
import type { AgentFields } from "@opstate/core/definition";
import { fieldsFromDeclaration } from "@opstate/core/declaration";
import { agentStateSchema, type AgentStateSchema } from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { board, sample } from "../support/board.ts";
import { call, say } from "../support/talk.ts";

const everything = defineAgentState({
  messages: messages(),
  round: counter(),
  notes: append(z.string()),
  plan: replace(z.object({ steps: z.array(z.string()) }), { steps: [] }),
  topic: immutable(""),
  status: oneOf(["running", "completed", "error"]),
  board,
});
const Schema = agentStateSchema(everything);
const config = { configurable: { thread_id: "t" } };

/** Each node writes the next of `writes`, then the graph ends. */
function graphOf(schema: unknown, ...writes: readonly unknown[]) {
  const left = [...writes];
  return new StateGraph(schema as AgentStateSchema<AgentFields>)
    .addNode("writer", () => left.shift() as never)
    .addEdge(START, "writer")
    .addConditionalEdges("writer", () => (left.length > 0 ? "writer" : END))
    .compile({ checkpointer: new MemorySaver() });
}

describe("agentStateSchema", () => {
  it("starts with the fields' initial values, those of the state too", async () => {
    const started = agentStateSchema(
      defineAgentState({ topic: immutable(""), round: counter(2), board }, { initial: { topic: "tabs" } }),
    );
    expect((await graphOf(started, { round: 1 }).invoke({}, config)) as unknown).toEqual({
      topic: "tabs",
      round: 3,
      board: null,
    });
  });

  it("folds partial updates, each field by its own rule", async () => {
    const graph = graphOf(
      Schema,
      {
        messages: "Hello",
        round: 1,
        notes: "a",
        plan: { steps: ["look"] },
        topic: "tabs",
        status: "running",
        board: sample,
      },
      { round: 2, notes: ["b", "c"], topic: "spaces", status: "paused", board: board.op.remove({ cardId: "T-1" }) },
      {
        round: 0.5,
        notes: ["d", 7],
        plan: { steps: "leap" },
        status: "completed",
        board: { type: "remove", cardId: "T-1" },
      },
    );
    const state = await graph.invoke({}, config);
    expect(state).toMatchObject({
      round: 3,
      notes: ["a", "b", "c"],
      plan: { steps: ["look"] },
      topic: "tabs",
      status: "completed",
    });
    expect((state as unknown as typeof Schema.State).board?.columns.map((column) => column.cardCount)).toEqual([2, 0]);
  });

  it("counts and appends what equals the present value, from a node and as input", async () => {
    const graph = graphOf(Schema, { round: 1, notes: ["x"] }, { round: 1, notes: ["x"] });
    expect(await graph.invoke({ round: 1, notes: ["x"] } as never, config)).toMatchObject({
      round: 3,
      notes: ["x", "x", "x"],
    });
    const again = graphOf(Schema, {});
    await again.invoke({ round: 1, notes: ["x"] } as never, config);
    expect(await again.invoke({ round: 1, notes: ["x"] } as never, config)).toMatchObject({
      round: 2,
      notes: ["x", "x"],
    });
  });

  it("ignores a state that a node read and returns, though another node wrote meanwhile", async () => {
    const graph = new StateGraph(Schema)
      .addNode("zed", (state) => ({ ...state, round: undefined }))
      .addNode("amy", () => ({ notes: "b" }))
      .addEdge(START, "zed")
      .addEdge(START, "amy")
      .compile();
    const said = await graph.invoke({ messages: ["Hello"], notes: ["x"], plan: { steps: ["look"] }, board: sample });
    expect(said).toMatchObject({ notes: ["x", "b"], plan: { steps: ["look"] } });
    expect(said.messages).toHaveLength(1);
  });

  it("ignores an overwrite, also from a subgraph's command to its parent and in the channel itself", async () => {
    const child = new StateGraph(Schema)
      .addNode(
        "escape",
        () =>
          new Command({ graph: Command.PARENT, update: { round: new Overwrite(99), notes: { __overwrite__: ["x"] } } }),
      )
      .addEdge(START, "escape")
      .compile();
    const graph = new StateGraph(Schema)
      .addNode("child", child)
      .addEdge(START, "child")
      .compile({ checkpointer: new MemorySaver() });
    expect(await graph.invoke({ round: 1, notes: "a" }, config)).toMatchObject({ round: 1, notes: ["a"] });
    // A field without a schema would use the very object as its value.
    const { anything } = agentStateSchema({ anything: replace() }).getChannels();
    expect(anything?.update([1, { __overwrite__: 99 }, new Overwrite(98), { type: "__overwrite__", value: 97 }])).toBe(
      true,
    );
    expect(anything?.get()).toBe(1);
  });

  it("folds parallel writes one after the other", async () => {
    const graph = new StateGraph(Schema)
      .addNode("zed", () => ({ notes: "z", round: 1, messages: new AIMessage({ id: "z", content: "z" }) }))
      .addNode("amy", () => ({ notes: "a", round: 1, messages: new AIMessage({ id: "a", content: "a" }) }))
      .addEdge(START, "zed")
      .addEdge(START, "amy")
      .compile();
    const state = await graph.invoke({});
    expect(state).toMatchObject({ notes: ["a", "z"], round: 2 });
    expect(state.messages.map(({ id }) => id)).toEqual(["a", "z"]);
  });

  it("runs as a subgraph, and accepts commands and state updates", async () => {
    const inner = new StateGraph(Schema)
      .addNode("in", (state) => ({ plan: { steps: [...state.plan.steps, "in"] }, status: "completed" as const }))
      .addEdge(START, "in")
      .compile();
    const graph = new StateGraph(
      agentStateSchema({ plan: everything.fields.plan, status: everything.fields.status, round: counter() }),
    )
      .addNode("inner", inner)
      .addNode("jump", () => new Command({ update: { round: 1 }, goto: END }), { ends: [END] })
      .addEdge(START, "inner")
      .addEdge("inner", "jump")
      .compile({ checkpointer: new MemorySaver() });
    expect(await graph.invoke({}, config)).toEqual({ plan: { steps: ["in"] }, status: "completed", round: 1 });
    await graph.updateState(config, { round: 1 }, "jump");
    expect((await graph.getState(config)).values).toMatchObject({ round: 2 });
  });
});

describe("messages of an agentStateSchema", () => {
  const Chat = agentStateSchema({ messages: messages() });

  it("contain LangChain's classes, made from whatever is sent", async () => {
    const graph = graphOf(
      Chat,
      { messages: { role: "assistant", content: "Hi", id: "2" } },
      {
        messages: [
          ["user", "And?"],
          new AIMessage({ id: "4", content: "", tool_calls: [{ id: "c", name: "add", args: { a: 1 } }] }),
        ],
      },
      { messages: { type: "tool", content: "3", tool_call_id: "c", id: "5" } },
    );
    const { messages: said } = (await graph.invoke(
      { messages: "Hello" } as never,
      config,
    )) as unknown as typeof Chat.State;
    expect(said.map((message) => message.constructor)).toEqual([
      HumanMessage,
      AIMessage,
      HumanMessage,
      AIMessage,
      ToolMessage,
    ]);
    expect(said.map(({ text }) => text)).toEqual(["Hello", "Hi", "And?", "", "3"]);
    expect(said.every(({ id }) => typeof id === "string")).toBe(true);
    const { messages: stored } = (await graph.getState(config)).values as typeof Chat.State;
    expect(stored.map((message) => message.toDict())).toEqual(said.map((message) => message.toDict()));
  });

  it("replace by id, in place, remove, and remove all", async () => {
    const graph = graphOf(
      Chat,
      { messages: [new AIMessage({ id: "1", content: "one" }), new AIMessage({ id: "2", content: "two" })] },
      { messages: new AIMessage({ id: "1", content: "uno" }) },
      { messages: new RemoveMessage({ id: "2" }) },
      { messages: [new RemoveMessage({ id: "nobody" })] },
    );
    const { messages: said } = (await graph.invoke({}, config)) as unknown as typeof Chat.State;
    expect(said.map(({ id, text }) => [id, text])).toEqual([["1", "uno"]]);
    const after = (await graph.invoke(
      {
        messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), new HumanMessage({ id: "9", content: "anew" })],
      } as never,
      config,
    )) as unknown as typeof Chat.State;
    expect(after.messages.map(({ id }) => id)).toEqual(["9"]);
  });

  it("stay the same objects while nothing happens to them, and so does the list when nothing changes", () => {
    const { reducer } = Chat.fields.messages;
    const one = reducer([], "Hello");
    const two = reducer(one, new AIMessage({ id: "2", content: "Hi" }));
    expect(two[0]).toBe(one[0]);
    expect(reducer(two, two[1])).toBe(two);
    expect(reducer(two, [{ type: "remove", id: "nobody" }])).toBe(two);
    expect(reducer(two, new AIMessage({ id: "2", content: "Hey" }))[0]).toBe(one[0]);
  });

  it("drive a tool node and a model", async () => {
    const add = tool(({ a, b }) => String(a + b), {
      name: "add",
      description: "Add",
      schema: z.object({ a: z.number(), b: z.number() }),
    });
    const model = fakeModel()
      .respond(call(["add", { a: 1, b: 2 }]))
      .respond(say("3"));
    const graph = new StateGraph(Chat)
      .addNode("model", async (state) => ({ messages: await model.invoke(state.messages) }))
      .addNode("tools", new ToolNode([add]))
      .addEdge(START, "model")
      .addConditionalEdges("model", toolsCondition, ["tools", END])
      .addEdge("tools", "model")
      .compile({ checkpointer: new MemorySaver() });
    const { messages: said } = await graph.invoke({ messages: "1 + 2?" }, config);
    expect(said.map(({ type, text }) => [type, text])).toEqual([
      ["human", "1 + 2?"],
      ["ai", ""],
      ["tool", "3"],
      ["ai", "3"],
    ]);
  });
});

describe("declared fields in a compiled graph", () => {
  const declared = agentStateSchema(
    fieldsFromDeclaration(`
state:
  - { name: messages, type: list }
  - { name: sources, type: list, reducer: append }
  - { name: ranking, type: list, reducer: replace }
  - { name: steps, type: list }
  - { name: title, reducer: append }
  - { name: rounds, type: int, default: 3, reducer: append }
  - { name: options, type: dict, reducer: append }
`),
  );

  it("appends messages, replaces other lists, and reads the setting of lists only", async () => {
    const graph = graphOf(
      declared,
      {
        messages: [new HumanMessage({ id: "1", content: "a" })],
        sources: ["s1"],
        ranking: [1, 2],
        steps: ["x"],
        title: "one",
        rounds: 4,
      },
      {
        messages: { role: "assistant", content: "b", id: "2" },
        sources: ["s1", { n: 2 }],
        ranking: [3],
        steps: ["y"],
        title: "two",
        options: { a: 1 },
      },
      {
        messages: [new AIMessage({ id: "2", content: "c" }), new RemoveMessage({ id: "1" })],
        options: { b: 2 },
        rounds: "many",
      },
    );
    const { messages: said, ...state } = await graph.invoke({}, config);
    expect(state).toEqual({
      sources: ["s1", "s1", { n: 2 }],
      ranking: [3],
      steps: ["y"],
      title: "two",
      rounds: 4,
      options: { b: 2 },
    });
    expect(said).toEqual([expect.any(AIMessage)]);
    expect(said).toMatchObject([{ id: "2", content: "c" }]);
  });

  it("is read from under state and fields, as YAML and as data", async () => {
    const fields = [{ name: "messages", type: "list" }, { name: "title" }];
    const yaml = "state:\n  fields:\n    - { name: messages, type: list }\n    - { name: title }";
    for (const declaration of [yaml, JSON.stringify({ state: { fields } }), { name: "agent", state: { fields } }]) {
      const graph = graphOf(agentStateSchema(fieldsFromDeclaration(declaration)), { messages: "hi", title: "one" });
      expect(await graph.invoke({}, config)).toMatchObject({ messages: [expect.any(HumanMessage)], title: "one" });
    }
  });

  it("replaces messages when the declaration says so, in JSON too", async () => {
    const replaced = agentStateSchema(
      fieldsFromDeclaration('[{ "name": "messages", "type": "list", "reducer": "replace" }]'),
    );
    const graph = graphOf(
      replaced,
      { messages: [{ role: "user", content: "a" }] },
      { messages: [{ role: "user", content: "b" }] },
    );
    const { messages: said } = (await graph.invoke({}, config)) as { messages: unknown };
    expect(said).toEqual([expect.any(HumanMessage)]);
    expect(said).toMatchObject([{ content: "b" }]);
  });

  it("keeps messages and sources through createAgent with middleware", async () => {
    const agent = createAgent({
      model: fakeModel().respond(say("1")).respond(say("2")),
      tools: [],
      stateSchema: declared,
      middleware: [createMiddleware({ name: "idle", beforeModel: () => ({}) })],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke({ messages: [new HumanMessage("a")], sources: ["s"] } as never, config);
    const state = await agent.invoke({ messages: [new HumanMessage("b")] } as never, config);
    expect(state).toMatchObject({ sources: ["s"] });
    expect(state.messages.map(({ text }) => text)).toEqual(["a", "1", "b", "2"]);
  });
});

describe("agentStateSchema in createAgent", () => {
  const count = tool(() => new Command({ update: { round: 1, notes: ["x"] } }), {
    name: "count",
    description: "Count",
    schema: z.object({}),
  });
  const idle = createMiddleware({
    name: "idle",
    beforeModel: () => ({}),
    afterModel: () => ({}),
    afterAgent: () => ({}),
  });
  const again = (run: number) =>
    tool(() => new Command({ update: { round: run } }), { name: "add", description: "Add", schema: z.object({}) });

  function agentOf(model: ReturnType<typeof fakeModel>, tools: readonly ReturnType<typeof again>[] = [count as never]) {
    return createAgent({
      model,
      tools: [...tools],
      stateSchema: Schema,
      middleware: [idle],
      checkpointer: new MemorySaver(),
    });
  }
  const turn = () => call(["count", {}], ["count", {}]);

  it("doubles nothing, however often the state is sent back", async () => {
    const model = fakeModel();
    for (let run = 0; run < 3; run++) model.respond(turn()).respond(say("done"));
    const agent = agentOf(model);
    const seen: unknown[] = [];
    for (let run = 0; run < 3; run++) {
      const {
        round,
        notes,
        topic,
        board: cards,
      } = await agent.invoke({ messages: "go", ...(run === 0 ? { topic: "tabs", board: sample } : {}) }, config);
      seen.push({ round, notes: notes.length, topic, cards: cards?.columns[0]?.cards.length });
    }
    expect(seen).toEqual([
      { round: 2, notes: 2, topic: "tabs", cards: 3 },
      { round: 4, notes: 4, topic: "tabs", cards: 3 },
      { round: 6, notes: 6, topic: "tabs", cards: 3 },
    ]);
  });

  it("counts what a tool writes though it equals the present count, and input that differs", async () => {
    const agent = agentOf(
      fakeModel()
        .respond(call(["add", {}]))
        .respond(say("1"))
        .respond(say("2")),
      [again(5)],
    );
    expect((await agent.invoke({ messages: "go", round: 5 }, config)).round).toBe(10);
    expect((await agent.invoke({ messages: "go", round: 1, notes: ["y"] }, config)).round).toBe(11);
  });

  it("does not let input bypass a field", async () => {
    const agent = agentOf(fakeModel().respond(say("1")).respond(say("2")));
    await agent.invoke({ messages: "go", topic: "tabs", round: 1 }, config);
    const forged = {
      messages: "go",
      topic: { __overwrite__: "x" },
      round: { __overwrite__: 99 },
      notes: new Overwrite(["z"]),
    };
    expect(await agent.invoke(forged as never, config)).toMatchObject({ topic: "tabs", round: 1, notes: [] });
  });
});
