import { append, counter, defineAgentState, defineState, immutable, messages, oneOf, replace } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const board = defineState({
  name: "board",
  schema: z.object({ cards: z.array(z.string()), count: z.int() }),
  initial: null,
  derive: { "/count": (state) => state.cards.length },
  operations: {
    add: { input: z.object({ card: z.string().min(1) }), apply: (draft, { card }) => void draft.cards.push(card) },
  },
  // Updates that cannot be read.
  onFailure: () => undefined,
});
const debate = defineAgentState({
  messages: messages(),
  round: counter(),
  topic: immutable(""),
  maxRounds: immutable(3),
  status: oneOf(["running", "completed", "error"]),
  notes: append(z.string()),
  summary: replace(z.string().nullable()),
  board,
});

describe("an agent state", () => {
  it("starts with its fields' initial values", () => {
    expect(debate.initial).toEqual({
      messages: [],
      round: 0,
      topic: "",
      maxRounds: 3,
      status: "running",
      notes: [],
      summary: null,
      board: null,
    });
    expect(debate.reduce(undefined, null)).toBe(debate.initial);
  });

  it("folds partials, each field by its own rule", () => {
    const first = debate.reduce(undefined, {
      topic: "tabs",
      messages: { role: "user", content: "Go", id: "1" },
      round: 1,
      board: { cards: ["a"] },
    });
    const second = debate.reduce(first, {
      round: 1,
      notes: ["x", "y"],
      status: "completed",
      board: board.op.add({ card: "b" }),
    });
    expect(second).toEqual({
      messages: [{ id: "1", type: "human", content: "Go" }],
      round: 2,
      topic: "tabs",
      maxRounds: 3,
      status: "completed",
      notes: ["x", "y"],
      summary: null,
      board: { cards: ["a", "b"], count: 2 },
    });
    expect(second.messages).toBe(first.messages);
  });

  it("applies what it can and reports the rest by field", () => {
    const start = debate.reduce(undefined, { topic: "tabs", board: { cards: [] } });
    const result = debate.transition(start, {
      topic: "spaces",
      round: 1,
      status: "paused",
      board: { type: "add", card: "" },
      notes: "kept",
      mood: "bad",
      summary: null,
    });
    expect(result.state).toEqual({ ...start, round: 1, notes: ["kept"] });
    expect(result.applied).toEqual(["round", "notes"]);
    expect(result.rejections).toMatchObject({
      topic: { code: "refused", reason: "immutable", path: "/topic" },
      status: { code: "invalid_state", path: "/status" },
      board: { code: "invalid_operation", path: "/board/card" },
      mood: {
        code: "invalid_operation",
        message: expect.stringContaining('"mood"'),
        details: { known: Object.keys(debate.fields) },
      },
    });
    expect(Object.keys(result.rejections)).toHaveLength(4);
  });

  it("changes nothing for null, undefined and equal values", () => {
    const state = debate.reduce(undefined, { topic: "tabs", messages: ["Go"], board: { cards: ["a"] } });
    const { round: _round, notes: _notes, ...again } = structuredClone(state);
    expect(debate.reduce(state, again)).toBe(state);
    expect(debate.reduce(state, { round: undefined, topic: null, board: undefined })).toBe(state);
    expect(debate.reduce(state, {})).toBe(state);
  });

  it("accepts a first update, or a function that gives one", () => {
    const started = defineAgentState(
      { topic: immutable(""), round: counter() },
      { initial: () => ({ topic: "tabs", round: 1 }) },
    );
    expect(started.initial).toEqual({ topic: "tabs", round: 1 });
    expect(started.transition(undefined, { topic: "spaces" }).rejections).toHaveProperty("topic");
    expect(defineAgentState({ round: counter(2) }, { initial: { round: 1 } }).initial).toEqual({ round: 3 });
    expect(() => defineAgentState({ round: counter() }, { initial: { round: 0.5 } })).toThrow(/round/);
  });

  it("has a schema that parses a state, old ones too", () => {
    const state = debate.reduce(undefined, { topic: "tabs", messages: [["user", "Go"]], board: { cards: ["a"] } });
    expect(debate.schema.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
    expect(z.parse(debate.schema, { topic: "tabs" })).toEqual({ ...debate.initial, topic: "tabs" });
    expect(debate.schema.safeParse({ status: "paused" }).success).toBe(false);
    expect(debate.schema.safeParse({ board: { cards: [] } }).success).toBe(false);
    expect(debate.schema.parse({})).not.toBe(debate.schema.parse({}));
    const { notes } = debate.schema.parse({});
    notes.push("mine alone");
    expect(debate.initial.notes).toEqual([]);
  });

  it("fills in a field that an older state lacks, with the first change", () => {
    expect(debate.reduce({ topic: "tabs" } as never, { round: 1 })).toEqual({
      ...debate.initial,
      topic: "tabs",
      round: 1,
    });
  });

  it.each([
    ["a name of LangGraph's", { __start__: counter() }, "__start__"],
    ["a name with a slash", { "a/b": counter() }, "a/b"],
    ["a value for a field", { round: 0 }, "round"],
    ["a factory for a field", { round: counter }, "round"],
    ["a list", [counter()], "must be an object"],
    ["nothing", undefined, "must be an object"],
  ])("throws for %s", (_, fields, named) => {
    expect(() => defineAgentState(fields as never)).toThrow(
      expect.objectContaining({ code: "invalid_definition", message: expect.stringContaining(named) }),
    );
  });
});

const hostile = new Proxy(
  {},
  { get: boom, has: boom, ownKeys: boom, getOwnPropertyDescriptor: boom, getPrototypeOf: boom },
);
function boom(): never {
  throw new Error("hostile");
}
const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;
const revoked = Proxy.revocable([], {});
revoked.revoke();
const getter = {
  get topic() {
    return boom();
  },
};
/** Too hostile for a generator that looks at what it makes. */
const unreadable = [
  hostile,
  [hostile],
  cyclic,
  revoked.proxy,
  getter,
  { _getType: boom },
  new (class {
    _getType = boom;
  })(),
  Object.create({ _getType: () => "ai" }),
  Array(1e9),
  Object.create({ _getType: () => hostile }),
];
const oneField = (value: unknown) =>
  fc
    .constantFrom(...Object.keys(debate.fields), "mood", "__proto__")
    .map((name) => Object.fromEntries([[name, value]]));
const garbage = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
  fc.constantFrom<unknown>(
    NaN,
    1n,
    "",
    [],
    { __overwrite__: [] },
    { type: "remove" },
    { type: "toString" },
    { lc: 1, type: "constructor", id: [], kwargs: {} },
    { constructor: 1 },
  ),
);
const partial = fc.record(
  {
    messages: fc.oneof(
      fc.string(),
      fc.array(
        fc.record({ role: fc.constantFrom("user", "ai"), content: fc.string(), id: fc.constantFrom("a", "b") }),
        { maxLength: 3 },
      ),
      fc.record({ type: fc.constant("remove"), id: fc.constantFrom("a", "b", "__remove_all__") }),
    ),
    round: fc.integer({ min: -2, max: 2 }),
    topic: fc.constantFrom("", "tabs", "spaces"),
    status: fc.constantFrom("running", "error", "paused"),
    notes: fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 })),
    summary: fc.option(fc.string()),
    board: fc.oneof(
      fc.record({ cards: fc.array(fc.string(), { maxLength: 3 }) }),
      fc.record({ type: fc.constant("add"), card: fc.string({ maxLength: 2 }) }),
    ),
  },
  { requiredKeys: [] },
);
const update = fc.oneof(
  { weight: 6, arbitrary: partial },
  { weight: 2, arbitrary: garbage },
  { weight: 2, arbitrary: garbage.chain(oneField) },
);

