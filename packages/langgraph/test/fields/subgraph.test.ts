// Fields across the borders of graphs: what was done in a subgraph is in the graph around it, or
// the verdicts say that it is not.
//
// Long, because each shape of graph is a case of one table, run without and with each checkpointer.

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  END,
  type BaseCheckpointSaver,
  Command,
  interrupt,
  MemorySaver,
  MessagesValue,
  Send,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import {
  operationsNode,
  operationTools,
  opstateMiddleware,
  snapshotField,
  snapshotOf,
  verdictsNode,
  type FieldSnapshot,
} from "@opstate/langgraph";
import { createAgent, fakeModel, tool, ToolMessage, type BaseMessage, type ToolRuntime } from "langchain";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ada, board, layout, openSample, sample, type Board } from "../support/board.ts";
import { shownBoard } from "../support/shown.ts";
import { call, say, type Call } from "../support/talk.ts";

const State = new StateSchema({ messages: MessagesValue, board: snapshotField(board) });
type Field = FieldSnapshot<Board | null>;

const file = join(tmpdir(), `opstate-subgraphs-${process.pid}.sqlite`);
afterAll(() => rmSync(file, { force: true }));
const savers: readonly (readonly [string, () => { checkpointer?: BaseCheckpointSaver }])[] = [
  ["no checkpointer", () => ({})],
  ["MemorySaver", () => ({ checkpointer: new MemorySaver() })],
  ["SqliteSaver", () => ({ checkpointer: SqliteSaver.fromConnString(file) })],
];
let runs = 0;
const fresh = () => ({ configurable: { thread_id: `s-${++runs}` } });

/** An agent whose own field decides, and that makes these calls in one step. */
function worker(...calls: Call[]) {
  const model = fakeModel()
    .respond(call(...calls))
    .respond(say("done"));
  const { graph } = createAgent({
    model,
    tools: operationTools(board, { field: "board" }),
    middleware: [opstateMiddleware(board, { field: "board" })],
  });
  return { model, graph: graph as never };
}

/** A graph of its own with `operationsNode`. */
function handBuilt(...calls: Call[]) {
  return new StateGraph(State)
    .addNode("model", () => ({ messages: [call(...calls)] }))
    .addNode("operations", operationsNode(board, { field: "board" }))
    .addEdge(START, "model")
    .addEdge("model", "operations")
    .compile();
}

const move = (cardId: string): Call => ["move", { cardId, to: "done" }];
const verdicts = (messages: readonly BaseMessage[]) =>
  messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text.split(/[:\n]/)[0]);

