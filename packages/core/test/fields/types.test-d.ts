import {
  append,
  counter,
  defineAgentState,
  defineState,
  immutable,
  messages,
  oneOf,
  replace,
  type Message,
  type StateOf,
} from "@opstate/core";
import type { AgentUpdate } from "@opstate/core/definition";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";

const board = defineState({
  name: "board",
  schema: z.object({ cards: z.array(z.string()) }),
  initial: null,
  operations: { add: { input: z.object({ card: z.string() }), apply: () => undefined } },
});
const debate = defineAgentState({
  messages: messages(),
  round: counter(),
  topic: immutable(""),
  status: oneOf(["running", "completed", "error"]),
  notes: append(z.object({ text: z.string() })),
  plan: replace(z.object({ steps: z.array(z.string()) }), { steps: [] }),
  summary: replace(z.string()),
  mode: replace(z.enum(["fast", "slow"]).default("fast")),
  limit: immutable(z.number(), 3),
  board,
});
type State = StateOf<typeof debate>;

describe("an agent state", () => {
  it("infers its state from its fields", () => {
    expectTypeOf<State>().toEqualTypeOf<{
      messages: Message[];
      round: number;
      topic: string;
      status: "running" | "completed" | "error";
      notes: { text: string }[];
      plan: { steps: string[] };
      summary: string | null;
      mode: "fast" | "slow";
      limit: number;
      board: { readonly cards: readonly string[] } | null;
    }>();
    expectTypeOf(debate.schema.parse({})).toEqualTypeOf<State>();
    expectTypeOf(debate.schema._zod.output).toEqualTypeOf<State>();
  });

  it("accepts what a node returns: a Partial of the state, and each field's updates, without casts", () => {
    expectTypeOf<Partial<State>>().toExtend<AgentUpdate<typeof debate.fields>>();
    const node = (state: State): Partial<State> => ({ round: 1, status: state.round > 3 ? "completed" : "running" });
    debate.reduce(debate.initial, node(debate.initial));
    debate.reduce(undefined, { messages: "Hi", notes: { text: "x" }, board: board.op.add({ card: "a" }), topic: null });
    debate.reduce(undefined, { summary: { type: "$clear" } });
    debate.reduce(undefined, {
      messages: [["user", "Hi"], { role: "assistant", content: "Yes" }, { type: "remove", id: "1" }],
    });
    expectTypeOf(debate.transition(undefined, {}).applied).toEqualTypeOf<readonly (keyof State)[]>();
  });

  it("refuses what no field accepts", () => {
    // @ts-expect-error no such status
    debate.reduce(undefined, { status: "paused" });
    // @ts-expect-error a field that allows no null cannot be cleared
    debate.reduce(undefined, { mode: { type: "$clear" } });
    // @ts-expect-error no such field
    debate.reduce(undefined, { mood: "bad" });
    // @ts-expect-error a count is a number
    debate.reduce(undefined, { round: "1" });
    // @ts-expect-error an initial value must fit its field
    defineAgentState({ round: counter() }, { initial: { round: "1" } });
    // @ts-expect-error an item must fit its schema
    append(z.string())([], 3);
    // @ts-expect-error a field is made, not written
    defineAgentState({ round: 0 });
  });
});

describe("a field", () => {
  it("is a reducer with a default, as LangGraph expects it", () => {
    const channel = <Value, Update>(parts: {
      reducer: (current: Value, update: Update) => Value;
      default: () => Value;
    }) => parts;
    expectTypeOf(channel({ reducer: counter(), default: counter().default }).default()).toEqualTypeOf<number>();
    expectTypeOf(oneOf(["a", "b"]))
      .parameter(1)
      .toEqualTypeOf<"a" | "b" | null | undefined>();
    expectTypeOf(append(z.array(z.number())))
      .parameter(1)
      .toEqualTypeOf<readonly number[][] | null | undefined>();
  });
});
