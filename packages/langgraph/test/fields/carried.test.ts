// What leaves a subgraph is in the field of the graph around it, or its verdicts say that it is
// not: messages = recorded = the parent's field, in each shape of graph.

import {
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
import { operationTools, opstateMiddleware, verdictsNode } from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel, tool, ToolMessage, type ToolRuntime } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { board, layout, openSample, sample, type Board } from "../support/board.ts";
import { handBuilt, nested, recorded, staged, Team, told, worker, type Runnable } from "../support/teams.ts";
import { call, say, type Call } from "../support/talk.ts";

const move = (cardId: string, to = "done"): Call => ["move", { cardId, to }];
const verdicts = verdictsNode(board, { field: "board" });
const start = { messages: "go", board: sample };

/** A board of this many cards, `C-0` and so on. */
function many(count: number): Board {
  const cards = Array.from({ length: count }, (_, index) => ({ cardId: `C-${index}`, title: "x" }));
  return { columns: [{ columnId: "todo", cardCount: count, cards }, sample.columns[1]!] };
}

describe.each([
  ["agents", worker],
  ["hand-built graphs", handBuilt],
])("subgraphs that run at once: %s", (_name, make) => {
  it("two of them are both folded", async () => {
    const team = staged([[make([move("T-1")]), make([move("T-2")])]], verdicts);
    const { board: field, messages } = await team.invoke(start);
    expect([field.version, layout(field.state)["done"]]).toEqual([3, ["T-1", "T-2"]]);
    expect([told(messages), recorded(field)]).toEqual([
      ["Accepted", "Accepted"],
      ["Accepted", "Accepted"],
    ]);
  });

  it("one of two that conflict is refused, by the operation itself", async () => {
    const team = staged([[make([["remove", { cardId: "T-1" }]]), make([move("T-1")], [move("T-2")])]], verdicts);
    const { board: field, messages } = await team.invoke(start);
    expect([field.version, layout(field.state)]).toEqual([3, { todo: ["T-3"], done: ["T-2"] }]);
    expect(told(messages)).toEqual(["Accepted", "Refused (card_not_found)", "Accepted"]);
    expect(recorded(field)).toEqual(["Accepted", "Refused (card_not_found)", "Accepted"]);
  });

  it("says the version at which it was folded", async () => {
    const team = staged([[make([move("T-1")]), make([move("T-2")])]], verdicts);
    const { messages } = await team.invoke(start);
    const texts = messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text.split(".")[0]);
    expect(texts).toEqual(["Accepted: board is now at version 2", "Accepted: board is now at version 3"]);
  });

  it("keeps what was refused in the subgraph refused, because its model has read that", async () => {
    // T-1 is back in "todo" when the second graph is folded, but its message says: there is none.
    const gone = [move("T-9"), move("T-1")];
    const team = staged([[make([move("T-2")]), make(gone)]], verdicts);
    const { board: field, messages } = await team.invoke(start);
    expect(told(messages)).toEqual(["Accepted", "Refused (card_not_found)", "Accepted"]);
    expect(recorded(field)).toEqual(["Accepted", "Refused (card_not_found)", "Accepted"]);
  });

  it("nested three deep, beside one that is not", async () => {
    const team = staged([[nested(make([move("T-1")], [move("T-9")]), 3), make([move("T-2")])]], verdicts);
    const { board: field, messages } = await team.invoke(start);
    expect([field.version, layout(field.state)["done"]]).toEqual([3, ["T-1", "T-2"]]);
    expect(told(messages)).toEqual(["Accepted", "Refused (card_not_found)", "Accepted"]);
    expect(Object.keys(field)).toEqual(["version", "state", "outcomes"]);
  });

  it("twenty of them, by Send", async () => {
    const cards = Array.from({ length: 20 }, (_, index) => `C-${index}`);
    const team = new StateGraph(Team)
      .addNode("sub", async (state) => make([move(String(state.messages.at(-1)?.text))]).invoke(state) as never)
      .addNode("verdicts", verdicts)
      .addConditionalEdges(START, (state) => cards.map((id) => new Send("sub", { ...state, messages: [say(id)] })), [
        "sub",
      ])
      .addEdge("sub", "verdicts")
      .compile();
    const { board: field, messages } = await team.invoke({ messages: "go", board: many(20) });
    expect([field.version, layout(field.state)["done"]]).toEqual([21, cards]);
    expect(told(messages)).toEqual(cards.map(() => "Accepted"));
  });
});