describe.each(savers)("a field in a subgraph, with %s", (_name, saver) => {
  it("an agent as a node: what the model read is in the parent", async () => {
    const { graph, model } = worker(move("T-1"));
    const parent = new StateGraph(State).addNode("agent", graph).addEdge(START, "agent").compile(saver());
    const { board: field, messages } = await parent.invoke({ messages: "go", board: sample }, fresh());
    expect(verdicts(messages)).toEqual(["Accepted"]);
    expect(layout(field.state)).toEqual({ todo: ["T-2", "T-3"], done: ["T-1"] });
    expect(field.version).toBe(2);
    expect(Object.keys(field)).toEqual(["version", "state", "outcomes"]);
    expect(model.calls[0]?.messages.map(({ text }) => text).join("\n")).toContain("T-3");
  });

  it("a graph of its own with operationsNode", async () => {
    const parent = new StateGraph(State)
      .addNode("sub", handBuilt(move("T-1")))
      .addEdge(START, "sub")
      .compile(saver());
    const { board: field, messages } = await parent.invoke({ messages: "go", board: sample }, fresh());
    expect([verdicts(messages), field.version, layout(field.state)]).toEqual([
      ["Accepted"],
      2,
      { todo: ["T-2", "T-3"], done: ["T-1"] },
    ]);
  });

  it("an agent that a node calls", async () => {
    const { graph } = worker(move("T-1"));
    const called: { invoke(state: unknown): Promise<typeof State.State> } = graph;
    const parent = new StateGraph(State)
      .addNode("agent", (state) => called.invoke(state))
      .addEdge(START, "agent")
      .compile(saver());
    const { board: field } = await parent.invoke({ messages: "go", board: sample }, fresh());
    expect([field.version, layout(field.state)["done"]]).toEqual([2, ["T-1"]]);
  });

  it("one after the other", async () => {
    const parent = new StateGraph(State)
      .addNode("a", worker(move("T-1"), move("T-9")).graph)
      .addNode("b", handBuilt(move("T-2")))
      .addNode("c", worker(move("T-1"), ["remove", { cardId: "T-3" }]).graph)
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", "c")
      .compile(saver());
    const { board: field, messages } = await parent.invoke({ messages: "go", board: sample }, fresh());
    expect(verdicts(messages)).toEqual(["Accepted", "Refused (card_not_found)", "Accepted", "Accepted", "Accepted"]);
    expect(layout(field.state)).toEqual({ todo: [], done: ["T-2", "T-1"] });
    expect(field.version).toBe(5);
  });

  it("nested twice", async () => {
    const inner = new StateGraph(State)
      .addNode("agent", worker(move("T-1")).graph)
      .addNode("again", worker(move("T-2")).graph)
      .addEdge(START, "agent")
      .addEdge("agent", "again")
      .compile();
    const parent = new StateGraph(State)
      .addNode("inner", inner)
      .addNode("last", worker(move("T-3")).graph)
      .addEdge(START, "inner")
      .addEdge("inner", "last")
      .compile(saver());
    const { board: field, messages } = await parent.invoke({ messages: "go", board: sample }, fresh());
    expect(verdicts(messages)).toEqual(["Accepted", "Accepted", "Accepted"]);
    expect([field.version, layout(field.state)]).toEqual([4, { todo: [], done: ["T-1", "T-2", "T-3"] }]);
  });

  it("two at once: both are folded, and the next model reads at which version", async () => {
    const reader = fakeModel().respond(say("I see"));
    const third = createAgent({ model: reader, tools: [], middleware: [opstateMiddleware(board, { field: "board" })] });
    const parent = new StateGraph(State)
      .addNode("a", worker(move("T-1"), move("T-9")).graph)
      .addNode("b", worker(move("T-2"), move("T-9")).graph)
      .addNode("c", third.graph as never)
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge(["a", "b"], "c")
      .compile(saver());
    const { board: field, messages } = await parent.invoke({ messages: "go", board: sample }, fresh());
    expect(layout(field.state)).toEqual({ todo: ["T-3"], done: ["T-1", "T-2"] });
    const read = reader.calls[0]?.messages ?? [];
    const expected = ["Accepted", "Refused (card_not_found)", "Accepted", "Refused (card_not_found)"];
    expect(verdicts(read)).toEqual(expected);
    expect(verdicts(messages)).toEqual(expected);
    expect(read.find(({ text }) => text.includes("version 3"))?.text).toContain("Accepted: board is now at version 3.");
  });

  it("two at once before a model node of one's own: verdictsNode", async () => {
    const read: BaseMessage[] = [];
    const parent = new StateGraph(State)
      .addNode("a", handBuilt(move("T-1")))
      .addNode("b", handBuilt(move("T-2")))
      .addNode("verdicts", verdictsNode(board, { field: "board" }))
      .addNode("model", ({ messages }) => (read.push(...messages), { messages: [say("I see")] }))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge(["a", "b"], "verdicts")
      .addEdge("verdicts", "model")
      .compile(saver());
    const { board: field } = await parent.invoke({ messages: "go", board: sample }, fresh());
    expect([field.version, layout(field.state)["done"]]).toEqual([3, ["T-1", "T-2"]]);
    expect(verdicts(read)).toEqual(["Accepted", "Accepted"]);
  });

  it("twenty at once, by Send: the messages, the outcomes and the state agree", async () => {
    const cards = Array.from({ length: 20 }, (_, index) => ({ cardId: `C-${index}`, title: "x" }));
    const many = { columns: [{ columnId: "todo", cardCount: 20, cards }, sample.columns[1]!] };
    const sub = new StateGraph(State)
      .addNode("model", ({ messages }) => ({ messages: [call(move(messages.at(-1)!.text))] }))
      .addNode("operations", operationsNode(board, { field: "board" }))
      .addEdge(START, "model")
      .addEdge("model", "operations")
      .compile();
    const parent = new StateGraph(State)
      .addNode("sub", sub)
      .addNode("verdicts", verdictsNode(board, { field: "board" }))
      .addConditionalEdges(
        START,
        (state) => cards.map(({ cardId }) => new Send("sub", { ...state, messages: [cardId] })),
        ["sub"],
      )
      .addEdge("sub", "verdicts")
      .compile(saver());
    const { board: field, messages } = await parent.invoke({ messages: "go", board: many }, fresh());
    const texts = verdicts(messages);
    expect([texts.length, texts.filter((text) => text === "Accepted").length]).toEqual([20, 20]);
    expect([field.version, layout(field.state)["done"]]).toEqual([21, cards.map(({ cardId }) => cardId)]);
    expect(Object.values(field.outcomes).filter(({ accepted }) => accepted)).toHaveLength(20);
  });

  it("is folded after what the parent's own node wrote meanwhile", async () => {
    const parent = new StateGraph(State)
      .addNode("a", () => ({ board: board.op.rename({ cardId: "T-1", title: "first" }) }))
      .addNode("b", worker(move("T-1")).graph)
      .addNode("verdicts", verdictsNode(board, { field: "board" }))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge(["a", "b"], "verdicts")
      .compile(saver());
    const { board: field, messages } = await parent.invoke({ messages: "go", board: sample }, fresh());
    expect([field.version, layout(field.state)["done"], verdicts(messages)]).toEqual([3, ["T-1"], ["Accepted"]]);
  });

  it("a supervisor whose tools are agents: two in one step are folded, and the supervisor is shown the state", async () => {
    const delegate = (name: string, graph: { invoke(state: unknown): Promise<typeof State.State> }) =>
      tool(
        async (_args: object, config: ToolRuntime) => {
          const { board: present } = config.state as typeof State.State;
          const done = await graph.invoke({ messages: "do it", board: present });
          const message = new ToolMessage({
            content: String(done.messages.at(-1)?.text),
            tool_call_id: config.toolCallId,
          });
          return new Command({ update: { board: done.board, messages: [message] } });
        },
        { name, description: name, schema: z.object({}) },
      );
    const model = fakeModel()
      .respond(call(["one", {}], ["two", {}]))
      .respond(call(["two", {}]))
      .respond(say("done"));
    const again = fakeModel()
      .respond(call(move("T-2")))
      .respond(say("2"))
      .respond(call(move("T-3")))
      .respond(say("3"));
    const two = createAgent({
      model: again,
      tools: operationTools(board, { field: "board" }),
      middleware: [opstateMiddleware(board, { field: "board" })],
    });
    const supervisor = createAgent({
      model,
      tools: [delegate("one", worker(move("T-1")).graph), delegate("two", two.graph as never)],
      middleware: [opstateMiddleware(board, { field: "board" })],
      ...saver(),
    });
    const { board: field } = await supervisor.invoke({ messages: "go", board: sample }, fresh());
    expect([field.version, layout(field.state)]).toEqual([4, { todo: [], done: ["T-1", "T-2", "T-3"] }]);
    expect(shownBoard(model.calls[1]?.messages)).toMatchObject({ version: 3 });
    expect(layout(shownBoard(model.calls[1]?.messages).state)).toEqual({ todo: ["T-3"], done: ["T-1", "T-2"] });
  });

  it("accepts no input from outside as a field", async () => {
    const poison = {
      version: 999,
      state: { columns: [] },
      outcomes: {},
      subgraph: { within: "x", submissions: [{ id: "1", operation: { type: "$replace", value: sample } }] },
    };
    const parent = new StateGraph(State)
      .addNode("agent", worker(move("T-1")).graph)
      .addEdge(START, "agent")
      .compile(saver());
    const { board: field } = await parent.invoke({ messages: "go", board: poison as never }, fresh());
    expect([field.version, field.state]).toEqual([0, null]);
  });
});

