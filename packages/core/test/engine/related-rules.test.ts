// Derived fields of one container that read each other: the order in which they are written makes
// no difference, and nothing is stale until a restart.

import { defineState, memoryLog, openThread } from "@opstate/core";
import { immerDrafts } from "@opstate/core/immer";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ada } from "../thread/tally.ts";

const drafts = { recording: {}, immer: { drafts: immerDrafts } };
const modes = (["recording", "immer"] as const).flatMap((engine) =>
  ([true, "development", false] as const).map((freeze) => [engine, freeze] as const),
);

const Line = z.object({ price: z.int(), count: z.int(), cost: z.int(), label: z.string() });
const define = (engine: "recording" | "immer" = "recording", freeze: "development" | boolean = "development") =>
  defineState({
    name: "cart",
    schema: z.object({
      lines: z.array(Line),
      shipping: z.int(),
      free: z.boolean(),
      note: z.string(),
      dearest: z.array(z.int()),
      total: z.int(),
      subtotal: z.int(),
    }),
    initial: { lines: [], shipping: 5, free: false, note: "", dearest: [], total: 0, subtotal: 0 },
    replace: { allow: ["user"] },
    freeze,
    ...drafts[engine],
    derive: {
      // Each reads what is written below it.
      "/note": ({ total, dearest }) => `${total}, at most ${dearest[0] ?? 0}`,
      "/total": (cart) => (cart.free ? cart.subtotal : cart.subtotal + cart.shipping),
      "/subtotal": ({ dearest }) => dearest.reduce((sum, cost) => sum + cost, 0),
      "/dearest": ({ lines }) => lines.map(({ cost }) => cost).sort((a, b) => b - a),
      "/lines/*/label": (line) => `${line.count} x ${line.price} = ${line.cost}`,
      "/lines/*/cost": (line) => line.price * line.count,
    },
    operations: {
      put: {
        input: z.object({ price: z.int(), count: z.int() }),
        apply: (draft, line) => void draft.lines.push({ ...line, cost: 0, label: "" }),
      },
      count: { input: z.object({ count: z.int() }), apply: (draft, { count }) => void (draft.lines[0]!.count = count) },
      free: { input: z.object({}), apply: (draft) => void (draft.free = !draft.free) },
    },
  });

describe.each(modes)("a rule that reads another of its container, on %s drafts, freeze %s", (engine, freeze) => {
  it("is computed after it, and no restart finds it stale", async () => {
    const definition = define(engine, freeze);
    const log = memoryLog();
    let thread = await openThread({ definition, log, threadId: "t" });
    const send = (update: object) => thread.dispatch(update as { type: "free" }, { actor: ada });
    await send({ type: "put", price: 10, count: 2 });
    await send({ type: "put", price: 30, count: 1 });
    expect(thread.getState()).toMatchObject({
      lines: [{ label: "2 x 10 = 20" }, { label: "1 x 30 = 30" }],
      dearest: [30, 20],
      subtotal: 50,
      total: 55,
      note: "55, at most 30",
    });
    await send({ type: "count", count: 4 });
    await send({ type: "free" });
    await send({
      type: "$batch",
      operations: [
        { type: "put", price: 1, count: 1 },
        { type: "count", count: 5 },
      ],
    });
    const state = thread.getState();
    expect(state).toMatchObject({ subtotal: 81, total: 81, note: "81, at most 50" });
    const { version } = thread;
    await thread.close();
    thread = await openThread({ definition, log, threadId: "t" });
    expect([thread.version, thread.getState()]).toEqual([version, state]);

    const { note: _n, total: _t, subtotal: _s, dearest: _d, ...rest } = state;
    const lines = [{ price: 7, count: 7 }];
    expect(await send({ type: "$replace", value: { ...rest, lines } })).toMatchObject({ accepted: true });
    expect(thread.getState()).toMatchObject({ lines: [{ cost: 49, label: "7 x 7 = 49" }], total: 49 });
  });
});

const tokens = ["a", "b", "c", "d", "e"] as const;
type Token = (typeof tokens)[number];
/** What each field adds up: earlier fields of a random order, and perhaps all, with no effect. */
const circles = fc.record({
  order: fc.shuffledSubarray([...tokens], { minLength: 5 }),
  written: fc.shuffledSubarray([...tokens], { minLength: 5 }),
  needs: fc.array(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), { minLength: 5, maxLength: 5 }),
  copies: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  steps: fc.array(fc.record({ add: fc.integer({ min: -5, max: 5 }), flag: fc.boolean() }), { minLength: 1 }),
});

