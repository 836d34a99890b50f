import { defineState, type ReadonlyDeep } from "@opstate/core";
import { checkDefinition } from "@opstate/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { board } from "../../engine/board.ts";

const Item = z.object({ itemId: z.string().min(1), text: z.string(), tags: z.array(z.string()) });
const List = z.object({ items: z.array(Item), count: z.int() });
const add = z.object({ itemId: z.string().min(1), text: z.string(), tags: z.array(z.string()) });
const initial = { items: [], count: 0 };
type List = z.infer<typeof List>;

/** A valid list, and places to plant a fault in. */
function list(
  planted: {
    apply?: (draft: List, input: z.infer<typeof add>) => void;
    derive?: (state: ReadonlyDeep<List>) => unknown;
    describe?: (input: ReadonlyDeep<z.infer<typeof add>>, before: ReadonlyDeep<List>) => string;
  } = {},
) {
  return defineState({
    name: "list",
    schema: List,
    initial,
    derive: { "/count": planted.derive ?? ((state) => state.items.length) },
    operations: {
      add: {
        input: add,
        ...(planted.describe && { describe: planted.describe }),
        apply(draft, input, { reject }) {
          if (draft.items.some((item) => item.itemId === input.itemId)) return reject("taken", "This id is taken");
          (planted.apply ?? ((draft, input) => void draft.items.push({ ...input })))(draft, input);
        },
      },
      remove: {
        input: z.object({ itemId: z.string() }),
        apply(draft, { itemId }, { reject }) {
          const index = draft.items.findIndex((item) => item.itemId === itemId);
          if (index < 0) return reject("unknown_item", "No such item");
          draft.items.splice(index, 1);
        },
      },
    },
  });
}

function findings(definition: ReturnType<typeof list>) {
  const result = checkDefinition(definition);
  return result.ok ? [] : result.findings;
}