it("folds what a node wrote in a subgraph without an id, once for each write", async () => {
  const rename = (title: string) => ({ board: board.op.rename({ cardId: "T-1", title }) });
  const within: number[] = [];
  const sub = (title: string) =>
    new StateGraph(Team)
      .addNode("a", () => rename(title))
      .addNode("b", () => rename(`${title}${title}`))
      .addNode("c", ({ board: field }) => ({ board: field }))
      .addNode("d", ({ board: field }) => (within.push(field.version), {}))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addEdge("b", "c")
      .addEdge("c", "d")
      .compile();
  const team = staged([[sub("x"), sub("x")]], verdicts);
  const { board: field } = await team.invoke(start);
  expect(within).toEqual([3, 3]);
  expect([field.version, field.state?.columns[0]?.cards[0]?.title]).toEqual([5, "xx"]);
});

it("folds a result once, however often it is written", async () => {
  const twice = async (state: typeof Team.State) => {
    const { board: field } = await worker([move("T-1"), move("T-1", "todo")]).invoke(state);
    return new Command({
      update: [
        ["board", field],
        ["board", field],
      ],
    });
  };
  const { board: field } = await staged([[twice]], verdicts).invoke(start);
  expect([field.version, recorded(field)]).toEqual([3, ["Accepted", "Accepted"]]);
});

it("records as many outcomes as a superstep has calls", async () => {
  const calls = Array.from({ length: 300 }, (_, index): Call => ["rename", { cardId: "T-1", title: `${index}` }]);
  const team = staged([[worker(calls), handBuilt(calls)]], verdicts);
  const { board: field, messages } = await team.invoke(start);
  expect([told(messages).length, new Set(told(messages))]).toEqual([600, new Set(["Accepted"])]);
  expect([Object.keys(field.outcomes).length, field.version]).toEqual([600, 601]);
});

it("an agent that a node calls with the messages only is folded, too", async () => {
  const team = staged(
    [[async ({ messages }: typeof Team.State) => worker([move("T-1")]).invoke({ messages })]],
    verdicts,
  );
  const { board: field, messages } = await team.invoke(start);
  // The agent saw no state, and was refused.
  expect([told(messages), field.version]).toEqual([["Refused (no_state)"], 1]);
});

it("an agent that a node calls on another state reads what its calls did on the parent's", async () => {
  const called = async ({ messages }: typeof Team.State) =>
    worker([["remove", { cardId: "T-1" }], move("T-2")]).invoke({ messages, board: sample });
  const team = staged([[called]], verdicts);
  const other = { columns: [{ columnId: "done", cardCount: 1, cards: [{ cardId: "T-2", title: "x" }] }] };
  const { board: field, messages } = await team.invoke({ messages: "go", board: other });
  expect(told(messages)).toEqual(["Refused (card_not_found)", "Accepted"]);
  expect(layout(field.state)).toEqual({ done: ["T-2"] });
});

describe.each([
  ["MemorySaver", () => new MemorySaver()],
  ["SqliteSaver", () => SqliteSaver.fromConnString(":memory:")],
])("checkpoints between a subgraph and its parent, with %s", (_name, saver) => {
  it("keep all that was submitted beside a subgraph that waits", async () => {
    const calls = Array.from({ length: 200 }, (_, index): Call => ["rename", { cardId: "T-1", title: `${index}` }]);
    const waiting = new StateGraph(Team)
      .addNode("first", handBuilt([move("T-2")]) as never)
      .addNode("ask", () => ({ messages: [say(String(interrupt("go on?")))] }))
      .addNode("then", handBuilt([move("T-3")]) as never)
      .addEdge(START, "first")
      .addEdge("first", "ask")
      .addEdge("ask", "then")
      .compile();
    const team = new StateGraph(Team)
      .addNode("a", worker(calls) as never)
      .addNode("b", waiting)
      .addNode("verdicts", verdicts)
      .addEdge(START, "a")
      .addEdge(START, "b")
      .addEdge(["a", "b"], "verdicts")
      .compile({ checkpointer: saver() });
    const config = { configurable: { thread_id: "1" } };
    await team.invoke(start, config);
    const { board: field, messages } = await team.invoke(new Command({ resume: "yes" }), config);
    expect([told(messages).length, new Set(told(messages))]).toEqual([202, new Set(["Accepted"])]);
    expect([field.version, layout(field.state)["done"]]).toEqual([203, ["T-2", "T-3"]]);
  });

  it("do not fold again what a subgraph with checkpoints of its own did before", async () => {
    const titles = ["a", "b", "c", "d"];
    const sub = new StateGraph(Team)
      .addNode("one", () => ({ board: board.op.rename({ cardId: "T-1", title: titles[0]! }) }))
      .addNode("two", () => ({ board: board.op.rename({ cardId: "T-2", title: titles.shift()! }) }))
      .addEdge(START, "one")
      .addEdge("one", "two")
      .compile({ checkpointer: true });
    const team = new StateGraph(Team).addNode("sub", sub).addEdge(START, "sub").compile({ checkpointer: saver() });
    const config = { configurable: { thread_id: "1" } };
    const versions: number[] = [(await team.invoke(start, config)).board.version];
    while (titles.length > 0) versions.push((await team.invoke({ messages: "again" }, config)).board.version);
    expect(versions).toEqual([3, 5, 7, 9]);
  });
});