describe("rules in any order", () => {
  it("give what they give in an order in which each reads only what was computed", async () => {
    await fc.assert(
      fc.asyncProperty(circles, async ({ order, written, needs, copies, steps }) => {
        const needed = (field: Token, flag: boolean) =>
          order
            .slice(0, order.indexOf(field))
            .filter((_, at) => needs[tokens.indexOf(field)]?.[at] === true && (at % 2 === 0 || flag));
        const rule = (field: Token) => (box: Readonly<Record<Token, number>> & { n: number; flag: boolean }) => {
          // One that copies all reads all, whatever it needs.
          const read = copies[tokens.indexOf(field)] ? { ...box } : box;
          return needed(field, read.flag).reduce(
            (sum, other) => sum + read[other].valueOf(),
            read.n + order.indexOf(field),
          );
        };
        const oracle = (n: number, flag: boolean) => {
          const box = { n, flag } as Record<Token, number> & { n: number; flag: boolean };
          for (const field of order) box[field] = rule(field)(box);
          return box;
        };
        const definition = defineState({
          name: "box",
          schema: z.object({
            n: z.int(),
            flag: z.boolean(),
            a: z.int(),
            b: z.int(),
            c: z.int(),
            d: z.int(),
            e: z.int(),
          }),
          initial: { n: 0, flag: false, a: 0, b: 0, c: 0, d: 0, e: 0 },
          derive: Object.fromEntries(written.map((field) => [`/${field}`, rule(field)])),
          operations: {
            add: {
              input: z.object({ add: z.int(), flag: z.boolean() }),
              apply(draft, { add, flag }) {
                draft.n += add;
                draft.flag = flag;
              },
            },
          },
        });
        let state = definition.initial;
        let n = 0;
        expect(state).toEqual(oracle(0, false));
        for (const step of steps) {
          state = definition.reduce(state, { type: "add", ...step });
          n += step.add;
          expect(state).toEqual(oracle(n, step.flag));
        }
        const foreign = definition.transition(structuredClone(state), { type: "add", add: 0, flag: state.flag });
        expect(foreign).toMatchObject({ accepted: true, patches: [] });
      }),
      { numRuns: 100 },
    );
  });
});

describe("rules for some containers and for all", () => {
  const Part = z.looseObject({ n: z.int(), double: z.int().optional(), fourfold: z.int().optional() });
  const spec = {
    name: "parts",
    schema: z.object({ parts: z.record(z.string(), Part) }),
    initial: { parts: { x: { n: 1 }, y: { n: 2 } } },
    operations: {
      add: {
        input: z.object({ key: z.string() }),
        apply: (draft: { parts: Record<string, { n: number }> }, { key }: { key: string }) =>
          void (draft.parts[key]!.n += 1),
      },
    },
  };

  it.each([
    [
      "the exact one reads",
      { "/parts/x/fourfold": (part: any) => part.double * 2, "/parts/*/double": (part: any) => part.n * 2 },
    ],
    [
      "the general one reads",
      {
        "/parts/*/double": (part: any) => part.fourfold / 2 || part.n * 2,
        "/parts/x/fourfold": (part: any) => part.n * 4,
      },
    ],
  ])("agree when %s", (_, derive) => {
    const definition = defineState({ ...spec, derive }) as any;
    expect(definition.initial.parts).toEqual({ x: { n: 1, double: 2, fourfold: 4 }, y: { n: 2, double: 4 } });
    const next = definition.reduce(definition.reduce(undefined, { type: "add", key: "x" }), { type: "add", key: "y" });
    expect(next.parts).toEqual({ x: { n: 2, double: 4, fourfold: 8 }, y: { n: 3, double: 6 } });
  });

  it("are refused where each has containers that the other has not", () => {
    const schema = z.object({ rows: z.record(z.string(), z.record(z.string(), Part)) });
    const derive = { "/rows/*/x/double": () => 1, "/rows/y/*/fourfold": () => 1 };
    expect(() => defineState({ name: "rows", schema, initial: { rows: {} }, operations: {}, derive })).toThrow(
      /"\/rows\/\*\/x\/double" and "\/rows\/y\/\*\/fourfold" meet in some containers only/,
    );
  });
});

