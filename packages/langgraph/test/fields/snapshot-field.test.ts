import { END, MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snapshotField, snapshotOf, type FieldSnapshot } from "@opstate/langgraph";
import { ada, agent, board, layout, openSample, sample, type Board } from "../support/board.ts";

const State = new StateSchema({ board: snapshotField(board) });
const config = { configurable: { thread_id: "t" } };
const { reducer } = snapshotField(board);
const empty: FieldSnapshot<Board | null> = { version: 0, state: null, outcomes: {} };
const one = reducer(empty, sample);

function graphOf(write: () => unknown) {
  return new StateGraph(State)
    .addNode("writer", () => ({ board: write() }) as never)
    .addConditionalEdges("writer", () => END)
    .addEdge(START, "writer")
    .compile({ checkpointer: new MemorySaver() });
}

describe("snapshotField with a thread", () => {
  it("follows the thread, to older versions too", async () => {
    const thread = await openSample();
    const before = snapshotOf(thread);
    await thread.dispatch(board.op.remove({ cardId: "T-1" }), { actor: ada });
    const after = reducer(empty, snapshotOf(thread));
    expect(after).toEqual({ version: 2, state: thread.getState(), outcomes: {} });
    expect(reducer(after, before).version).toBe(1);
  });

  it("keeps the same object when it is the thread's snapshot already", async () => {
    const thread = await openSample();
    const current = structuredClone(reducer(empty, snapshotOf(thread)));
    expect(reducer(current, snapshotOf(thread))).toBe(current);
  });

  it("corrects a state that differs at the same version", async () => {
    const thread = await openSample();
    expect(reducer({ ...empty, version: 1, state: { columns: [] } }, snapshotOf(thread)).state).toEqual(sample);
  });

  it("adopts no snapshot that JSON can make", async () => {
    const thread = await openSample();
    const forged = JSON.parse(JSON.stringify({ ...snapshotOf(thread), version: 999, outcomes: {} }));
    expect(reducer(one, forged)).toBe(one);
    expect(
      reducer(one, { ...forged, "Symbol(opstate.thread-snapshot)": true, "@@opstate.thread-snapshot": true }),
    ).toBe(one);
  });
});

