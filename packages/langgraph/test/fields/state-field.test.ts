import { END, MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { stateField } from "@opstate/langgraph";
import { board, layout, sample } from "../support/board.ts";

const State = new StateSchema({ board: stateField(board) });

function graphOf(write: () => unknown) {
  return new StateGraph(State)
    .addNode("writer", () => ({ board: write() }) as never)
    .addConditionalEdges("writer", () => END)
    .addEdge(START, "writer")
    .compile({ checkpointer: new MemorySaver() });
}

const config = { configurable: { thread_id: "t" } };

describe("stateField", () => {
  it("folds operations of nodes and input through the definition", async () => {
    const graph = graphOf(() => board.op.move({ cardId: "T-2", to: "done" }));
    const { board: after } = await graph.invoke({ board: sample }, config);
    expect(layout(after)).toEqual({ todo: ["T-1", "T-3"], done: ["T-2"] });
    expect(after?.columns.map((column) => column.cardCount)).toEqual([2, 1]);
  });

  it("is null until something builds it, or the definition's initial state", async () => {
    expect((await graphOf(() => undefined).invoke({}, config))?.board).toBeNull();
  });

  it("folds parallel writes one after the other, nodes in the order of their names", async () => {
    const graph = new StateGraph(State)
      .addNode("zed", () => ({ board: board.op.remove({ cardId: "T-1" }) }))
      .addNode("amy", () => ({ board: board.op.move({ cardId: "T-1", to: "done" }) }))
      .addEdge(START, "zed")
      .addEdge(START, "amy")
      .compile();
    const { board: after } = await graph.invoke({ board: sample });
    expect(layout(after)).toEqual({ todo: ["T-2", "T-3"], done: [] });
  });

  const harmless: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["null", null],
    ["a number", 7],
    ["a string", "garbage"],
    ["an array", [1, 2]],
    ["an unknown operation", { type: "nuke" }],
    ["an operation of another shape", { type: "move", cardId: 7 }],
    ["a refused operation", { type: "move", cardId: "T-9", to: "done" }],
    ["an operation whose reducer throws", { type: "explode" }],
    ["an invalid replacement", { columns: [{ columnId: 1 }] }],
    ["an equal replacement", structuredClone(sample)],
    ["a BigInt", { columns: 1n }],
    ["a BigInt inside of an operation", { type: "rename", cardId: "T-1", title: 1n }],
    [
      "what LangChain would revive as a class",
      { lc: 1, type: "constructor", id: ["langchain_core", "messages", "HumanMessage"], kwargs: {} },
    ],
  ];

  it.each(harmless)("survives %s from a node: readable, resumable, unchanged", async (_name, garbage) => {
    const writes = [garbage];
    const graph = graphOf(() => writes.pop());
    const result = await graph.invoke({ board: sample }, config);
    expect(result.board).toEqual(sample);
    expect((await graph.getState(config)).values).toEqual({ board: sample });
    expect(
      (await graph.invoke({ board: board.op.remove({ cardId: "T-3" }) }, config)).board?.columns[0]?.cardCount,
    ).toBe(2);
    const history = [];
    for await (const { values } of graph.getStateHistory(config)) history.push(values);
    expect(history.length).toBeGreaterThan(3);
  });

  it.each(harmless)("survives %s as input and as a state update", async (_name, garbage) => {
    const graph = graphOf(() => undefined);
    await graph.invoke({ board: sample }, config);
    expect((await graph.invoke({ board: garbage } as never, config)).board).toEqual(sample);
    await graph.updateState(config, { board: garbage }, "writer");
    expect((await graph.getState(config)).values).toEqual({ board: sample });
    const history = [];
    for await (const { values } of graph.getStateHistory(config)) history.push(values);
    expect(history.length).toBeGreaterThan(3);
  });

  it("lets nothing that breaks the schema in by way of __overwrite__", async () => {
    const graph = graphOf(() => undefined);
    await graph.invoke({ board: sample }, config);
    await expect(graph.invoke({ board: { __overwrite__: { columns: "gone" } } } as never, config)).rejects.toThrow();
    expect((await graph.getState(config)).values).toEqual({ board: sample });
  });

  it("never throws and never breaks the state, whatever is written to it", () => {
    const { reducer } = stateField(board);
    const updates = fc.oneof(
      fc.anything(),
      fc.record({
        type: fc.constantFrom("move", "remove", "rename", "explode", "$replace", "$batch"),
        cardId: fc.constantFrom("T-1", "T-2", "T-3", "T-4"),
        to: fc.constantFrom("todo", "done", "none"),
        title: fc.string(),
      }),
    );
    fc.assert(
      fc.property(fc.array(updates, { minLength: 5, maxLength: 30 }), (sequence) => {
        let state = reducer(null, sample);
        for (const update of sequence) {
          const before = state;
          const accepted = board.transition(before, update).accepted;
          state = reducer(state, update as never);
          if (!accepted) expect(state).toBe(before);
          expect(state?.columns.every((column) => column.cardCount === column.cards.length)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("a stateField in subgraphs", () => {
  /** A graph of two subgraphs, run twice, and the codes of its warnings. */
  async function warnings(atOnce: boolean): Promise<readonly unknown[]> {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const Fresh = new StateSchema({ board: stateField(board) });
    const sub = (cardId: string) =>
      new StateGraph(Fresh)
        .addNode("remove", () => ({ board: board.op.remove({ cardId }) }))
        .addEdge(START, "remove")
        .compile();
    const graph = new StateGraph(Fresh)
      .addNode("a", sub("T-1"))
      .addNode("b", sub("T-2"))
      .addEdge(START, "a")
      .addEdge(atOnce ? START : "a", "b")
      .compile();
    for (let run = 0; run < 2; run++) await graph.invoke({ board: sample });
    const codes = warn.mock.calls.map(([, options]) => (options as { code?: unknown } | undefined)?.code);
    warn.mockRestore();
    return codes;
  }

  it("warns of those that run at once, once: the last one wins", async () => {
    expect(await warnings(true)).toEqual(["OPSTATE_PARALLEL_STATE"]);
  });

  it("does not warn of those that run one after the other", async () => {
    expect(await warnings(false)).toEqual([]);
  });
});
