// Core's field reducers in LangGraph's own graphs: `messages()` beside the reducer that it
// replaces, and fields as channels.

import {
  AIMessage,
  AIMessageChunk,
  coerceMessageLikeToMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
  type BaseMessageLike,
} from "@langchain/core/messages";
import { Annotation, END, MemorySaver, messagesStateReducer, START, StateGraph } from "@langchain/langgraph";
import { append, counter, immutable, messages, type Message } from "@opstate/core";
import { fieldsFromDeclaration } from "@opstate/core/declaration";
import { agentStateSchema } from "@opstate/langgraph";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const chat = messages();
/** The same field as a graph has it, over LangChain's classes. */
const { reducer: held } = agentStateSchema({ messages: chat }).fields.messages;

const id = fc.constantFrom("a", "b", "c", "d");
const content = fc.oneof(
  fc.string({ maxLength: 2 }),
  fc.array(fc.record({ type: fc.constant("text"), text: fc.string({ maxLength: 2 }) }), { maxLength: 2 }),
);
const fields = fc.record({ content: fc.string({ maxLength: 2 }), id }, { requiredKeys: ["content"] });
/** Made twice, for LangGraph's reducer writes ids into what it is given. */
const like: fc.Arbitrary<() => unknown> = fc.oneof(
  { weight: 3, arbitrary: fields.map((given) => () => new HumanMessage(given)) },
  {
    weight: 2,
    arbitrary: fields.map(
      (given) => () =>
        Object.assign(new AIMessage({ ...given, tool_calls: [{ id: "c1", name: "add", args: { a: [1] } }] }), {
          usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
        }),
    ),
  },
  { weight: 1, arbitrary: fields.map((given) => () => new AIMessageChunk(given)) },
  {
    weight: 1,
    arbitrary: fields.map((given) => () => new ToolMessage({ ...given, tool_call_id: "c1", artifact: { rows: [1] } })),
  },
  {
    weight: 1,
    arbitrary: fields.map((given) => () => new SystemMessage({ ...given, additional_kwargs: { cached: true } })),
  },
  { weight: 1, arbitrary: fields.map((given) => () => JSON.parse(JSON.stringify(new AIMessage(given)))) },
  {
    weight: 2,
    arbitrary: fc
      .record({ role: fc.constantFrom("user", "human", "assistant", "ai", "system", "developer"), content })
      .map((given) => () => ({ ...given })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ type: fc.constantFrom("human", "ai", "system"), content, id })
      .map((given) => () => ({ ...given })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("user", "ai", "system"), fc.string({ maxLength: 2 }))
      .map((given) => () => [...given]),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 2 }).map((given) => () => given) },
  { weight: 2, arbitrary: id.map((id) => () => new RemoveMessage({ id })) },
  { weight: 1, arbitrary: id.map((id) => () => ({ type: "remove", id })) },
);
const removeAll = fc.constant(() => new RemoveMessage({ id: "__remove_all__" }));
/**
 * After a removal of all LangGraph uses the rest unmerged, so only messages of different ids, or
 * none, follow one here.
 */
const cleared = fc
  .tuple(fc.array(like, { maxLength: 2 }), removeAll, fields)
  .map(([before, all, given]) => [...before, all, () => new HumanMessage(given)]);
const update = fc.oneof({ weight: 8, arbitrary: fc.array(like, { maxLength: 5 }) }, { weight: 1, arbitrary: cleared });

/** A message for comparison: as LangChain itself sees it, without an id that was made up. */
function seen(message: BaseMessage, known: ReadonlySet<string>) {
  const { type, content, id, name, additional_kwargs } = message;
  const { tool_calls, tool_call_id, usage_metadata, artifact } = message as AIMessage & ToolMessage;
  return {
    type,
    content,
    id: id !== undefined && known.has(id) ? id : "made up",
    name,
    additional_kwargs,
    tool_calls: tool_calls ?? [],
    tool_call_id,
    usage_metadata,
    artifact,
  };
}
const known = new Set(["a", "b", "c", "d"]);

