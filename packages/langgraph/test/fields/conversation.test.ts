// Conversations: what LangGraph's add_messages accepts, in every field that has one, and
// LangChain's classes in the others.

import {
  AIMessage,
  BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  mapStoredMessagesToChatMessages,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessageLike,
} from "@langchain/core/messages";
import { END, MemorySaver, messagesStateReducer, REMOVE_ALL_MESSAGES, START, StateGraph } from "@langchain/langgraph";
import { toolsCondition, ToolNode } from "@langchain/langgraph/prebuilt";
import { append, defineAgentState, immutable, messages, replace } from "@opstate/core";
import type { AgentFields } from "@opstate/core/definition";
import { fieldsFromDeclaration } from "@opstate/core/declaration";
import { agentStateSchema, type AgentStateSchema } from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel, tool } from "langchain";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { runs } from "../../../../tools/runs.ts";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };
const quiet = { onReject: () => undefined };

const merged: readonly (readonly [string, AgentFields])[] = [
  ["messages()", { messages: messages() }],
  ["a declared list", fieldsFromDeclaration("- { name: messages, type: list }")],
  ["a list of any JSON", { messages: append() }],
  ["a list typed as messages", { messages: append(z.custom<BaseMessage>()) }],
  ["a list of instances", { messages: append(z.instanceof(BaseMessage)) }],
];
const replaced: readonly (readonly [string, AgentFields])[] = [
  ["a declared list", fieldsFromDeclaration("- { name: messages, type: list, reducer: replace }")],
  ["a list typed as messages", { messages: replace(z.array(z.custom<BaseMessage>())) }],
  ["a type of messages", { messages: replace(z.custom<BaseMessage[]>(), []) }],
];

type Reducer = (current: unknown, update: unknown) => unknown;

function reducerOf(fields: AgentFields, field = "messages"): Reducer {
  const value = agentStateSchema(fields, quiet).fields[field];
  if (value === undefined) throw new Error(`no field ${field}`);
  return value.reducer as Reducer;
}

const id = fc.constantFrom("a", "b", "c");
const text = fc.string({ maxLength: 2 });
const content = fc.oneof(text, fc.array(fc.record({ type: fc.constant("text"), text }), { maxLength: 2 }));
const given = fc.record({ content: text, id }, { requiredKeys: ["content"] });
const calls = [{ id: "c1", name: "add", args: { a: [1] } }];

/** Functions, for LangGraph's reducer writes ids into what it is given. */
const like: fc.Arbitrary<() => unknown> = fc.oneof(
  text.map((said) => () => said),
  fc.tuple(fc.constantFrom("user", "human", "ai", "assistant", "system"), content).map((pair) => () => [...pair]),
  fc
    .record(
      { role: fc.constantFrom("user", "assistant", "system", "developer"), content, id },
      { requiredKeys: ["role", "content"] },
    )
    .map((fields) => () => ({ ...fields })),
  given.map((fields) => () => ({ ...fields, type: "human" })),
  given.map((fields) => () => new HumanMessage(fields)),
  given.map((fields) => () => new AIMessage({ ...fields, tool_calls: calls, name: "bot" })),
  given.map((fields) => () => new SystemMessage(fields)),
  given.map((fields) => () => new ToolMessage({ ...fields, tool_call_id: "c1", status: "error" })),
  given.map((fields) => () => new ChatMessage({ ...fields, role: "critic" })),
  given.map((fields) => () => new FunctionMessage({ ...fields, name: "f" })),
  given.map((fields) => () => JSON.parse(JSON.stringify(new AIMessage(fields)))),
  id.map((known) => () => new RemoveMessage({ id: known })),
  id.map((known) => () => ({ type: "remove", id: known })),
);
/** After a removal of all LangGraph uses the rest unmerged: here what merging does not change. */
const anew = given.map((fields) => [
  () => new RemoveMessage({ id: REMOVE_ALL_MESSAGES }),
  () => new HumanMessage(fields),
]);
const update = fc.oneof(
  { weight: 8, arbitrary: fc.array(like, { maxLength: 4 }) },
  { weight: 1, arbitrary: anew },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.array(like, { maxLength: 2 }), anew).map(([before, after]) => [...before, ...after]),
  },
);
const known = new Set(["a", "b", "c"]);

/** A message as a model or a tool node sees it, without an id that was made up. */
function seen(message: unknown) {
  if (!BaseMessage.isInstance(message)) return { message };
  const { type, content: said, id: own, name, additional_kwargs } = message;
  const { tool_calls = [], tool_call_id, status, role } = message as AIMessage & ToolMessage & ChatMessage;
  return {
    class: message.constructor.name,
    ...{ type, content: said, id: own !== undefined && known.has(own) ? own : typeof own },
    ...{ name, additional_kwargs, tool_calls, tool_call_id, status, role },
  };
}

