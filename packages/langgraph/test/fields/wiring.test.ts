// The definition's own reducer in LangGraph's older ways to declare a state, and our field beside
// others.

import {
  Annotation,
  END,
  MemorySaver,
  MessagesAnnotation,
  MessagesValue,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { withLangGraph } from "@langchain/langgraph/zod";
import type { StateOf, UpdateOf } from "@opstate/core";
import { operationsNode, operationTools, stateField } from "@opstate/langgraph";
import { fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { board, layout, sample, type Board } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { call, say } from "../support/talk.ts";

type State = StateOf<typeof board>;
type Update = UpdateOf<typeof board>;
const config = { configurable: { thread_id: "t" } };
const remove = board.op.remove({ cardId: "T-1" });
const refused = board.op.move({ cardId: "T-1", to: "done" });

describe("board.reduce", () => {
  it("is the reducer of an Annotation", async () => {
    const graph = new StateGraph(
      Annotation.Root({ board: Annotation<State, Update>({ reducer: board.reduce, default: () => null }) }),
    )
      .addNode("a", (state) => ({ board: state.board === null ? sample : remove }))
      .addNode("b", () => ({ board: refused }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .addConditionalEdges("b", () => END)
      .compile({ checkpointer: new MemorySaver() });
    expect((await graph.invoke({ board: sample }, config)).board?.columns[0]?.cardCount).toBe(2);
    expect(layout((await graph.getState(config)).values.board)).toEqual({ todo: ["T-2", "T-3"], done: [] });
  });

  it("is the reducer of a field in withLangGraph", async () => {
    const shape = z.object({
      board: withLangGraph(z.custom<State>(), {
        default: (): State => null,
        reducer: { schema: z.custom<Update>(), fn: board.reduce },
      }),
    });
    const graph = new StateGraph(shape)
      .addNode("a", (state) => ({ board: state.board === null ? sample : remove }))
      .addNode("b", () => ({ board: refused }))
      .addEdge(START, "a")
      .addEdge("a", "b")
      .compile({ checkpointer: new MemorySaver() });
    expect(layout((await graph.invoke({ board: sample }, config)).board)).toEqual({ todo: ["T-2", "T-3"], done: [] });
  });

  it("is the reducer of a channel", async () => {
    const graph = new StateGraph<{ board: State }>({
      channels: { board: { reducer: board.reduce as never, default: () => null } },
    })
      .addNode("a", () => ({ board: remove }) as never)
      .addNode("b", () => ({ board: refused }) as never)
      .addEdge(START, "a")
      .addEdge("a", "b")
      .compile({ checkpointer: new MemorySaver() });
    expect(layout((await graph.invoke({ board: sample }, config)).board as Board)).toEqual({
      todo: ["T-2", "T-3"],
      done: [],
    });
  });
});

describe("a graph of messages, a board and a phase", () => {
  const script = () =>
    fakeModel()
      .respond(call(["remove", { cardId: "T-1" }], ["move", { cardId: "T-1", to: "done" }]))
      .respond(say("done"));

  it("runs with our field in a StateSchema", async () => {
    const model = script();
    const AgentState = new StateSchema({
      messages: MessagesValue,
      board: stateField(board),
      phase: z.enum(["planning", "working", "done"]).default("planning"),
    });
    const graph = new StateGraph(AgentState)
      .addNode("plan", () => ({ phase: "working" as const }))
      .addNode("model", async (state) => ({
        messages: [await model.bindTools(operationTools(board, { field: "board" })).invoke(state.messages)],
      }))
      .addNode("operations", operationsNode(board, { field: "board" }))
      .addNode("finish", () => ({ phase: "done" as const }))
      .addEdge(START, "plan")
      .addEdge("plan", "model")
      .addConditionalEdges("model", (state) =>
        results([state.messages.at(-1)]).length === 0 && state.messages.length < 3 ? "operations" : "finish",
      )
      .addEdge("operations", "model")
      .addEdge("finish", END)
      .compile({ checkpointer: new MemorySaver() });
    const { messages, board: held, phase } = await graph.invoke({ messages: "Tidy up", board: sample }, config);
    expect(phase).toBe("done");
    expect(layout(held)).toEqual({ todo: ["T-2", "T-3"], done: [] });
    expect(results(messages).map(({ text }) => text.split(/[ :]/, 1)[0])).toEqual(["Accepted", "Refused"]);
  });

  it("runs with the reducer in an Annotation beside the messages'", async () => {
    const model = script();
    const AgentState = Annotation.Root({
      ...MessagesAnnotation.spec,
      board: Annotation<State, Update>({ reducer: board.reduce, default: () => null }),
      phase: Annotation<"planning" | "working">(),
    });
    const graph = new StateGraph(AgentState)
      .addNode("model", async (state) => ({
        messages: [await model.invoke(state.messages)],
        phase: "working" as const,
      }))
      .addNode("operations", operationsNode(board, { field: "board" }))
      .addEdge(START, "model")
      .addEdge("model", "operations")
      .compile();
    const { messages, board: held, phase } = await graph.invoke({ messages: [], board: sample, phase: "planning" });
    expect(phase).toBe("working");
    expect(layout(held)).toEqual({ todo: ["T-2", "T-3"], done: [] });
    expect(results(messages)).toHaveLength(2);
  });
});