interface Step {
  readonly state: typeof debate.initial;
  /** A copy of the state, made before the transition. */
  readonly before: unknown;
  readonly update: unknown;
  readonly result: ReturnType<typeof debate.transition>;
}

/** Checks every step of random updates; gives the sum of what `check` returned. */
function everyStep(check: (step: Step) => number): number {
  let sum = 0;
  fc.assert(
    fc.property(fc.array(update, { minLength: 8, maxLength: 25, size: "max" }), (updates) => {
      let state = debate.initial;
      for (const update of updates) {
        const before = structuredClone(state);
        const result = debate.transition(state, update);
        sum += check({ state, before, update, result });
        state = result.state;
      }
    }),
    { numRuns: 200 },
  );
  return sum;
}

describe("the laws", () => {
  it("no update throws or mutates, and the same update gives the same result", () => {
    everyStep(({ state, before, update, result }) => {
      expect(state).toEqual(before);
      expect(debate.transition(state, update)).toEqual(result);
      expect(debate.reduce(state, update as never)).toEqual(result.state);
      return 0;
    });
  });

  it("a refused field keeps its reference, and its reason is at most 2 KB", () => {
    const refused = everyStep(({ state, result }) => {
      if (result.applied.length === 0) expect(result.state).toBe(state);
      for (const [name, rejection] of Object.entries(result.rejections)) {
        expect(JSON.stringify(rejection).length).toBeLessThanOrEqual(2048);
        expect(Reflect.get(result.state, name)).toBe(Reflect.get(state, name));
      }
      return Object.keys(result.rejections).length;
    });
    expect(refused).toBeGreaterThan(500);
  });

  it("the next state satisfies the schema, and each field is updated independently of the others", () => {
    const applied = everyStep(({ state, update, result }) => {
      expect(debate.schema.safeParse(result.state)).toEqual({ success: true, data: result.state });
      for (const name of result.applied) {
        const alone = debate.reduce(state, { [name]: Reflect.get(Object(update), name) });
        expect(alone[name]).toEqual(result.state[name]);
      }
      return result.applied.length;
    });
    expect(applied).toBeGreaterThan(1000);
  });

  it("what cannot be read is refused, as an update, as a field's, and beside what can", () => {
    const state = debate.reduce(undefined, { topic: "tabs", messages: "Go" });
    for (const value of unreadable) {
      const whole = debate.transition(state, value);
      expect(whole.state).toBe(state);
      for (const name of Object.keys(debate.fields)) {
        const { state: next, rejections } = debate.transition(state, {
          [name]: value,
          ...(name === "round" ? {} : { round: 1 }),
        });
        expect(Reflect.get(next, name)).toBe(name === "round" ? 0 : Reflect.get(state, name));
        expect(rejections).toHaveProperty(name);
        expect(JSON.parse(JSON.stringify(next))).toEqual(next);
      }
      expect(debate.transition(value as never, { round: 1 }).state).toBeDefined();
    }
    expect(debate.transition(state, getter).rejections).toMatchObject({ topic: { code: "invalid_operation" } });
    expect(
      Object.keys(
        debate.transition(state, Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1])))
          .rejections,
      ),
    ).toHaveLength(10);
  });

  it("no present state makes it throw, and what cannot be read stays as it is", () => {
    fc.assert(
      fc.property(garbage, update, (current, update) => {
        const result = debate.transition(current as never, update);
        if (result.applied.length === 0) expect(result.state).toBe(current ?? debate.initial);
      }),
      { numRuns: 500 },
    );
  });

  it("lists and counts do not care how their updates are cut", () => {
    const fields = defineAgentState({ notes: append(z.string()), round: counter(), messages: messages() });
    const message = fc.record({
      role: fc.constant("user"),
      content: fc.string({ maxLength: 2 }),
      id: fc.constantFrom("a", "b", "c"),
    });
    fc.assert(
      fc.property(
        fc.array(fc.record({ note: fc.string(), by: fc.integer({ min: -9, max: 9 }), message }), {
          minLength: 2,
          maxLength: 20,
          size: "max",
        }),
        (steps) => {
          const one = steps.reduce(
            (state, { note, by, message }) => fields.reduce(state, { notes: note, round: by, messages: message }),
            fields.initial,
          );
          const all = fields.reduce(undefined, {
            notes: steps.map(({ note }) => note),
            round: steps.reduce((sum, { by }) => sum + by, 0),
            messages: steps.map(({ message }) => message),
          });
          expect(all).toEqual(one);
        },
      ),
    );
  });
});

describe("the submission of an agent state's update", () => {
  const list = (name: string) =>
    defineState({
      name,
      schema: z.object({ items: z.array(z.object({ id: z.string(), at: z.string() })) }),
      initial: { items: [] },
      operations: {
        add: {
          input: z.object({}),
          apply(draft, _, { id, now }) {
            draft.items.push({ id: id(), at: now });
          },
        },
      },
    });
  const state = defineAgentState({ todo: list("todo"), done: list("done") });
  const update = { todo: { type: "add" }, done: { type: "add" } } as const;

  it("gives each definition among the fields ids of its own, and its time", () => {
    const context = { id: "s", at: "2030-01-01T00:00:00.000Z" };
    const { todo, done } = state.reduce(undefined, update, context);
    expect(todo.items).toMatchObject([{ at: context.at }]);
    expect(todo.items[0]?.id).not.toBe(done.items[0]?.id);
    expect(state.reduce(undefined, update, context)).toEqual({ todo, done });
  });

  it("is needed by an operation that reads the time", () => {
    expect(state.transition(undefined, update).rejections).toMatchObject({
      todo: { reason: "needs_submission" },
      done: { reason: "needs_submission" },
    });
  });
});