describe("messages()", () => {
  it("contains what LangGraph's messagesStateReducer gives, and refuses where it throws", () => {
    let changed = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.array(update, { minLength: 3, maxLength: 12, size: "max" }), (updates) => {
        let theirs: BaseMessage[] = [];
        let ours: Message[] = [];
        let classes: BaseMessage[] = [];
        for (const makers of updates) {
          const theirNext = attempt(() =>
            messagesStateReducer(
              theirs,
              makers.map((make) => make() as BaseMessageLike),
            ),
          );
          const result = chat.transition(
            ours,
            makers.map((make) => make()),
          );
          expect(result.accepted).toBe(theirNext !== undefined);
          const before = classes;
          classes = held(
            classes,
            makers.map((make) => make() as BaseMessageLike),
          );
          if (theirNext === undefined) expect(classes).toBe(before);
          else
            expect(classes.map((message) => seen(message, known))).toEqual(
              theirNext.map((message) => seen(message, known)),
            );
          expect(held(structuredCopy(classes), classes)).toHaveLength(classes.length);
          if (theirNext === undefined) {
            refused++;
            expect(result.state).toBe(ours);
            continue;
          }
          if (result.state !== ours) changed++;
          ours = result.state;
          theirs = theirNext;
          expect(JSON.parse(JSON.stringify(ours))).toEqual(ours);
          expect(ours.map((message) => seen(coerceMessageLikeToMessage(message), known))).toEqual(
            theirs.map((message) => seen(message, known)),
          );
          expect(
            chat(
              ours,
              ours.map((message) => coerceMessageLikeToMessage(message)),
            ),
          ).toBe(ours);
        }
      }),
      { numRuns: 200 },
    );
    expect(changed).toBeGreaterThan(300);
    expect(refused).toBeGreaterThan(100);
  });
});

describe("fields as channels", () => {
  const { log } = fieldsFromDeclaration("- { name: log, type: list, reducer: append }");
  if (log === undefined) throw new Error("the declaration has a log");
  const topic = immutable("");
  const State = Annotation.Root({
    messages: Annotation({ reducer: chat, default: chat.default }),
    round: Annotation({ reducer: counter(), default: () => 0 }),
    notes: Annotation({ reducer: append(), default: (): unknown[] => [] }),
    topic: Annotation({ reducer: topic, default: topic.default }),
    log: Annotation({ reducer: log, default: (): unknown => [] }),
  });

  it("fold what nodes write, and survive invalid writes", async () => {
    const graph = new StateGraph(State)
      .addNode("talk", (state) => ({
        messages: new AIMessage({ content: `About ${state.topic}`, id: "2" }),
        round: 1,
        notes: ["x"],
        topic: "another",
        log: [new AIMessage({ content: "l", id: "l" })],
      }))
      .addNode("spoil", () => ({
        messages: [new RemoveMessage({ id: "nobody" })],
        round: "garbage" as never,
        topic: null,
        notes: undefined,
        log: [{ type: "remove", id: "l" }, "kept"],
      }))
      .addEdge(START, "talk")
      .addEdge("talk", "spoil")
      .addConditionalEdges("spoil", () => END)
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "t" } };
    await graph.invoke({ messages: ["Hello"], topic: "tabs" }, config);
    const expected = {
      messages: [
        { type: "human", content: "Hello" },
        { type: "ai", content: "About tabs", id: "2" },
      ],
      round: 1,
      notes: ["x"],
      topic: "tabs",
      log: ["kept"],
    };
    expect((await graph.getState(config)).values).toMatchObject(expected);
    expect(await graph.invoke({ messages: [], round: null as never }, config)).toMatchObject({
      round: 2,
      topic: "tabs",
      notes: ["x", "x"],
      log: ["kept", "kept"],
    });
  });
});

/** The list as a checkpoint gives it back: other objects, the same messages. */
function structuredCopy(list: readonly BaseMessage[]): BaseMessage[] {
  return list.map((message) => coerceMessageLikeToMessage(JSON.parse(JSON.stringify(message))));
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