function firstMessages(schema: { getChannels(): Record<string, { get(): unknown }> }): unknown[] {
  const value = schema.getChannels()["messages"]?.get();
  return Array.isArray(value) ? value : [];
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Runs updates through a field and through LangGraph's reducer; a refusal is where that throws. */
function compare(reducer: Reducer, isReplaced: boolean) {
  const counts = { changed: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(update, { minLength: 2, maxLength: 8, size: "max" }), (updates) => {
      let theirs: BaseMessage[] = [];
      let ours: unknown = [];
      for (const makers of updates) {
        const likes = () => makers.map((make) => make() as BaseMessageLike);
        const next = attempt(() => messagesStateReducer(isReplaced ? [] : theirs, likes()));
        const before = ours;
        ours = reducer(ours, likes());
        if (next === undefined) {
          counts.refused++;
          expect(ours).toBe(before);
          continue;
        }
        if (ours !== before) counts.changed++;
        theirs = next;
        expect((ours as unknown[]).map(seen)).toEqual(theirs.map(seen));
        // What a checkpoint brings back is the same list, and sent back it changes nothing.
        const stored = mapStoredMessagesToChatMessages((ours as BaseMessage[]).map((message) => message.toDict()));
        expect(reducer(stored, ours)).toBe(stored);
        expect(reducer(ours, stored)).toBe(ours);
      }
    }),
    { numRuns: runs(120, 2_000) },
  );
  expect(counts.changed).toBeGreaterThan(100);
  expect(counts.refused).toBeGreaterThan(30);
}

describe("a conversation is what LangGraph's messagesStateReducer makes of it", () => {
  it.each(merged)("in %s", (_, fields) => compare(reducerOf(fields), false));
  it.each(replaced)("in %s that is replaced, with each update anew", (_, fields) => compare(reducerOf(fields), true));

  it.each([...merged, ...replaced])("in %s, for one message instead of a list", (_, fields) => {
    for (const one of ["hi", { role: "user", content: "hi" }, new HumanMessage("hi")])
      expect(reducerOf(fields)([], one)).toMatchObject([{ type: "human", content: "hi" }]);
    expect(reducerOf(fields)([], [["user", "hi"]])).toEqual([expect.any(HumanMessage)]);
  });
});

describe("a conversation", () => {
  const declared = (declaration: string) => agentStateSchema(fieldsFromDeclaration(declaration), quiet);
  const add = tool(({ a, b }) => String(a + b), {
    name: "add",
    description: "Add",
    schema: z.object({ a: z.number(), b: z.number() }),
  });

  it.each([...merged, ...replaced])("drives a tool node and a model: %s", async (_, fields) => {
    const isReplaced = replaced.some(([, other]) => other === fields);
    const model = fakeModel()
      .respond(call(["add", { a: 1, b: 2 }]))
      .respond(say("3"));
    const all = (said: readonly BaseMessage[], next: readonly BaseMessage[]) =>
      isReplaced ? [...said, ...next] : next;
    const graph = new StateGraph(
      agentStateSchema(fields) as AgentStateSchema<{ messages: ReturnType<typeof messages> }>,
    )
      .addNode("model", async ({ messages: said }) => ({ messages: all(said, [await model.invoke(said)]) as never }))
      .addNode("tools", async ({ messages: said }) => {
        const { messages: answers } = await new ToolNode([add]).invoke({ messages: said });
        return { messages: all(said, answers) as never };
      })
      .addEdge(START, "model")
      .addConditionalEdges("model", toolsCondition, ["tools", END])
      .addEdge("tools", "model")
      .compile({ checkpointer: new MemorySaver() });
    const { messages: said } = await graph.invoke({ messages: "1 + 2?" }, config);
    expect(said.map(({ type, text: words }) => [type, words])).toEqual([
      ["human", "1 + 2?"],
      ["ai", ""],
      ["tool", "3"],
      ["ai", "3"],
    ]);
    const { messages: stored } = (await graph.getState(config)).values as { messages: BaseMessage[] };
    expect(stored.map((message) => message.toDict())).toEqual(said.map((message) => message.toDict()));
  });

  it("keeps unchanged messages the same objects, when it is replaced too", () => {
    const reducer = reducerOf(fieldsFromDeclaration("- { name: messages, type: list, reducer: replace }"));
    const first = reducer([], ["a", { role: "assistant", content: "b", id: "2" }]) as BaseMessage[];
    const second = reducer(first, ["a", { role: "assistant", content: "c", id: "2" }]) as BaseMessage[];
    expect(second[0]).toBe(first[0]);
    expect(second).toMatchObject([{ content: "a" }, { content: "c" }]);
    expect(reducer(second, ["a", new AIMessage({ content: "c", id: "2" })])).toBe(second);
  });

  it("refuses what is not a message", () => {
    const told: string[] = [];
    const { messages: field } = agentStateSchema(
      { messages: append() },
      { onReject: ({ path = "" }) => void told.push(path) },
    ).fields;
    const current: never[] = [];
    expect(field.reducer(current, [{ n: 2 }])).toBe(current);
    expect(told).toEqual(["/messages/0/type"]);
  });

  it("starts with messages, or is not defined", () => {
    const started = declared(`
- name: messages
  type: list
  default: ["Hi", { role: assistant, content: "Yes" }]
`);
    expect(firstMessages(started).map(seen)).toEqual(
      [new HumanMessage({ id: "x", content: "Hi" }), new AIMessage({ id: "x", content: "Yes" })].map(seen),
    );
    expect(() => declared("- { name: messages, type: list, default: [{ n: 1 }] }")).toThrow(
      'The initial value of "messages" must be messages',
    );
  });

  it("is what a typed list of its own schema makes of it, where that describes plain items", () => {
    const Item = z.object({ type: z.literal("human"), content: z.string(), id: z.string() });
    const reducer = reducerOf({ messages: append(Item) });
    expect(reducer([], "hi")).toEqual([]);
    expect(reducer([], { type: "human", content: "hi", id: "1" })).toEqual([{ type: "human", content: "hi", id: "1" }]);
  });
});