describe("a circle of rules", () => {
  const schema = z.object({ n: z.int(), a: z.number(), b: z.number() });
  const ring = {
    "/a": (state: { b: number; n: number }) => (state.b ?? 0) + state.n,
    "/b": (state: { a: number; n: number }) => (state.a ?? 0) + state.n,
  };
  const operations = { add: { input: z.object({}), apply: (draft: { n: number }) => void (draft.n += 1) } };

  afterEach(() => vi.unstubAllEnvs());

  it.each(["development", "production"])("is refused with the initial state, in %s", (env) => {
    vi.stubEnv("NODE_ENV", env);
    expect(() =>
      defineState({ name: "ring", schema, initial: { n: 1, a: 0, b: 0 }, derive: ring, operations }),
    ).toThrow(/derive "\/a": "\/a" and "\/b" read each other, and none can be computed first/);
  });

  it("is refused, and named, with the first state that it shows in", () => {
    const failures: unknown[] = [];
    const definition = defineState({
      name: "ring",
      schema,
      initial: { n: 0, a: 0, b: 0 },
      derive: ring,
      operations,
      onFailure: (error) => failures.push(error),
    });
    const added = definition.transition(undefined, { type: "add" });
    expect(added).toMatchObject({
      accepted: false,
      rejection: {
        code: "invalid_state",
        message:
          'The derived field "/a" of ring could not be computed: "/a" and "/b" read each other, and none can be computed first. Nothing was changed.',
      },
    });
    expect(added.state).toBe(definition.initial);
    expect(failures).toHaveLength(1);
  });

  it("of a rule that reads itself is refused when it is defined, and so is a clock", () => {
    const count = { name: "count", schema: z.object({ n: z.number() }), initial: { n: 0 }, operations: {} };
    const again = /"\/n" of the initial state is another value each time it is computed/;
    expect(() => defineState({ ...count, derive: { "/n": (state) => state.n + 1 } })).toThrow(again);
    let clock = 0;
    expect(() => defineState({ ...count, derive: { "/n": () => (clock += 1) } })).toThrow(again);
  });

  it("is none where a rule copies all that it sees", () => {
    const definition = defineState({
      name: "copies",
      schema: z.object({ n: z.int(), a: z.int(), b: z.string() }),
      initial: { n: 2, a: 0, b: "" },
      derive: {
        "/a": ({ b, ...rest }) => rest.n * 10 + Math.min(b.length, 0),
        "/b": (state) =>
          Object.entries(state)
            .filter(([key]) => key !== "b")
            .map(([key, value]) => `${key}${value}`)
            .join(),
      },
      operations,
    });
    expect(definition.initial).toEqual({ n: 2, a: 20, b: "n2,a20" });
  });
});

describe("a rule of several", () => {
  it("sees its container as it is, and writes to nothing", () => {
    const seen: unknown[] = [];
    const definition = defineState({
      name: "look",
      schema: z.object({
        list: z.array(z.int()),
        sorted: z.array(z.int()),
        first: z.int().optional(),
        keys: z.string(),
      }),
      initial: { list: [3, 1, 2], sorted: [], keys: "" },
      derive: {
        "/keys": (state) => {
          seen.push(
            { ...state },
            "first" in state,
            Object.getPrototypeOf(state) === Object.prototype,
            JSON.stringify(state.sorted),
          );
          return Object.keys(state)
            .filter((key) => key !== "keys")
            .join();
        },
        "/first": ({ sorted }) => {
          if (Object.isFrozen(sorted)) return sorted[0] === 1 ? undefined : sorted[0];
          return -1;
        },
        "/sorted": ({ list }) => [...list].sort((a, b) => a - b),
      },
      operations: { add: { input: z.object({ n: z.int() }), apply: (draft, { n }) => void draft.list.push(n) } },
    });
    expect(definition.initial).toEqual({ list: [3, 1, 2], sorted: [1, 2, 3], keys: "list,sorted" });
    const next = definition.reduce(undefined, { type: "add", n: 0 });
    expect(next).toEqual({ list: [3, 1, 2, 0], sorted: [0, 1, 2, 3], first: 0, keys: "list,sorted,first" });
    expect(seen.slice(-3)).toEqual([true, true, "[0,1,2,3]"]);
  });
});
