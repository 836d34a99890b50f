// What a field must survive, in a compiled graph with a checkpointer: afterwards the thread is
// readable, resumable and unchanged.

import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, END, MemorySaver, Overwrite, START, StateGraph } from "@langchain/langgraph";
import { append, counter, defineAgentState, immutable, messages, oneOf, replace } from "@opstate/core";
import { fieldsFromDeclaration } from "@opstate/core/declaration";
import { agentStateSchema } from "@opstate/langgraph";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { board, sample } from "../support/board.ts";

const state = defineAgentState({
  messages: messages(),
  round: counter(),
  notes: append(z.object({ text: z.string() })),
  plan: replace(z.object({ steps: z.array(z.string()) }), { steps: [] }),
  topic: immutable(z.object({ title: z.string() })),
  status: oneOf(["running", "completed", "error"]),
  board,
  buggy: replace(
    z.string().refine((text) => {
      if (text === "boom") throw new Error("boom");
      return true;
    }),
    "",
  ),
  ...fieldsFromDeclaration([{ name: "declared", type: "dict" }]),
});
const Schema = agentStateSchema(state);
const names = Object.keys(state.fields);
const config = { configurable: { thread_id: "t" } };

const start = {
  messages: [new HumanMessage({ id: "1", content: "Hello" }), new AIMessage({ id: "2", content: "Hi" })],
  round: 2,
  notes: [{ text: "a" }],
  plan: { steps: ["look"] },
  topic: { title: "tabs" },
  status: "completed",
  board: sample,
  buggy: "fine",
  declared: { a: 1 },
} as const;

function graphOf(write: () => unknown) {
  return new StateGraph(Schema)
    .addNode("writer", () => write() as never)
    .addConditionalEdges("writer", () => END)
    .addEdge(START, "writer")
    .compile({ checkpointer: new MemorySaver() });
}
type Graph = ReturnType<typeof graphOf>;

async function expectUnchanged(graph: Graph, before: Record<string, unknown>): Promise<void> {
  expect((await graph.getState(config)).values).toEqual(before);
  let checkpoints = 0;
  for await (const _snapshot of graph.getStateHistory(config)) checkpoints += 1;
  expect(checkpoints).toBeGreaterThan(3);
  const after = await graph.invoke(
    { round: 1, notes: { text: "b" }, status: "running", board: board.op.remove({ cardId: "T-1" }) },
    config,
  );
  expect(after).toMatchObject({
    round: 3,
    notes: [{ text: "a" }, { text: "b" }],
    status: "running",
    topic: { title: "tabs" },
  });
  expect(after.board?.columns[0]?.cardCount).toBe(2);
  expect(after.messages).toEqual(before["messages"]);
}

async function started(
  write: () => unknown,
): Promise<{ readonly graph: Graph; readonly before: Record<string, unknown> }> {
  const graph = graphOf(write);
  await graph.invoke(start, config);
  const { values } = await graph.getState(config);
  return { graph, before: values };
}

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

/** What no field accepts. */
const everywhere: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["a BigInt", 1n],
  ["a BigInt deep inside", { steps: [{ a: [1n] }] }],
  ["a cycle", cyclic],
  ["a function", () => 1],
  ["a symbol", Symbol("x")],
  [
    "a proxy that throws",
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("boom");
        },
        get: () => undefined,
      },
    ),
  ],
  ["NaN", Number.NaN],
  ["a Map", new Map([["a", 1]])],
  ["a key __proto__", JSON.parse('{ "steps": [], "__proto__": { "text": "x" } }')],
  [
    "what LangChain would revive as a class",
    { lc: 1, type: "constructor", id: ["langchain_core", "messages", "HumanMessage"], kwargs: {} },
  ],
  ["what LangChain would revive as nothing", { lc: 2, type: "undefined" }],
  ["an overwrite in JSON", { __overwrite__: { steps: ["x"], text: "x", title: "x", a: 2, columns: [] } }],
  ["an overwrite in LangGraph's other form", { type: "__overwrite__", value: 99 }],
  ["an overwrite with a BigInt", { __overwrite__: 1n }],
  ["an instance of Overwrite", new Overwrite("error")],
];

/** What one field does not accept, or reads as its present value. */
const ofOneField: readonly (readonly [string, string, unknown])[] = [
  ["messages", "what is no message", { text: "Hello" }],
  ["messages", "one bad message among good ones", [{ role: "user", content: "x" }, 7]],
  ["messages", "a removal of an unknown id", { type: "remove", id: "nobody" }],
  ["messages", "what is there already", [{ type: "human", content: "Hello", id: "1" }]],
  ["messages", "an empty list", []],
  ["round", "a text", "1"],
  ["round", "a fraction", 0.5],
  ["round", "nothing", 0],
  ["round", "more than can be counted", Number.MAX_SAFE_INTEGER],
  ["notes", "one bad item among good ones", [{ text: "b" }, { text: 7 }]],
  ["notes", "an empty list", []],
  ["plan", "a value of another shape", { steps: "leap" }],
  ["plan", "an equal value", { steps: ["look"] }],
  ["topic", "another value, for what is set once", { title: "spaces" }],
  ["topic", "an equal value", { title: "tabs" }],
  ["status", "none of the values", "paused"],
  ["status", "an equal value", "completed"],
  ["board", "an unknown operation", { type: "nuke" }],
  ["board", "a refused operation", { type: "remove", cardId: "T-9" }],
  ["board", "an operation with a bug", { type: "explode" }],
  ["board", "an equal replacement", structuredClone(sample)],
  ["buggy", "a value whose check throws", "boom"],
  ["declared", "a value of another type", ["x"]],
];
const cases = [
  ...everywhere.map(([name, value]) => [name, Object.fromEntries(names.map((field) => [field, value]))] as const),
  ...ofOneField.map(([field, name, value]) => [`${field}: ${name}`, { [field]: value }] as const),
];

describe("the fields of an agentStateSchema survive", () => {
  it.each(cases)("%s, from a node", async (_name, update) => {
    const writes: unknown[] = [undefined, update];
    const { graph, before } = await started(() => writes.shift());
    await graph.invoke({}, config);
    await expectUnchanged(graph, before);
  });

  it.each(cases)("%s, as a command, as input and as a state update", async (_name, update) => {
    const writes: unknown[] = [undefined, new Command({ update: Object.entries(update) })];
    const { graph, before } = await started(() => writes.shift());
    await graph.invoke(update, config);
    await graph.updateState(config, update, "writer");
    await expectUnchanged(graph, before);
  });

  it.each([[null], [7], ["garbage"], [[1, 2]], [{ unknown: 1 }]])("%j in place of a whole update", async (update) => {
    const writes: unknown[] = [undefined, update];
    const { graph, before } = await started(() => writes.shift());
    await graph.invoke({}, config).catch(() => undefined);
    expect((await graph.getState(config)).values).toEqual(before);
  });
});