describe("a graph's result", () => {
  // Not a list of instances: its own schema refuses their JSON.
  it.each(merged.slice(0, -1))("is parsed back from its JSON: %s", async (_, fields) => {
    const state = defineAgentState({ ...fields, answer: replace(z.custom<AIMessage>()) });
    const graph = new StateGraph(agentStateSchema(state) as unknown as AgentStateSchema<AgentFields>)
      .addNode("talk", () => ({
        messages: [
          "Hello",
          new AIMessage({ content: "Hi", tool_calls: calls }),
          new ToolMessage({ content: "1", tool_call_id: "c1" }),
        ],
        answer: new AIMessage({ content: "Hi", id: "9" }),
      }))
      .addEdge(START, "talk")
      .compile();
    const result = await graph.invoke({});
    const parsed = state.schema.parse(JSON.parse(JSON.stringify(result)));
    expect(parsed).toMatchObject({
      messages: [
        { type: "human", content: "Hello" },
        { type: "ai", content: "Hi", tool_calls: [{ name: "add", args: { a: [1] } }] },
        { type: "tool", content: "1", tool_call_id: "c1" },
      ],
      answer: { type: "ai", content: "Hi", id: "9" },
    });
    expect(state.schema.parse(result)).toEqual(parsed);
    // And it is a state to go on from, in a graph too.
    expect(reducerOf(fields)(result["messages"], (parsed as Record<string, unknown>)["messages"])).toBe(
      result["messages"],
    );
  });
});

describe("LangChain's classes in other fields", () => {
  const scratch = fieldsFromDeclaration(`
- { name: drafts, type: list, reducer: append }
- { name: plan, type: list }
- { name: last, type: any }
`);

  it("stay classes: as an item that is appended or replaced, and as the value", () => {
    const message = new AIMessage({ content: "x", tool_calls: calls, id: "1" });
    const drafts = reducerOf(scratch, "drafts")([], [message, { role: "user", content: "y" }, "z"]) as unknown[];
    expect(drafts.map(seen)).toEqual([
      seen(message),
      { message: expect.objectContaining({ role: "user" }) },
      { message: "z" },
    ]);
    expect((reducerOf(scratch, "plan")([], [1, message]) as unknown[]).map(seen)).toEqual(
      [{ message: 1 }, seen(message)].map((item) => item),
    );
    expect(seen(reducerOf(scratch, "last")(null, message))).toEqual(seen(message));
    expect(reducerOf({ answer: immutable() }, "answer")(null, message)).toBeInstanceOf(AIMessage);
    const idless = reducerOf(scratch, "drafts")([], new AIMessage("no id")) as BaseMessage[];
    expect(idless[0]).toBeInstanceOf(AIMessage);
    expect(idless[0]?.id).toEqual(expect.any(String));
  });

  it("are merged by id in a declared list, and stay the same objects while nothing happens to them", () => {
    const reducer = reducerOf(scratch, "drafts");
    const one = reducer([], [new AIMessage({ content: "x", id: "1" }), "y"]) as unknown[];
    const two = reducer(one, [new AIMessage({ content: "z", id: "2" }), new RemoveMessage({ id: "1" })]) as unknown[];
    expect(two.map((item) => (BaseMessage.isInstance(item) ? item.content : item))).toEqual(["y", "z"]);
    const three = reducer(two, "more") as unknown[];
    expect(three[1]).toBe(two[1]);
    expect(three[1]).toBeInstanceOf(AIMessage);
  });

  it("do not double when an agent sends its whole state back", async () => {
    const note = () => ({ drafts: [new AIMessage({ content: "x" }), "y"] });
    const agent = createAgent({
      model: fakeModel().respond(say("1")).respond(say("2")),
      tools: [],
      stateSchema: agentStateSchema({ messages: messages(), drafts: append() }),
      middleware: [createMiddleware({ name: "idle", beforeModel: () => ({}) })],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke({ messages: "a", ...note() } as never, config);
    const { drafts } = await agent.invoke({ messages: "b" }, config);
    expect(drafts).toHaveLength(2);
    expect(drafts[0]).toBeInstanceOf(AIMessage);
  });

  it("become plain objects where a schema describes plain objects", () => {
    const plain = replace(z.object({ content: z.string() }));
    expect(reducerOf({ plain }, "plain")(null, new AIMessage({ content: "x", id: "1" }))).toEqual({ content: "x" });
  });
});