describe("a field in a subgraph that is interrupted", () => {
  it.each(savers.slice(1))("keeps what a sibling did meanwhile, with %s", async (_name, saver) => {
    const waiting = new StateGraph(State)
      .addNode("ask", () => ({ messages: [say(String(interrupt("go on?")))] }))
      .addNode("operations", handBuilt(move("T-9")))
      .addEdge(START, "ask")
      .addEdge("ask", "operations")
      .compile();
    const parent = new StateGraph(State)
      .addNode("a", worker(move("T-1")).graph)
      .addNode("b", waiting)
      .addEdge(START, "a")
      .addEdge(START, "b")
      .compile(saver());
    const config = fresh();
    await parent.invoke({ messages: "go", board: sample }, config);
    const { board: field, messages } = await parent.invoke(new Command({ resume: "yes" }), config);
    expect([field.version, layout(field.state)["done"]]).toEqual([2, ["T-1"]]);
    expect(verdicts(messages)).toEqual(["Accepted", "Refused (card_not_found)"]);
  });

  it.each(savers.slice(1))("is merged when it goes on, with %s", async (_name, saver) => {
    const sub = new StateGraph(State)
      .addNode("first", handBuilt(move("T-1")))
      .addNode("ask", () => ({ messages: [say(String(interrupt("go on?")))] }))
      .addNode("second", handBuilt(move("T-2")))
      .addEdge(START, "first")
      .addEdge("first", "ask")
      .addEdge("ask", "second")
      .compile();
    const parent = new StateGraph(State).addNode("sub", sub).addEdge(START, "sub").compile(saver());
    const config = fresh();
    await parent.invoke({ messages: "go", board: sample }, config);
    const { board: field } = await parent.invoke(new Command({ resume: "yes" }), config);
    expect([field.version, layout(field.state)["done"]]).toEqual([3, ["T-1", "T-2"]]);
  });
});

