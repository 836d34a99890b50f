import { append, counter, defineAgentState, fixed, immutable, messages, oneOf, replace } from "@opstate/core";
import type { AnyField } from "@opstate/core/definition";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const CLEAR = { type: "$clear" } as const;

/** The rejection that an update gets; it must leave the very value that was there. */
function refusal(field: AnyField, current: unknown, update: unknown) {
  const result = field.transition(current, update);
  expect(result.state).toBe(current);
  expect(field(current, update)).toBe(current);
  return result.accepted ? undefined : result.rejection;
}

describe("append", () => {
  const notes = append(z.object({ text: z.string(), pinned: z.boolean().default(false) }));

  it("accepts an item or a list of items, with the schema's defaults and without unknown keys", () => {
    const one = notes([], { text: "a", extra: 1 } as never);
    expect(one).toEqual([{ text: "a", pinned: false }]);
    const three = notes(one, [
      { text: "b", pinned: true },
      { text: "c", pinned: false },
    ]);
    expect(three).toHaveLength(3);
    expect(three[0]).toBe(one[0]);
  });

  it("refuses all of an update whose one item is bad, and says where", () => {
    const current = notes([], { text: "a", pinned: false });
    expect(refusal(notes, current, [{ text: "b" }, { text: 3 }])).toMatchObject({
      code: "invalid_operation",
      path: "/1/text",
      operation: { type: "append" },
    });
  });

  it("changes nothing for an empty list", () => {
    const current = notes([], { text: "a", pinned: false });
    expect(notes(current, [])).toBe(current);
  });

  it("keeps a list that it cannot read, and says so", () => {
    expect(refusal(notes, { not: "a list" }, { text: "a" })).toMatchObject({ code: "invalid_state" });
    expect(refusal(notes, [{ text: 1 }], { text: "a" })).toMatchObject({ code: "invalid_state", path: "/0/text" });
  });

  it("without a schema appends any JSON", () => {
    expect(append()([1], [[2], { a: null }])).toEqual([1, [2], { a: null }]);
  });
});

describe("replace", () => {
  const plan = replace(z.object({ steps: z.array(z.object({ title: z.string() })) }), { steps: [] });

  it("has the newest value and shares what is equal", () => {
    const first = plan(undefined, { steps: [{ title: "look" }, { title: "leap" }] });
    const second = plan(first, { steps: [{ title: "look" }, { title: "land" }] });
    expect(second.steps[0]).toBe(first.steps[0]);
    expect(plan(second, structuredClone(second))).toBe(second);
  });

  it("refuses what breaks its schema", () => {
    const current = plan(undefined, { steps: [{ title: "look" }] });
    expect(refusal(plan, current, { steps: [{}] })).toMatchObject({ code: "invalid_state", path: "/steps/0/title" });
  });

  it("starts with its initial value, the schema's default, or null", () => {
    expect(replace(z.string(), "x").initial).toBe("x");
    expect(replace(z.string().default("y")).initial).toBe("y");
    expect(replace(z.string()).initial).toBeNull();
    expect(replace().initial).toBeNull();
    expect(replace(7).initial).toBe(7);
    expect(replace(7)(7, "8" as never)).toBe(7);
  });

  it("is set to null by a clear, and by nothing else", () => {
    const summary = replace(z.string());
    expect(summary("done", null)).toBe("done");
    expect(summary("done", CLEAR)).toBeNull();
    expect(summary(null, JSON.parse(JSON.stringify(CLEAR)))).toBeNull();
    expect(replace(z.string().nullable(), "a")("b", { type: "$clear" })).toBeNull();
    expect(replace()({ type: "$clear", more: 1 }, CLEAR)).toBeNull();
    expect(replace()(1, { type: "$clear", more: 1 })).toEqual({ type: "$clear", more: 1 });
    const state = defineAgentState({ summary, round: counter() });
    expect(state.reduce({ summary: "done", round: 1 }, { summary: CLEAR, round: 1 })).toEqual({
      summary: null,
      round: 2,
    });
  });

  it.each([
    ["replace, whose schema accepts no null", replace(z.string(), "a"), "b"],
    ["replace, whose schema has a default", replace(z.string().default("a")), "b"],
    ["oneOf", oneOf(["a", "b"]), "b"],
    ["immutable", immutable(), 1],
    ["fixed", fixed(3), 3],
    ["counter", counter(), 1],
    ["append", append(), [1]],
    ["messages", messages(), []],
  ] as const)("cannot be cleared: %s", (_, field: AnyField, current) => {
    expect(refusal(field, current, CLEAR)).toMatchObject({
      code: "invalid_operation",
      message: expect.stringContaining("only a replace() field can, whose schema accepts null"),
    });
  });

  it("replaces a value that broke its schema", () => {
    expect(plan("rubbish" as never, { steps: [] })).toEqual({ steps: [] });
  });

  it.each([
    ["a schema that transforms", () => replace(z.string().transform(Number) as never)],
    ["a date", () => append(z.date() as never)],
    ["an initial value that breaks the schema", () => replace(z.string().min(3), "a")],
    ["a default that is no value", () => replace((() => 1) as never)],
    ["no schema at all", () => replace({ not: "a schema" } as never)],
  ])("throws for %s", (_, make) => {
    expect(make).toThrow(expect.objectContaining({ code: "invalid_definition" }));
  });
});

