// A way back to null. The first tests show why null itself is none: what LangGraph and LangChain
// write on their own.

import { AIMessage } from "@langchain/core/messages";
import {
  Command,
  interrupt,
  MemorySaver,
  MessagesValue,
  ReducedValue,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { defined, replace } from "@opstate/core";
import { agentStateSchema, clear } from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };
const summary = replace(z.string());
const Schema = agentStateSchema({ summary });
const idle = createMiddleware({ name: "idle", beforeModel: () => ({}), afterAgent: () => ({}) });

/** A field that accepts every write, and a list of the writes. */
function recording() {
  const writes: (readonly [current: unknown, update: unknown])[] = [];
  const field = new ReducedValue(z.string().nullable().default(null), {
    inputSchema: z.string().nullable(),
    reducer(current, update) {
      writes.push([current, update]);
      return update;
    },
  });
  return { writes, field };
}

function agentWriting(stateSchema: unknown, update: unknown, checkpointer?: MemorySaver) {
  const write = tool(() => new Command({ update: update as Record<string, unknown> }), {
    name: "write",
    description: "Write",
    schema: z.object({}),
  });
  return createAgent({
    model: fakeModel()
      .respond(call(["write", {}]))
      .respond(say("done"))
      .respond(say("hello")),
    tools: [write],
    stateSchema: stateSchema as typeof Schema,
    middleware: [idle],
    ...defined({ checkpointer }),
  });
}

/** Two agents at once, of which one writes. */
function teamOf(stateSchema: unknown, fields: object, update: unknown) {
  const Team = new StateSchema({ messages: MessagesValue, ...fields });
  const quiet = createAgent({
    model: fakeModel().respond(say("I wrote nothing")),
    tools: [],
    stateSchema: stateSchema as typeof Schema,
    middleware: [idle],
  });
  return new StateGraph(Team)
    .addNode("author", agentWriting(stateSchema, update).graph as never)
    .addNode("quiet", quiet.graph as never)
    .addEdge(START, "author")
    .addEdge(START, "quiet")
    .compile();
}

describe("what LangChain writes on its own", () => {
  it("is null from an agent that never touched the field, over what an agent beside it wrote", async () => {
    const { writes, field } = recording();
    const Plain = new StateSchema({ messages: MessagesValue, summary: field });
    const result = await teamOf(Plain, { summary: field }, { summary: "done" }).invoke({ messages: "go" });
    // So the last writer's null wins, where null is a value.
    expect(writes).toContainEqual(["done", null]);
    expect(result).toMatchObject({ summary: null });
  });

  it("is the whole state, as the input of an agent's next run", async () => {
    const { writes, field } = recording();
    const agent = agentWriting(
      new StateSchema({ messages: MessagesValue, summary: field }),
      { summary: "done" },
      new MemorySaver(),
    );
    await agent.invoke({ messages: "go" }, config);
    const before = writes.length;
    await agent.invoke({ messages: "again" }, config);
    expect(writes.slice(before)).toContainEqual(["done", "done"]);
  });
});