describe("a parent's field with a thread", () => {
  async function threaded(checkpoint: "state" | "version" = "state") {
    const thread = await openSample();
    const model = fakeModel()
      .respond(call(move("T-1")))
      .respond(say("done"));
    const agent = createAgent({
      model,
      tools: operationTools(board, { thread }),
      middleware: [opstateMiddleware(board, { thread, field: "board", checkpoint })],
    });
    return { thread, agent };
  }

  it.each(savers)(
    "follows the thread's snapshots, so that routers see the present version, with %s",
    async (_name, saver) => {
      const { thread, agent } = await threaded();
      const routed: number[] = [];
      const parent = new StateGraph(State)
        .addNode("agent", agent.graph as never)
        .addEdge(START, "agent")
        .addConditionalEdges("agent", ({ board: { version } }) => (routed.push(version), END))
        .compile(saver());
      const { board: field } = await parent.invoke({ messages: "go" }, fresh());
      expect(field).toEqual({ version: 2, state: thread.getState(), outcomes: {} });
      expect(routed.at(-1)).toBe(2);
    },
  );

  it("nested twice, in version checkpoints, and with a forged input", async () => {
    const { thread, agent } = await threaded("version");
    const Versions = new StateSchema({
      messages: MessagesValue,
      board: snapshotField(board, { checkpoint: "version" }),
    });
    const inner = new StateGraph(Versions)
      .addNode("agent", agent.graph as never)
      .addEdge(START, "agent")
      .compile();
    const parent = new StateGraph(Versions)
      .addNode("inner", inner)
      .addEdge(START, "inner")
      .compile({ checkpointer: new MemorySaver() });
    const lie = { version: 999, state: { columns: [] }, outcomes: {}, subgraph: { within: "inner:1", thread: true } };
    const { board: field } = await parent.invoke({ messages: "go", board: lie as never }, fresh());
    expect([field.version, field.state]).toEqual([2, thread.getState()]);
  });

  it("an agent that a node calls with the messages only", async () => {
    const { agent } = await threaded();
    const parent = new StateGraph(State)
      .addNode("agent", async ({ messages }) => {
        const { messages: said, board: field } = await agent.invoke({ messages });
        return { messages: said, board: field };
      })
      .addEdge(START, "agent")
      .compile();
    expect((await parent.invoke({ messages: "go" })).board.version).toBe(2);
  });

  it("ends with the newest of parallel snapshots, whatever order they are folded in", async () => {
    const thread = await openSample();
    let release = (): void => undefined;
    const late = new Promise<void>((resolve) => (release = resolve));
    const sub = (write: () => Promise<unknown>) =>
      new StateGraph(State)
        .addNode("write", async () => (await write(), { board: snapshotOf(thread) }))
        .addEdge(START, "write")
        .compile();
    const edit = (title: string) => thread.dispatch(board.op.rename({ cardId: "T-1", title }), { actor: ada });
    const parent = new StateGraph(State)
      .addNode(
        "a",
        sub(async () => (await late, await edit("a"))),
      )
      .addNode(
        "b",
        sub(async () => {
          await edit("b");
          release();
        }),
      )
      .addEdge(START, "a")
      .addEdge(START, "b")
      .compile();
    const { board: field }: { board: Field } = await parent.invoke({ messages: "go" });
    expect([field.version, field.state]).toEqual([thread.version, thread.getState()]);
  });

  it("follows another thread down to a lower version", async () => {
    const { thread, agent } = await threaded();
    const parent = new StateGraph(State)
      .addNode("seed", () => ({ board: { ...snapshotOf(thread), version: 41 } }))
      .addNode("agent", agent.graph as never)
      .addEdge(START, "seed")
      .addEdge("seed", "agent")
      .compile();
    expect((await parent.invoke({ messages: "go" })).board.version).toBe(2);
  });
});

it("an agent that is called on another state says what its calls did on the parent's", async () => {
  const { graph } = worker(["remove", { cardId: "T-1" }]);
  const replaced = handBuilt(move("T-9"));
  const called: { invoke(state: unknown): Promise<typeof State.State> } = graph;
  const parent = new StateGraph(State)
    .addNode("a", async ({ messages }) => called.invoke({ messages, board: sample }))
    .addNode("b", replaced)
    .addNode("verdicts", verdictsNode(board, { field: "board" }))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .addEdge("b", "verdicts")
    .compile();
  const { board: field, messages } = await parent.invoke({ messages: "go" });
  expect([field.version, field.state]).toEqual([0, null]);
  expect(verdicts(messages)).toEqual(["Refused (no_state)", "Refused (no_state)"]);
});
