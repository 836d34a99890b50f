import { Annotation, END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import type { BaseMessage } from "@langchain/core/messages";
import {
  append,
  counter as count,
  defineAgentState,
  defineState,
  immutable,
  messages,
  oneOf,
  replace,
  type StateOf,
  type Thread,
  type UpdateOf,
} from "@opstate/core";
import { fieldsFromDeclaration } from "@opstate/core/declaration";
import {
  agentStateSchema,
  clear,
  operation,
  operationsNode,
  operationTools,
  opstateMiddleware,
  readTools,
  snapshotField,
  snapshotOf,
  stateField,
  threadOfRun,
  type ApprovalAnswer,
  type ApprovalRequest,
  type FieldSnapshot,
  type OperationResult,
  type RunConfig,
} from "@opstate/langgraph";
import { graphAgent } from "@opstate/langgraph/ag-ui";
import { createAgent, fakeModel, type HITLRequest, tool } from "langchain";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { board, type Board } from "./support/board.ts";

declare const thread: Thread<typeof board>;
const counter = defineState({
  name: "counter",
  schema: z.object({ count: z.int() }),
  initial: { count: 0 },
  operations: {
    add: {
      input: z.object({ by: z.int() }),
      apply(draft, { by }) {
        draft.count += by;
      },
    },
  },
});

describe("stateField", () => {
  const State = new StateSchema({ messages: MessagesValue, board: stateField(board), counter: stateField(counter) });

  it("reads as the state, null only where it starts as null", () => {
    expectTypeOf<(typeof State.State)["board"]>().toEqualTypeOf<Board | null>();
    expectTypeOf<(typeof State.State)["counter"]>().toEqualTypeOf<{ readonly count: number }>();
  });

  it("accepts operations, replacements without derived fields, and what was read", () => {
    new StateGraph(State)
      .addNode("move", () => ({ board: { type: "move" as const, cardId: "T-1", to: "done" } }))
      .addNode("create", () => ({ board: board.op.remove({ cardId: "T-1" }), counter: counter.op.add({ by: 1 }) }))
      .addNode("build", () => ({ board: { columns: [{ columnId: "todo", cards: [] }] } }))
      .addNode("back", (state) => ({ board: state.board }))
      .addNode("batch", () => ({
        board: { type: "$batch" as const, operations: [board.op.remove({ cardId: "T-1" })] },
      }))
      .addEdge(START, "move")
      .addEdge("move", END);
  });

  it("does not accept what is none", () => {
    const graph = new StateGraph(State);
    // @ts-expect-error -- `to` is a string
    graph.addNode("a", () => ({ board: { type: "move" as const, cardId: "T-1", to: 7 } }));
    // @ts-expect-error -- there is no such operation
    graph.addNode("b", () => ({ board: { type: "nuke" as const } }));
    // @ts-expect-error -- an operation of another definition
    graph.addNode("c", () => ({ counter: board.op.remove({ cardId: "T-1" }) }));
  });
});

describe("the definition's own reducer", () => {
  it("fits an Annotation", () => {
    const State = Annotation.Root({
      board: Annotation<StateOf<typeof board>, UpdateOf<typeof board>>({ reducer: board.reduce, default: () => null }),
    });
    new StateGraph(State)
      .addNode(
        "a",
        (state) => (
          expectTypeOf(state.board).toEqualTypeOf<Board | null>(),
          { board: board.op.remove({ cardId: "T-1" }) }
        ),
      )
      .addEdge(START, "a");
  });
});

describe("snapshotField", () => {
  const State = new StateSchema({ board: snapshotField(board) });

  it("reads as version, state and outcomes, and accepts a thread's snapshot or an update", () => {
    expectTypeOf<(typeof State.State)["board"]>().toEqualTypeOf<FieldSnapshot<Board | null>>();
    new StateGraph(State)
      .addNode("sync", () => ({ board: snapshotOf(thread) }))
      .addNode("fold", () => ({ board: board.op.remove({ cardId: "T-1" }) }))
      .addNode("submit", () => ({
        board: { type: "$submission" as const, id: "1", operation: board.op.remove({ cardId: "T-1" }) },
      }))
      .addEdge(START, "sync");
    // @ts-expect-error -- a snapshot that is not a thread's
    new StateGraph(State).addNode("forge", () => ({ board: { version: 3, state: null } }));
  });
});

describe("agentStateSchema", () => {
  const State = agentStateSchema(
    defineAgentState({
      messages: messages(),
      round: count(),
      notes: append(z.object({ text: z.string() })),
      topic: immutable(""),
      status: oneOf(["running", "completed"]),
      plan: replace(z.object({ steps: z.array(z.string()) }), { steps: [] }),
      board,
    }),
  );

  it("reads as its fields, conversations as LangChain's messages", () => {
    expectTypeOf<typeof State.State>().toEqualTypeOf<{
      messages: BaseMessage[];
      round: number;
      notes: { text: string }[];
      topic: string;
      status: "running" | "completed";
      plan: { steps: string[] };
      board: Board | null;
    }>();
  });

  it("accepts a conversation's updates where a list is typed as messages, and clears where there may be null", () => {
    const Typed = agentStateSchema(
      {
        messages: append(z.custom<BaseMessage>()),
        drafts: append(z.string()),
        summary: replace(z.string()),
        title: replace(""),
      },
      { onReject: ({ code }, { field }) => expectTypeOf([code, field]).toExtend<string[]>() },
    );
    expectTypeOf<(typeof Typed.State)["messages"]>().toEqualTypeOf<BaseMessage[]>();
    const graph = new StateGraph(Typed);
    graph
      .addNode("a", () => ({ messages: "hi", summary: clear() }))
      .addNode("b", () => ({ messages: [["user", "hi"] as ["user", string], { role: "user", content: "x" }] }));
    // @ts-expect-error -- the title is never null
    graph.addNode("c", () => ({ title: clear() }));
    // @ts-expect-error -- no conversation
    graph.addNode("d", () => ({ drafts: { role: "user", content: "x" } }));
  });

  it("lets nodes infer what they read and may return", () => {
    const graph = new StateGraph(State);
    graph
      .addNode("a", (state) => ({ round: 1, messages: `${state.topic} ${state.messages.at(-1)?.text ?? ""}` }))
      .addNode("b", (state) => ({
        notes: { text: state.status },
        plan: { steps: state.notes.map(({ text }) => text) },
      }))
      .addNode("c", (state) => ({ notes: state.notes, status: "completed" as const, topic: null }))
      .addNode("d", () => ({ board: board.op.remove({ cardId: "T-1" }), messages: [{ role: "user", content: "x" }] }))
      .addNode("e", (state) => state)
      .addEdge(START, "a");
    // @ts-expect-error -- no such status
    graph.addNode("f", () => ({ status: "paused" as const }));
    // @ts-expect-error -- a count is a number
    graph.addNode("g", () => ({ round: "1" }));
    // @ts-expect-error -- no such operation
    graph.addNode("h", () => ({ board: { type: "nuke" as const } }));
    // @ts-expect-error -- an item has a text
    graph.addNode("i", () => ({ notes: { title: "x" } }));
  });

  it("accepts fields alone, and declarations", () => {
    const Alone = agentStateSchema({ round: count() });
    expectTypeOf<typeof Alone.State>().toEqualTypeOf<{ round: number }>();
    const Declared = agentStateSchema(fieldsFromDeclaration("- { name: title }"));
    new StateGraph(Declared).addNode("a", (state) => ({ title: state["title"] })).addEdge(START, "a");
  });

  it("types an agent", async () => {
    const agent = createAgent({ model: fakeModel(), tools: [], stateSchema: State });
    const result = await agent.invoke({ messages: "go", round: 1, topic: "tabs" });
    expectTypeOf(result.round).toEqualTypeOf<number>();
    expectTypeOf(result.notes).toEqualTypeOf<{ text: string }[]>();
  });
});

describe("operationsNode", () => {
  it("fits graphs that have its field and messages", () => {
    new StateGraph(new StateSchema({ messages: MessagesValue, board: stateField(board) })).addNode(
      "a",
      operationsNode(board, { field: "board" }),
    );
    new StateGraph(new StateSchema({ messages: MessagesValue, b: snapshotField(board) })).addNode(
      "a",
      operationsNode(board, { field: "b" }),
    );
  });
});

describe("tools, middleware and agents", () => {
  it("accept a thread, or a resolver of the run's config", () => {
    operationTools(board, { thread });
    operationTools(board, { thread: threadOfRun(board) });
    operationTools(board, { field: "board" });
    opstateMiddleware(board, { field: "board" });
    // @ts-expect-error -- neither a thread nor a field
    operationTools(board, {});
    // @ts-expect-error -- neither a thread nor a field
    opstateMiddleware(board, {});
    operationTools(board, { thread: async (config) => (config.configurable?.["thread_id"] === "1" ? thread : thread) });
    operationTools(board, { thread: (config) => config.configurable!["opstate"].thread });
    // @ts-expect-error -- a thread of another definition
    operationTools(counter, { thread });
  });

  it("accept what needs approval, the same for all runs or by run, where a thread decides", () => {
    const thread = {} as Thread<typeof board>;
    operationTools(board, { thread, ask: "always", approval: "propose", approver: { kind: "user", id: "ada" } });
    operationTools(board, {
      thread,
      ask: ({ configurable }) => (configurable?.["ask"] ? "always" : "needed"),
      approval: () => "interrupt",
      approver: () => undefined,
    });
    // @ts-expect-error -- no such mode
    operationTools(board, { thread, ask: "never" });
    // @ts-expect-error -- the graph's own field knows no approvals
    operationTools(board, { field: "board", ask: "always" });
    expectTypeOf<ApprovalAnswer["type"]>().toEqualTypeOf<"accept" | "edit" | "decline">();
    expectTypeOf<ApprovalRequest>().toExtend<HITLRequest>();
  });

  it("leave the agent's own context to the caller, with and without a `contextSchema`", async () => {
    const threads = new Map([["ada", thread]]);
    const options = { thread: ({ context }: RunConfig) => threads.get(String(context?.["user"]))! };
    const agent = createAgent({
      model: fakeModel(),
      tools: [...operationTools(board, options), ...readTools(board, options)],
      middleware: [opstateMiddleware(board, { ...options, field: "board" })],
      contextSchema: z.object({ user: z.string() }),
    });
    const result = await agent.invoke({ messages: "go" }, { context: { user: "ada" } });
    expectTypeOf(result.board).toEqualTypeOf<FieldSnapshot<Board | null>>();
    // @ts-expect-error -- the agent's context has a user
    void agent.invoke({ messages: "go" }, { context: { name: "ada" } });
  });

  it("accept an update of the thread's definition in a tool of one's own", () => {
    const own = tool(
      async (_input, config) => {
        expectTypeOf(await operation(config, { type: "anything" })).toEqualTypeOf<OperationResult>();
        // @ts-expect-error -- no operation of the board
        await operation(config, { type: "anything" }, { thread });
        return (await operation(config, { type: "move", cardId: "T-1", to: "done" }, { thread })).text;
      },
      { name: "own", description: "Own", schema: z.object({}) },
    );
    createAgent({ model: fakeModel(), tools: [own, ...operationTools(board, { thread })] });
  });

  it("type the agent's state with the field that is named", async () => {
    const agent = createAgent({
      model: fakeModel(),
      tools: operationTools(board, { thread }),
      middleware: [opstateMiddleware(board, { thread, field: "board" })],
    });
    expectTypeOf((await agent.invoke({ messages: "go" })).board).toEqualTypeOf<FieldSnapshot<Board | null>>();
    graphAgent(agent);
    graphAgent(
      new StateGraph(new StateSchema({ board: stateField(board) }))
        .addNode("a", () => ({}))
        .addEdge(START, "a")
        .compile(),
    );
  });
});