describe("clear()", () => {
  const graph = (update: unknown, checkpointer: MemorySaver | SqliteSaver = new MemorySaver()) =>
    new StateGraph(Schema)
      .addNode("writer", () => ({ summary: update as never }))
      .addEdge(START, "writer")
      .compile({ checkpointer });

  it("sets a field to null, which null does not", async () => {
    expect(await graph(null).invoke({ summary: "done" }, config)).toEqual({ summary: "done" });
    expect(await graph(clear()).invoke({ summary: "done" }, config)).toEqual({ summary: null });
  });

  it("does so as input, as JSON of a client, and as a state update", async () => {
    const idle = graph(undefined);
    await idle.invoke({ summary: "done" }, config);
    expect(await idle.invoke({ summary: JSON.parse(JSON.stringify(clear())) }, config)).toEqual({ summary: null });
    await idle.invoke({ summary: "again" }, config);
    await idle.updateState(config, { summary: clear() }, "writer");
    expect((await idle.getState(config)).values).toEqual({ summary: null });
  });

  it("lasts in an agent whose middleware sends the whole state back", async () => {
    const agent = agentWriting(Schema, { summary: clear() }, new MemorySaver());
    const { summary: cleared } = await agent.invoke({ messages: "go", summary: "done" }, config);
    expect(cleared).toBeNull();
    expect((await agent.invoke({ messages: "again" }, config)).summary).toBeNull();
    expect((await agent.graph.getState(config)).values).toMatchObject({ summary: null });
  });

  it("leaves what an agent beside it wrote, though the other's whole state has null", async () => {
    const result = await teamOf(Schema, Schema.fields, { summary: "done" }).invoke({ messages: "go" });
    expect(result).toMatchObject({ summary: "done" });
  });

  describe("in a subgraph", () => {
    type Node = (state: typeof Schema.State) => Promise<typeof Schema.Update> | typeof Schema.Update;
    const child = (...updates: readonly unknown[]) => {
      const names = updates.map((_, index) => `writer${index}`);
      const made = new StateGraph(Schema) as unknown as {
        addNode(name: string, node: unknown): void;
        addEdge(from: string, to: string): void;
        compile(options?: object): Node;
      };
      updates.forEach((update, index) => made.addNode(names[index]!, () => ({ summary: update })));
      [START, ...names.slice(0, -1)].forEach((from, index) => made.addEdge(from, names[index]!));
      return made;
    };
    const around = (node: unknown) =>
      new StateGraph(Schema)
        .addNode("child", node as Node)
        .addEdge(START, "child")
        .compile();
    const cleared = { summary: null };

    it("clears the field of the graph around it: as a node, called by a node, two graphs deep, as an agent", async () => {
      const inner = child(clear()).compile() as unknown as ReturnType<typeof around>;
      expect(await around(inner).invoke({ summary: "done" })).toEqual(cleared);
      expect(await around((state: typeof Schema.State) => inner.invoke(state)).invoke({ summary: "done" })).toEqual(
        cleared,
      );
      expect(await around(around(inner)).invoke({ summary: "done" })).toEqual(cleared);
      const team = new StateGraph(new StateSchema({ messages: MessagesValue, ...Schema.fields }))
        .addNode("author", agentWriting(Schema, { summary: clear() }).graph as never)
        .addEdge(START, "author")
        .compile();
      expect(await team.invoke({ messages: "go", summary: "done" })).toMatchObject(cleared);
    });

    it("does so with checkpoints of its own, in each run", async () => {
      const inner = child(clear()).compile({ checkpointer: true });
      const graph = new StateGraph(Schema)
        .addNode("child", inner)
        .addEdge(START, "child")
        .compile({ checkpointer: new MemorySaver() });
      expect(await graph.invoke({ summary: "done" }, config)).toEqual(cleared);
      expect(await graph.invoke({ summary: "again" }, config)).toEqual(cleared);
    });

    it("does nothing when it was not the last word there, or when another run's subgraph cleared it", async () => {
      expect(await around(child(clear(), "new").compile()).invoke({ summary: "done" })).toEqual({ summary: "new" });
      expect(await around(child("new", clear()).compile()).invoke({ summary: "done" })).toEqual(cleared);
      // A node that writes null, after a node whose subgraph cleared it.
      const graph = new StateGraph(Schema)
        .addNode("child", child(clear()).compile())
        .addNode("set", () => ({ summary: "set" }))
        .addNode("null", () => ({ summary: null }))
        .addEdge(START, "child")
        .addEdge("child", "set")
        .addEdge("set", "null")
        .compile();
      expect(await graph.invoke({ summary: "done" })).toEqual({ summary: "set" });
    });

    it("keeps what a subgraph that was given nothing returns as null from clearing anything", async () => {
      const Given = agentStateSchema({ summary: replace(z.string()), other: replace("") });
      const blind = new StateGraph(Given)
        .addNode("writer", () => ({ other: "x" }))
        .addEdge(START, "writer")
        .compile();
      const graph = new StateGraph(Given)
        .addNode("child", () => blind.invoke({}))
        .addEdge(START, "child")
        .compile();
      expect(await graph.invoke({ summary: "done" })).toEqual({ summary: "done", other: "x" });
    });
  });

  it("waits in a checkpoint as a pending write", async () => {
    const saver = SqliteSaver.fromConnString(":memory:");
    const pending = new StateGraph(Schema)
      .addNode("amy", () => ({ summary: clear() }))
      .addNode("zed", () => {
        interrupt("go on?");
        return {};
      })
      .addEdge(START, "amy")
      .addEdge(START, "zed")
      .compile({ checkpointer: saver });
    await pending.invoke({ summary: "done" }, config);
    expect(await pending.invoke(new Command({ resume: true }), config)).toEqual({ summary: null });
    expect((await pending.getState(config)).values).toEqual({ summary: null });
  });

  it("clears a field that contains a message", async () => {
    const Answer = agentStateSchema({ answer: replace(z.custom<AIMessage>()) });
    const { reducer } = Answer.fields.answer;
    const answer = reducer(null, new AIMessage("Hi"));
    expect(answer).toBeInstanceOf(AIMessage);
    expect(reducer(answer, clear() as never)).toBeNull();
  });
});