describe("a supervisor whose tools are agents", () => {
  const delegate = (name: string, agents: Runnable[]) =>
    tool(
      async (_args: object, config: ToolRuntime) => {
        const { board: present } = config.state as typeof Team.State;
        const done = await agents.shift()!.invoke({ messages: "do it", board: present });
        const message = new ToolMessage({
          content: String(done.messages.at(-1)?.text),
          tool_call_id: config.toolCallId,
        });
        return new Command({ update: { board: done.board, messages: [message] } });
      },
      { name, description: name, schema: z.object({}) },
    );

  it("has the work of all that ran at once in its field, and sees it", async () => {
    const model = fakeModel()
      .respond(call(["one", {}], ["two", {}]))
      .respond(call(["two", {}]))
      .respond(say("done"));
    const supervisor = createAgent({
      model,
      tools: [
        delegate("one", [worker([move("T-1")])]),
        delegate("two", [worker([move("T-2")]), worker([move("T-3")], [move("T-1", "todo")])]),
      ],
      middleware: [opstateMiddleware(board, { field: "board" })],
      checkpointer: new MemorySaver(),
    });
    const { board: field } = await supervisor.invoke(start, { configurable: { thread_id: "1" } });
    expect([field.version, layout(field.state)]).toEqual([5, { todo: ["T-1"], done: ["T-2", "T-3"] }]);
  });
});