describe("immutable", () => {
  it("counts its default as unset, keeps the first different value and refuses later ones", () => {
    const topic = immutable("");
    expect(topic(undefined, "")).toBe("");
    const set = topic(undefined, "tabs");
    expect(set).toBe("tabs");
    expect(topic(set, "tabs")).toBe("tabs");
    expect(refusal(topic, set, "spaces")).toMatchObject({
      code: "refused",
      reason: "immutable",
      details: { current: "tabs" },
    });
    expect(refusal(topic, set, "")).toMatchObject({ code: "refused" });
    expect(refusal(topic, "", 3)).toMatchObject({ code: "invalid_operation" });
  });

  it("is null until it is set, without a default", () => {
    const rounds = immutable(z.int());
    expect(rounds(undefined, null)).toBeNull();
    expect(rounds(null, 3)).toBe(3);
    expect(refusal(rounds, 3, 5)).toMatchObject({
      message: "The value is already set and cannot change",
      details: { current: 3 },
    });
  });

  it("is not set by its default, and says so when it refuses", () => {
    const rounds = immutable(z.int(), 3);
    expect(rounds(rounds(undefined, 3), 5)).toBe(5);
    expect(refusal(rounds, 5, 3)).toMatchObject({
      message: expect.stringContaining("once, in place of the default"),
      details: { current: 5, default: 3 },
    });
  });

  it("compares whole values", () => {
    const config = immutable(z.object({ model: z.string(), temperature: z.number() }));
    const set = config(undefined, { model: "m", temperature: 1 });
    expect(config(set, { temperature: 1, model: "m" })).toBe(set);
    expect(refusal(config, set, { model: "m", temperature: 0 })).toMatchObject({ reason: "immutable" });
  });
});

describe("fixed", () => {
  const maxRounds = fixed(z.int(), 3);

  it("keeps its value and refuses every other one", () => {
    expect(maxRounds(undefined, 3)).toBe(3);
    for (const update of [5, 0, "3"])
      expect(refusal(maxRounds, 3, update)).toMatchObject({
        code: "refused",
        reason: "fixed",
        details: { current: 3 },
      });
  });

  it("compares whole values", () => {
    const config = fixed(z.object({ model: z.string(), temperature: z.number() }), { model: "m", temperature: 1 });
    expect(config(config.initial, { temperature: 1, model: "m" })).toBe(config.initial);
    expect(refusal(config, config.initial, { model: "m", temperature: 0 })).toMatchObject({ reason: "fixed" });
  });

  it("needs a value that its schema accepts", () => {
    expect(() => fixed(z.int(), 0.5)).toThrow("fixed");
    expect(() => defineAgentState({ rounds: fixed(3) }, { initial: { rounds: 4 } })).toThrow("fixed");
  });
});

describe("oneOf", () => {
  const status = oneOf(["running", "completed", "error"]);

  it("starts with the first and accepts only its values", () => {
    expect(status.initial).toBe("running");
    expect(status("running", "error")).toBe("error");
    expect(refusal(status, "running", "paused")).toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining("completed"),
    });
  });

  it.each([
    ["none", []],
    ["one twice", ["a", "a"]],
    ["a number", ["a", 1]],
    ["no list", "ab"],
  ])("throws for %s", (_, values) => {
    expect(() => oneOf(values as never)).toThrow(expect.objectContaining({ code: "invalid_definition" }));
  });
});

describe("counter", () => {
  const round = counter();

  it("adds whole numbers, negative ones too", () => {
    expect([1, 2, -5].reduce((count, by) => round(count, by), round.initial)).toBe(-2);
    expect(counter(10)(undefined, 1)).toBe(11);
  });

  it("refuses what cannot be counted", () => {
    expect(refusal(round, 3, 0.5)).toMatchObject({ code: "invalid_operation" });
    expect(refusal(round, 3, "1")).toMatchObject({ code: "invalid_operation" });
    expect(refusal(round, Number.MAX_SAFE_INTEGER, 1)).toMatchObject({ code: "invalid_state" });
    expect(refusal(round, "three", 1)).toMatchObject({ code: "invalid_state" });
    expect(() => counter(0.5)).toThrow(expect.objectContaining({ code: "invalid_definition" }));
  });
});

describe("every field", () => {
  const fields: readonly AnyField[] = [append(), messages(), replace(), fixed(1), immutable(), oneOf(["a"]), counter()];

  it("treats null and undefined as no update, and undefined as the initial value", () => {
    for (const field of fields) {
      expect(field(undefined, null)).toBe(field.initial);
      expect(field.default()).toBe(field.initial);
      const current = field.kind === "counter" ? 1 : [];
      expect(field(current, undefined)).toBe(current);
      expect(field(current, null)).toBe(current);
    }
  });

  it("is not mistaken for a LangGraph channel of its own: `{ reducer: field, default: field.default }` is one", () => {
    // LangGraph makes a channel that overwrites out of a function, silently.
    for (const field of fields) expect("reducer" in field).toBe(false);
  });

  it("reports a check of its schema that throws as failed", () => {
    const broken = replace(
      z.string().refine((): boolean => {
        throw new Error("bug");
      }),
    );
    expect(refusal(broken, null, "a")).toMatchObject({ code: "failed" });
    const fragile = replace(z.any().refine((value) => value.deep.inside));
    expect(fragile.initial).toBeNull();
    expect(refusal(fragile, null, 1)).toMatchObject({ code: "failed" });
  });
});