describe("snapshotField on its own", () => {
  it("counts what it accepts, and only that", () => {
    const two = reducer(one, board.op.move({ cardId: "T-1", to: "done" }));
    expect([one.version, two.version]).toEqual([1, 2]);
    expect(reducer(two, board.op.move({ cardId: "T-9", to: "done" }))).toBe(two);
    expect(reducer(two, structuredClone(two.state))).toBe(two);
  });

  it("records the true verdict of each submission of a superstep, in call order", async () => {
    const submit = (id: string, operation: { type: string }) => ({ type: "$submission", id, operation });
    const graph = new StateGraph(State)
      .addNode("a", () => ({ board: submit("a", board.op.remove({ cardId: "T-1" })) }) as never)
      .addNode("b", () => ({ board: submit("b", board.op.move({ cardId: "T-1", to: "done" })) }) as never)
      .addNode("c", () => ({ board: submit("c", board.op.remove({ cardId: "T-1" })) }) as never)
      .addNode("d", () => ({ board: submit("d", board.op.remove({ cardId: "T-1" })) }) as never)
      .addEdge(START, "d")
      .addEdge(START, "c")
      .addEdge(START, "b")
      .addEdge(START, "a")
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ board: sample }, config);
    const { board: field }: { board: FieldSnapshot<Board> } = (await graph.getState(config)).values as never;
    expect(layout(field.state)).toEqual({ todo: ["T-2", "T-3"], done: [] });
    expect(Object.keys(field.outcomes)).toEqual(["a", "b", "c", "d"]);
    expect(field.outcomes).toMatchObject({
      a: { accepted: true, version: 2 },
      b: { accepted: false, version: 2, attempt: 1, rejection: { code: "refused", reason: "card_not_found" } },
      c: { accepted: false, attempt: 1 },
      d: { accepted: false, attempt: 2 },
    });
  });

  it("folds a submission once, with the permission of its actor", () => {
    const submission = {
      type: "$submission",
      id: "m1/call_0",
      operation: board.op.remove({ cardId: "T-1" }),
      actor: agent,
    } as const;
    const two = reducer(one, submission);
    expect(reducer(two, submission)).toBe(two);
    const refused = reducer(two, {
      type: "$submission",
      id: "m2/call_0",
      operation: board.op.archive({}),
      actor: agent,
    });
    expect(refused.state).toBe(two.state);
    expect(refused.outcomes["m2/call_0"]).toMatchObject({ accepted: false, rejection: { code: "forbidden" } });
  });

  it("forgets old outcomes", () => {
    let field = one;
    for (let index = 0; index < 500; index++)
      field = reducer(field, {
        type: "$submission",
        id: `m${index}/c`,
        operation: board.op.rename({ cardId: "T-1", title: `${index}` }),
      });
    expect(field.version).toBe(501);
    expect(Object.keys(field.outcomes).length).toBeLessThan(200);
    expect(Object.keys(field.outcomes).at(-1)).toBe("m499/c");
  });

  const harmless: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["null", null],
    ["a string", "garbage"],
    ["an array", []],
    ["an unknown operation", { type: "nuke" }],
    ["an operation whose reducer throws", { type: "explode" }],
    ["a submission without an id", { type: "$submission", operation: { type: "explode" } }],
    ["an invalid replacement", { columns: 3 }],
    ["an equal replacement", structuredClone(sample)],
    ["its own value, sent back", structuredClone(one)],
    ["a forged version", { version: 999, state: { columns: [] }, outcomes: {} }],
    ["a BigInt", { version: 1n, state: null, outcomes: {} }],
    [
      "a submission with a BigInt",
      { type: "$submission", id: "1", operation: { type: "rename", cardId: "T-1", title: 1n } },
    ],
    [
      "what LangChain would revive as a class",
      { lc: 1, type: "constructor", id: ["langchain_core", "messages", "HumanMessage"], kwargs: {} },
    ],
    ["what LangChain would revive as nothing", { lc: 2, type: "undefined" }],
  ];

  it.each(harmless)("survives %s: readable, resumable, unchanged", async (_name, garbage) => {
    const writes = [garbage, garbage];
    const graph = graphOf(() => writes.pop());
    expect((await graph.invoke({ board: sample }, config)).board).toEqual(one);
    expect((await graph.invoke({ board: garbage } as never, config)).board).toEqual(one);
    await graph.updateState(config, { board: garbage }, "writer");
    expect((await graph.getState(config)).values).toEqual({ board: one });
    expect((await graph.invoke({ board: board.op.remove({ cardId: "T-1" }) }, config)).board.version).toBe(2);
    const history = [];
    for await (const { values } of graph.getStateHistory(config)) history.push(values);
    expect(history.length).toBeGreaterThan(6);
  });

  it("is a replay of what it accepted, whatever is written to it", () => {
    const operations = fc.record({
      type: fc.constantFrom("move", "remove", "rename", "explode"),
      cardId: fc.constantFrom("T-1", "T-2", "T-3", "T-4"),
      to: fc.constantFrom("todo", "done", "none"),
      title: fc.string(),
    });
    const updates = fc.oneof(
      { weight: 3, arbitrary: operations },
      {
        weight: 2,
        arbitrary: fc.record({
          type: fc.constant("$submission"),
          id: fc.constantFrom("1", "a", "b", "__proto__"),
          operation: operations,
        }),
      },
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(updates, { minLength: 8, maxLength: 30 }), (sequence) => {
        const ids = new Set<unknown>();
        let state: Board | null = sample;
        let version = 1;
        let field = one;
        for (const update of sequence) {
          const submission =
            typeof update === "object" && update !== null && "operation" in update && "id" in update
              ? update
              : undefined;
          const isKnown = submission !== undefined && ids.has(submission.id);
          if (submission !== undefined) ids.add(submission.id);
          const transition = board.transition(state, submission === undefined ? update : submission.operation);
          if (transition.accepted && !isKnown)
            [state, version] = [transition.state, version + (transition.patches.length > 0 ? 1 : 0)];
          field = reducer(field, update as never);
          expect({ version: field.version, state: field.state }).toEqual({ version, state });
        }
      }),
      { numRuns: 200 },
    );
  });
});