describe("a handoff by Command.PARENT", () => {
  const handoff = (to: string) =>
    tool(
      (_args: object, config: ToolRuntime) => {
        const { messages } = config.state as typeof Team.State;
        const message = new ToolMessage({ content: `To ${to}`, name: to, tool_call_id: config.toolCallId });
        return new Command({ goto: to, graph: Command.PARENT, update: { messages: [...messages, message] } });
      },
      { name: `to_${to}`, description: `Hand over to ${to}`, schema: z.object({}) },
    );

  /** An agent that makes the calls of each step, and then hands over. */
  const member = (to: string, ...steps: readonly (readonly Call[])[]) => {
    const model = fakeModel();
    for (const step of steps) model.respond(call(...step));
    model.respond(call([`to_${to}`, {}]));
    const { graph } = createAgent({
      model,
      tools: [...operationTools(board, { field: "board" }), handoff(to)] as ReturnType<typeof operationTools>,
      middleware: [opstateMiddleware(board, { field: "board" })],
    });
    return graph;
  };

  it.each([
    ["no checkpointer", {}],
    ["a checkpointer", { checkpointer: new MemorySaver() }],
  ])("keeps what the agent did, with %s", async (_name, saver) => {
    const swarm = new StateGraph(Team)
      .addNode("amy", member("bob", [move("T-1"), move("T-9")], [move("T-2")]) as never, { ends: ["bob"] })
      .addNode("bob", worker([move("T-2", "todo"), ["remove", { cardId: "T-1" }]]) as never)
      .addEdge(START, "amy")
      .compile(saver);
    const { board: field, messages } = await swarm.invoke(start, { configurable: { thread_id: "1" } });
    expect(told(messages)).toEqual([
      "Accepted",
      "Refused (card_not_found)",
      "Accepted",
      "To bob",
      "Accepted",
      "Accepted",
    ]);
    expect(recorded(field)).toEqual(["Accepted", "Refused (card_not_found)", "Accepted", "Accepted", "Accepted"]);
    expect([field.version, layout(field.state)]).toEqual([5, { todo: ["T-3", "T-2"], done: [] }]);
    expect(Object.keys(field)).toEqual(["version", "state", "outcomes"]);
  });

  it("leaves the field as the command writes it, in both forms of an update", async () => {
    const write = (form: "object" | "list") =>
      tool(
        (_args: object, config: ToolRuntime) => {
          const { messages, board: held } = config.state as typeof Team.State;
          const message = new ToolMessage({ content: "bye", tool_call_id: config.toolCallId });
          const update = { messages: [...messages, message], board: held };
          return new Command({
            goto: "bob",
            graph: Command.PARENT,
            update: form === "object" ? update : Object.entries(update),
          });
        },
        { name: "bye", description: "Bye", schema: z.object({}) },
      );
    for (const form of ["object", "list"] as const) {
      const model = fakeModel()
        .respond(call(move("T-1")))
        .respond(call(["bye", {}]));
      const { graph } = createAgent({
        model,
        tools: [...operationTools(board, { field: "board" }), write(form)] as ReturnType<typeof operationTools>,
        middleware: [opstateMiddleware(board, { field: "board" })],
      });
      const swarm = new StateGraph(Team)
        .addNode("amy", graph as never, { ends: ["bob"] })
        .addNode("bob", ({ board: field }) => ({ board: field }))
        .addEdge(START, "amy")
        .compile();
      const { board: field } = await swarm.invoke(start);
      expect([field.version, layout(field.state)["done"]]).toEqual([2, ["T-1"]]);
    }
  });

  it("goes to a parent without the field, too", async () => {
    const Messages = new StateSchema({ messages: MessagesValue });
    const swarm = new StateGraph(Messages)
      .addNode("amy", member("bob", [["rename", { cardId: "T-1", title: "x" }]]) as never, { ends: ["bob"] })
      .addNode("bob", () => ({ messages: "Here" }))
      .addEdge(START, "amy")
      .compile();
    const { messages } = await swarm.invoke({ messages: "go" });
    expect(messages.at(-1)?.text).toBe("Here");
  });

  it("brings the thread's version to the parent's field", async () => {
    const thread = await openSample();
    const model = fakeModel()
      .respond(call(move("T-1")))
      .respond(call(["to_bob", {}]));
    const { graph } = createAgent({
      model,
      tools: [...operationTools(board, { thread }), handoff("bob")] as ReturnType<typeof operationTools>,
      middleware: [opstateMiddleware(board, { thread, field: "board" })],
    });
    const routed: number[] = [];
    const swarm = new StateGraph(Team)
      .addNode("amy", graph as never, { ends: ["bob"] })
      .addNode("bob", ({ board: { version } }) => (routed.push(version), {}))
      .addEdge(START, "amy")
      .compile();
    const { board: field } = await swarm.invoke({ messages: "go" });
    expect([routed, field]).toEqual([[2], { version: 2, state: thread.getState(), outcomes: {} }]);
  });

  it("leaves an agent's failing tools as LangChain has them: the model reads of the failure", async () => {
    const broken = tool(() => Promise.reject(new Error("out of order")), {
      name: "broken",
      description: "Broken",
      schema: z.object({}),
    });
    const run = async (middleware: readonly ReturnType<typeof opstateMiddleware>[]) => {
      const model = fakeModel()
        .respond(call(["broken", {}]))
        .respond(say("I see"));
      const agent = createAgent({ model, tools: [broken], middleware: [...middleware] });
      return told((await agent.invoke({ messages: "go" })).messages);
    };
    expect(await run([opstateMiddleware(board, { field: "board" })])).toEqual(await run([]));
  });

  it("lets a middleware that retries tools see each failure", async () => {
    let tries = 0;
    const flaky = tool(() => (++tries < 3 ? Promise.reject(new Error("busy")) : "ok"), {
      name: "flaky",
      description: "Flaky",
      schema: z.object({}),
    });
    const retry = createMiddleware({
      name: "retry",
      async wrapToolCall(request, handler) {
        for (;;) {
          try {
            return await handler(request);
          } catch (error) {
            if (tries > 5) throw error;
          }
        }
      },
    });
    for (const middleware of [
      [retry, opstateMiddleware(board, { field: "board" })],
      [opstateMiddleware(board, { field: "board" }), retry],
    ] as const) {
      tries = 0;
      const model = fakeModel()
        .respond(call(["flaky", {}]))
        .respond(say("I see"));
      const agent = createAgent({ model, tools: [flaky], middleware });
      expect(told((await agent.invoke({ messages: "go" })).messages)).toEqual(["ok"]);
    }
  });
});
