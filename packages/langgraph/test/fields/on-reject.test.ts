import { MemorySaver, Overwrite, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { counter, defineAgentState, immutable, messages, type Rejection } from "@opstate/core";
import { agentStateSchema, snapshotField, snapshotOf, stateField, type RefusedUpdate } from "@opstate/langgraph";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { board, openSample, sample } from "../support/board.ts";

const config = { configurable: { thread_id: "t" } };
const state = defineAgentState({ messages: messages(), rounds: immutable(z.int(), 3), round: counter(), board });

function listen() {
  const told: [Rejection, RefusedUpdate][] = [];
  const onReject = (rejection: Rejection, refused: RefusedUpdate) => void told.push([rejection, refused]);
  return { told, onReject };
}

function graphOf(schema: unknown, update: unknown) {
  return new StateGraph(schema as ReturnType<typeof agentStateSchema>)
    .addNode("writer", () => update as never)
    .addEdge(START, "writer")
    .compile({ checkpointer: new MemorySaver() });
}

describe("onReject", () => {
  it("gets each field's refusal, as an agent state words it, while the others are applied", async () => {
    const { told, onReject } = listen();
    const update = { messages: { nobody: "said this" }, rounds: 5, round: 1, board: { type: "nuke" } };
    const result = await graphOf(agentStateSchema(state, { onReject }), update).invoke({ rounds: 4 } as never, config);
    expect(result as unknown).toMatchObject({ messages: [], rounds: 4, round: 1, board: null });
    const { rejections } = state.transition(state.reduce(undefined, { rounds: 4 }), update);
    const byField = Object.fromEntries(told.map(([rejection, { field }]) => [field, rejection]));
    expect(byField).toEqual(rejections);
    expect(Object.keys(byField)).toEqual(expect.arrayContaining(["messages", "rounds", "board"]));
    expect(told.map(([, refused]) => refused)).toContainEqual({ field: "rounds", update: 5 });
  });

  it.each([
    ["an overwrite", { __overwrite__: 9 }, "bypass"],
    ["an Overwrite", new Overwrite(9), "bypass"],
    ["a BigInt", { n: 1n }, "No checkpoint can store"],
    ["a function", () => 1, "No checkpoint can store"],
  ])("is called for %s, which no field sees", async (_, update, words) => {
    const { told, onReject } = listen();
    const graph = graphOf(agentStateSchema(state, { onReject }), { round: update });
    expect((await graph.invoke({}, config)) as unknown).toMatchObject({ round: 0 });
    expect(told[0]).toMatchObject([
      { code: "invalid_operation", path: "/round", message: expect.stringContaining(words) },
      { field: "round" },
    ]);
  });

  it.each([
    ["stateField", stateField],
    ["snapshotField", snapshotField],
  ] as const)("is called by %s, in the definition's words", async (_, fieldOf) => {
    const { told, onReject } = listen();
    const update = board.op.remove({ cardId: "T-9" });
    const schema = new StateSchema({ cards: fieldOf(board, { onReject }) as ReturnType<typeof stateField> });
    await graphOf(schema, { cards: update }).invoke({ cards: sample } as never, config);
    const { rejection } = board.transition(sample, update) as { rejection: Rejection };
    expect(told).toContainEqual([rejection, { field: "board", update }]);
  });

  it("does not get a submission, whose verdict is recorded", async () => {
    const { told, onReject } = listen();
    const schema = new StateSchema({ cards: snapshotField(board, { onReject }) });
    const operation = board.op.remove({ cardId: "T-9" });
    const graph = graphOf(schema, { cards: { type: "$submission", id: "1", operation } });
    expect((await graph.invoke({ cards: sample } as never, config)) as unknown).toMatchObject({
      cards: { outcomes: { 1: { accepted: false } } },
    });
    expect(told).toEqual([]);
  });

  it("gets what is written beside the thread to a field that stores its version only", async () => {
    const { told, onReject } = listen();
    const thread = await openSample();
    const schema = new StateSchema({ cards: snapshotField(board, { checkpoint: "version", onReject }) });
    const operation = board.op.remove({ cardId: "T-1" });
    await graphOf(schema, { cards: operation }).invoke({}, config);
    expect(told[0]).toMatchObject([{ code: "invalid_operation", message: expect.stringContaining("thread") }, {}]);
    const { length } = told;
    await graphOf(schema, { cards: snapshotOf(thread, { checkpoint: "version" }) }).invoke({}, config);
    expect(told).toHaveLength(length);
  });

  it.each(["state", "version"] as const)(
    "does not get a thread's snapshot that lost its mark in a checkpoint, in a field that stores the %s",
    async (checkpoint) => {
      const { told, onReject } = listen();
      const schema = new StateSchema({ cards: snapshotField(board, { checkpoint, onReject }) });
      const stored: unknown = JSON.parse(JSON.stringify(snapshotOf(await openSample(), { checkpoint })));
      await graphOf(schema, { cards: stored }).invoke({}, config);
      expect(told).toEqual([]);
    },
  );

  it("gets nothing when updates are accepted, equal, or none", async () => {
    const { told, onReject } = listen();
    const graph = graphOf(agentStateSchema(state, { onReject }), { messages: "Hi", rounds: 5, round: null });
    await graph.invoke({}, config);
    await graph.invoke({ rounds: 5, board: undefined } as never, config);
    expect(told).toEqual([]);
  });
});

describe("a refusal", () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  afterEach(() => {
    warn.mockClear();
    vi.unstubAllEnvs();
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
  ])("leaves the run and the thread as they are when onReject %s", async (_, onReject) => {
    const graph = graphOf(agentStateSchema(state, { onReject }), { round: "many" });
    expect((await graph.invoke({ round: 1 } as never, config)) as unknown).toMatchObject({ round: 1 });
    expect((await graph.getState(config)).values).toMatchObject({ round: 1 });
    expect(warn).toHaveBeenCalledWith("onReject threw: boom", { code: "OPSTATE_ON_REJECT" });
  });

  it("is a warning in development, once for each field and reason", async () => {
    const graph = graphOf(agentStateSchema(state), { round: "many", rounds: "many" });
    await graph.invoke({}, config);
    await graph.invoke({}, config);
    expect(warn.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringContaining('An update of "round" was refused (invalid_operation) and changed nothing.'),
      expect.stringContaining('An update of "rounds" was refused'),
    ]);
  });

  it("is no warning in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    await graphOf(agentStateSchema(state), { round: "many" }).invoke({}, config);
    expect(warn).not.toHaveBeenCalled();
  });
});