describe("checkDefinition", () => {
  it.each([
    ["deterministic", "reads a clock in its describe", () => `Added at ${Date.now()}`],
    ["deterministic", "reads", () => `Number ${Math.random()}`],
    [
      "total",
      'its describe threw "broken"',
      () => {
        throw new Error("broken");
      },
    ],
    [
      "pure",
      "changes what is frozen",
      (_: unknown, before: ReadonlyDeep<List>) =>
        `${(before.items as List["items"]).push({ itemId: "x", text: "", tags: [] })}`,
    ],
  ])("finds a describe that is not %s: %s", (law, text, describe) => {
    const [first] = findings(list({ describe }));
    expect(first).toMatchObject({ law, message: expect.stringContaining(text), operation: { type: "add" } });
  });

  it("passes a describe that is a function of the input and the state", () =>
    expect(findings(list({ describe: ({ text }, { count }) => `Add ${text} as number ${count + 1}` }))).toEqual([]));

  it("passes a valid definition, and says how much of it was tried", () => {
    const result = checkDefinition(list());
    expect(result).toMatchObject({ ok: true, runs: 200 });
    if (!result.ok) return;
    for (const type of ["add", "remove"]) {
      expect(result.operations[type]?.accepted).toBeGreaterThan(50);
      expect(result.operations[type]?.refused).toBeGreaterThan(10);
    }
  });

  it("passes all of a board but the operations that throw or do nothing", () => {
    const result = checkDefinition(board);
    expect(result.ok ? [] : result.findings.map(({ law, operation }) => [law, operation.type])).toEqual([
      ["total", "crash"],
      ["effect", "lie"],
      ["effect", "audit"],
    ]);
  });

  it("finds a clock, at its smallest", () => {
    const [found] = findings(
      list({ apply: (draft, input) => void draft.items.push({ ...input, text: new Date().toISOString() }) }),
    );
    expect(found).toMatchObject({ law: "deterministic", operation: { type: "add" }, state: { items: [], count: 0 } });
    expect(found?.message).toMatch(
      /^"add" by user "ada" reads a clock: a day later .* At "\/items\/0\/text": expected "2026-01-01.*, got "2026-01-02/,
    );
    expect(found?.message).toContain('State: {"items":[],"count":0}');
  });

  it("finds randomness and captured values", () => {
    const random = findings(
      list({ apply: (draft, input) => void draft.items.push({ ...input, text: String(Math.random()) }) }),
    );
    expect(random[0]).toMatchObject({ law: "deterministic", message: expect.stringContaining("randomness") });
    const seen: string[] = [];
    const captured = findings(
      list({ apply: (draft, input) => void draft.items.push({ ...input, tags: (seen.push(input.itemId), seen) }) }),
    );
    expect(captured[0]).toMatchObject({ law: "deterministic", message: expect.stringContaining("outside its draft") });
  });

  it("finds a clock and randomness that do not show in the result", () => {
    const late = findings(list({ apply: (draft, input) => void (Date.now() > 0 && draft.items.push({ ...input })) }));
    expect(late).toMatchObject([{ law: "deterministic", message: expect.stringContaining("reads a clock, which") }]);
    const rare = findings(
      list({ apply: (draft, input) => void (Math.random() < 2 && draft.items.push({ ...input })) }),
    );
    expect(rare).toMatchObject([{ law: "deterministic", message: expect.stringContaining("reads randomness, which") }]);
  });

  const births: { readonly [how: string]: (items: readonly { itemId: string }[], id: () => string) => string } = {
    "the highest number": (items) => `I-${Math.max(0, ...items.map(({ itemId }) => Number(itemId.slice(2)) || 0)) + 1}`,
    "how many there are": (items) => `I-${items.length}`,
  };
  const born = (idOf: (typeof births)[string]) =>
    checkDefinition(
      defineState({
        name: "born",
        schema: z.object({ items: z.array(Item), last: z.string(), byId: z.record(z.string(), z.boolean()) }),
        initial: { items: [], last: "", byId: {} },
        operations: {
          add: {
            input: z.object({ text: z.string() }),
            apply(draft, { text }, { id, now }) {
              const itemId = idOf(draft.items, () => id("I-"));
              // What is copied from the state, said by the input or the time is no computed id.
              draft.items.push({ itemId, text, tags: [draft.last, now] });
              draft.last = itemId;
            },
          },
        },
      }),
    );

  it.each(Object.entries(births))("finds ids that are made from the state: %s", (_, idOf) => {
    const result = born(idOf);
    expect(result.ok ? [] : result.findings).toMatchObject([{ law: "ids", operation: { type: "add" } }]);
    expect(result.ok ? "" : result.findings[0]?.message).toMatch(
      /at \/items\/\*\/itemId: two submissions on one state both get "I-\d+", and the next gets "I-\d+"/,
    );
  });

  it("finds a record's keys that are made from the state", () => {
    const result = checkDefinition(
      defineState({
        name: "keyed",
        schema: z.object({ byId: z.record(z.string(), z.string()) }),
        initial: { byId: {} },
        operations: {
          add: {
            input: z.object({ text: z.string() }),
            apply: (draft, { text }) => void (draft.byId[`K-${Object.keys(draft.byId).length}`] = text),
          },
        },
      }),
    );
    expect(result.ok ? [] : result.findings.map(({ law }) => law)).toContain("ids");
  });

  const kept = (idOf: (items: Readonly<Record<string, { itemId: string }>>, id: () => string) => string) =>
    checkDefinition(
      defineState({
        name: "kept",
        schema: z.object({ byName: z.record(z.string(), z.object({ itemId: z.string(), phase: z.string() })) }),
        initial: { byName: {} },
        operations: {
          put: {
            input: z.object({ name: z.string() }),
            apply(draft, { name }, { id }) {
              // What follows the member's own past is no id of it.
              const phase = draft.byName[name] === undefined ? "begun" : `${draft.byName[name].phase}-again`.slice(-20);
              draft.byName[name] = { itemId: idOf(draft.byName, () => id("I-")), phase };
            },
          },
        },
      }),
    );

  it.each([
    ["the highest number", (items: object) => births["the highest number"]?.(Object.values(items), () => "") ?? ""],
    ["how many there are", (items: object) => `I-${Object.keys(items).length}`],
  ])("finds an id in a record's value that is made from the state: %s", (_, idOf) => {
    const result = kept(idOf);
    expect(result.ok ? [] : result.findings).toMatchObject([
      { law: "ids", message: expect.stringContaining("at /byName/*/itemId") },
    ]);
  });

  it("passes a record's values that come from the submission", () => {
    expect(kept((_, id) => id())).toMatchObject({ ok: true });
  });

  it("passes ids that come from the submission", () => {
    expect(born((_, id) => id())).toMatchObject({ ok: true });
  });

  it("finds an operation that never changes anything", () => {
    const result = checkDefinition(
      defineState({
        name: "copy",
        schema: List,
        initial,
        operations: {
          add: { input: add, apply: (draft, input) => void draft.items.push({ ...input }) },
          rename: {
            input: z.object({ text: z.string() }),
            apply(draft, { text }) {
              for (const item of structuredClone(draft.items.map((each) => each.itemId))) void (item + text);
            },
          },
        },
      }),
    );
    expect(result.ok ? [] : result.findings).toMatchObject([
      { law: "effect", operation: { type: "rename" }, message: expect.stringContaining("never changed anything") },
    ]);
  });

  it("finds a mutation of the input", () => {
    const found = findings(
      list({
        apply(draft, input) {
          input.tags.push("new");
          draft.items.push(input);
        },
      }),
    );
    expect(found).toMatchObject([{ law: "pure", operation: { type: "add", tags: [] } }]);
    expect(found[0]?.message).toContain("changes what is frozen: its input");
  });

  it("finds a mutation of an earlier state", () => {
    let earlier: { tags: string[] }[] = [];
    const found = findings(
      list({
        apply: (draft, input) => void draft.items.push({ ...input }),
        derive(state) {
          // What a rule without types may do.
          earlier = state.items as List["items"];
          for (const item of earlier) item.tags.sort().push("sorted");
          return earlier.length;
        },
      }),
    );
    expect(found.map(({ law }) => law)).toContain("pure");
  });

  it("finds a stale count: a rule that reads more than its container", () => {
    let adds = 0;
    const byHand = findings(
      list({ apply: (draft, input) => void (draft.items.push({ ...input }), adds++), derive: () => adds }),
    );
    expect(byHand[0]).toMatchObject({ law: "deterministic", message: expect.stringContaining("/count") });
    // The initial state, without items, does not show it.
    const again = (state: { readonly items: readonly unknown[]; readonly count: number }) =>
      Math.min((state.count ?? 0) + 1, state.items.length * 7);
    const twice = findings(list({ derive: again }));
    expect(twice[0]).toMatchObject({
      law: "derived",
      message: expect.stringMatching(/leaves \/count stale.*Expected \d+, got \d+/),
    });
  });

  it("accepts a rule that reads a derived field written after it", () => {
    const definition = defineState({
      name: "sums",
      schema: z.object({ items: z.array(z.int()), twice: z.int(), count: z.int() }),
      initial: { items: [], twice: 0, count: 0 },
      derive: { "/twice": (state) => state.count * 2, "/count": (state) => state.items.length },
      operations: {
        add: { input: z.object({ item: z.int() }), apply: (draft, { item }) => void draft.items.push(item) },
      },
    });
    expect(checkDefinition(definition)).toMatchObject({ ok: true });
  });

  it("finds a count kept by hand that its author declared an invariant", () => {
    const counted = defineState({
      name: "counted",
      schema: List,
      initial,
      operations: {
        add: { input: add, apply: (draft, input) => void (draft.items.push(input), (draft.count += 1)) },
        clear: { input: z.object({}), apply: (draft) => void (draft.items = []) },
      },
    });
    const invariants = { "the count is right": (state: ReadonlyDeep<List>) => state.count === state.items.length };
    const result = checkDefinition(counted, { invariants });
    expect(result).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([expect.objectContaining({ law: "invariant", operation: { type: "clear" } })]),
    });
    const [found] = result.ok ? [] : result.findings.filter(({ operation }) => operation.type === "clear");
    expect(found?.state).toMatchObject({ count: 1 });
  });

  it("finds an operation that throws, and one that is not the same when replayed", () => {
    const thrown = findings(
      list({
        apply: (draft, input) =>
          void draft.items.push({ ...input, text: draft.items[0]?.text.slice(1) ?? undefinedText() }),
      }),
    );
    expect(thrown[0]).toMatchObject({
      law: "total",
      message: expect.stringContaining("threw instead of refusing: Error: no text"),
    });
    const growing = defineState({
      name: "growing",
      schema: z.object({ n: z.number() }),
      initial: { n: 0 },
      operations: {
        set: {
          input: z.object({ n: z.number().overwrite((n) => n + 1) }),
          apply: (draft, { n }) => void (draft.n = n),
        },
      },
    });
    expect(checkDefinition(growing)).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([
        expect.objectContaining({ law: "replay", operation: expect.objectContaining({ type: "set" }) }),
      ]),
    });
  });

  it("finds a draft engine whose patches do not lead back", () => {
    const { drafts } = list().model;
    const oneWay = defineState({
      name: "one-way",
      schema: List,
      initial,
      operations: { add: { input: add, apply: (draft, input) => void draft.items.push(input) } },
      drafts: {
        name: "one-way",
        begin(base, options) {
          const drafting = drafts.begin(base, options);
          return {
            draft: drafting.draft,
            derive: (rule) => drafting.derive(rule),
            discard: () => drafting.discard(),
            finish: () => ({ ...drafting.finish(), inverse: [] }),
          };
        },
      },
    });
    expect(checkDefinition(oneWay)).toMatchObject({
      ok: false,
      findings: [{ law: "patches", operation: { type: "add" } }],
    });
  });

  it("says what it could not try", () => {
    const narrow = defineState({
      name: "narrow",
      schema: z.object({ word: z.string().refine((word: string): boolean => word === "abracadabra") }),
      initial: null,
      operations: { keep: { input: z.object({}), apply: () => undefined } },
    });
    expect(checkDefinition(narrow)).toMatchObject({
      ok: false,
      findings: [{ law: "coverage", message: expect.stringContaining("`states`") }],
    });
    expect(checkDefinition(narrow, { states: [{ word: "abracadabra" }] })).toMatchObject({
      ok: false,
      findings: [{ law: "effect", operation: { type: "keep" } }],
    });
    expect(checkDefinition(narrow, { states: [{ word: "other" }] })).toMatchObject({
      ok: false,
      findings: [{ message: expect.stringContaining("states[0]") }],
    });
  });

  it("tries the same with the same seed", () => {
    expect(checkDefinition(list(), { seed: 7, runs: 50 })).toEqual(checkDefinition(list(), { seed: 7, runs: 50 }));
  });
});

function undefinedText(): string {
  throw new Error("no text");
}
