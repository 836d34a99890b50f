// How many values one update may add, and that size alone refuses nothing that was accepted.

import { defineState, memoryLog, openThread } from "@opstate/core";
import { immerDrafts } from "@opstate/core/immer";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada } from "../../thread/tally.ts";

const NODES = 100;
const nothing = z.object({});

const define = (engine: "recording" | "immer", nodes = NODES, version = 1) =>
  defineState({
    name: "heap",
    version,
    schema: z.object({ list: z.array(z.int()), tree: z.unknown().optional(), twin: z.array(z.int()).optional() }),
    initial: { list: [] },
    patches: true,
    replace: { allow: ["user"] },
    limits: { state: { nodes, depth: 40 } },
    ...(engine === "immer" ? { drafts: immerDrafts } : {}),
    derive: { "/twin": (state) => (state.list[0] === -1 ? [...state.list, ...state.list] : undefined) },
    migrate: (state) => ({ ...state, tree: { version } }),
    operations: {
      push: {
        input: z.object({ many: z.int() }),
        apply: (draft, { many }) => void draft.list.push(...Array.from({ length: many }, (_, n) => n)),
      },
      flip: { input: nothing, apply: (draft) => void draft.list.reverse() },
      mark: { input: nothing, apply: (draft) => void (draft.list[0] = -1) },
      rewrite: { input: nothing, apply: (draft) => void (draft.list = draft.list.map((n) => n + 1)) },
      doubleList: {
        input: z.object({ times: z.int() }),
        apply(draft, { times }) {
          for (let n = 0; n < times; n += 1) draft.list = draft.list.concat(draft.list);
        },
      },
      doubleInPlace: {
        input: z.object({ times: z.int() }),
        apply(draft, { times }) {
          for (let n = 0; n < times; n += 1) draft.list.push(...draft.list);
        },
      },
      doubleDraft: {
        input: z.object({ times: z.int() }),
        apply(draft, { times }) {
          for (let n = 0; n < times; n += 1) draft.tree = [draft.tree ?? 1, draft.tree ?? 1];
        },
      },
      doubleBase: {
        input: z.object({ times: z.int() }),
        apply(draft, { times }) {
          const all = [draft.list];
          for (let n = 0; n < times; n += 1) all.push(...all);
          draft.tree = all;
        },
      },
      doublePlain: {
        input: z.object({ times: z.int() }),
        apply(draft, { times }) {
          let tree: object = {};
          for (let n = 0; n < times; n += 1) tree = { left: tree, right: tree };
          draft.tree = tree;
        },
      },
      double: { input: nothing, apply: (draft) => void (draft.tree = [draft.tree ?? 1, draft.tree ?? 1]) },
    },
  });

describe.each(["recording", "immer"] as const)("what an update adds, on %s drafts", (engine) => {
  async function session() {
    const log = memoryLog();
    let thread = await openThread({ definition: define(engine), log, threadId: "t" });
    return {
      send: (update: { readonly type: string }) => thread.dispatch(update as { type: "flip" }, { actor: ada }),
      state: () => thread.getState(),
      async reopen(nodes = NODES, version = 1) {
        await thread.close();
        thread = await openThread({ definition: define(engine, nodes, version), log, threadId: "t" });
      },
    };
  }
  const push = (many: number) => ({ type: "push", many });
  const full = {
    accepted: false,
    rejection: { code: "too_large", message: `It would add more than ${NODES} values.` },
  };

  it.each([
    ["an operation", push(NODES), push(NODES + 1), "/list"],
    [
      "a batch, part by part",
      { type: "$batch", operations: [push(NODES), push(NODES)] },
      { type: "$batch", operations: [push(1), push(NODES + 1)] },
      "/operations/1/list",
    ],
  ])("is counted: %s", async (_, taken, refused, place) => {
    const { send, state } = await session();
    const before = state();
    expect(await send(refused)).toMatchObject({
      accepted: false,
      rejection: { code: "too_large", path: expect.stringContaining(place) },
    });
    expect(state()).toBe(before);
    expect(await send(taken)).toMatchObject({ accepted: true });
  });

  it("counts a part that is there twice as often as it is there", async () => {
    const { send } = await session();
    // A tree of n levels has 2 ** (n + 1) - 1 values.
    for (let n = 1; n <= 6; n += 1) expect(await send({ type: "double" })).toMatchObject({ accepted: true });
    expect(await send({ type: "double" })).toMatchObject(full);
  });

  it.each(["doubleList", "doubleInPlace", "doubleDraft", "doubleBase", "doublePlain"])(
    "refuses %s before it fills the memory",
    async (type) => {
      const { send, state } = await session();
      await send(push(3));
      const before = state();
      // A plain list, and every list of immer, is counted when the operation is over.
      const isPlain = type === "doubleBase" || (engine === "immer" && /List|InPlace/.test(type));
      const times = isPlain ? 12 : 30;
      const verdict = await send({ type, times } as { type: string });
      expect(verdict).toMatchObject({
        accepted: false,
        rejection: { code: "too_large", message: full.rejection.message },
      });
      expect(state()).toBe(before);
      expect(await send({ type, times: 2 } as { type: string })).toMatchObject({ accepted: true });
    },
  );

  it("counts what a derived field adds", async () => {
    const { send } = await session();
    await send(push(60));
    expect(await send({ type: "mark" })).toMatchObject({ accepted: false, rejection: { code: "too_large" } });
  });

  it("refuses no edit of a state that many updates made larger than one may be", async () => {
    const { send, state, reopen } = await session();
    for (let n = 0; n < 5; n += 1) await send(push(90));
    const patch = [{ op: "replace", path: "/list/0", value: 7 }];
    // A reversal puts in as much as it removes.
    const edits = [{ type: "flip" }, { type: "rewrite" }, push(3), { type: "$patch", patch }];
    for (const edit of edits) expect(await send(edit)).toMatchObject({ accepted: true });
    for (const [nodes, version] of [
      [NODES, 1],
      [10, 1],
      [10, 2],
    ] as const) {
      const { length } = state().list;
      await reopen(nodes, version);
      for (const edit of edits) expect(await send(edit)).toMatchObject({ accepted: true });
      expect(state().list).toHaveLength(length + 3);
    }
    expect(state().tree).toEqual({ version: 2 });
    expect(await send(push(11))).toMatchObject({ accepted: false, rejection: { code: "too_large" } });
  });
});

describe("an operation that may be larger than a state", () => {
  const definition = defineState({
    name: "small",
    schema: z.object({ n: z.int() }),
    initial: { n: 0 },
    limits: { state: { depth: 3, nodes: 10 }, operation: { depth: 20, nodes: 50 } },
    operations: {
      count: {
        input: z.object({ tree: z.unknown() }),
        apply: (draft, { tree }) => void (draft.n = JSON.stringify(tree).length),
      },
    },
  });
  const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);

  it("is accepted within its own limits, and refused with words beyond them", async () => {
    const thread = await openThread({ definition, log: memoryLog(), threadId: "t" });
    const count = (tree: unknown) => thread.dispatch({ type: "count", tree }, { actor: ada });
    expect(await count(nested(18))).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ n: 38 });
    expect(await count(Array.from({ length: 47 }, () => 1))).toMatchObject({ accepted: true });
    expect(await count(nested(19))).toMatchObject({
      rejection: { code: "too_large", message: expect.stringMatching(/nested deeper than 20/) },
    });
    expect(await count(Array.from({ length: 48 }, () => 1))).toMatchObject({
      rejection: { code: "too_large", message: expect.stringMatching(/more than 50 values/) },
    });
  });
});

describe("the depth that a definition allows", () => {
  const deep = (depth: number) => defineState({ ...spec, limits: { state: { depth }, operation: { depth } } });
  const spec = {
    name: "deep",
    schema: z.object({ tree: z.unknown() }),
    initial: { tree: null },
    patches: true,
    replace: { allow: ["user"] as const },
    operations: {
      put: {
        input: z.object({ tree: z.unknown() }),
        apply: (draft: { tree: unknown }, { tree }: { tree: unknown }) => void (draft.tree = tree),
      },
    },
  };
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

  it("is at most what every walk has room for", () => {
    expect(() => deep(513)).toThrow(
      /limits\.operation\.depth must be at most 512\n- limits\.state\.depth must be at most 512/,
    );
    expect(() => deep(Infinity)).toThrow(/must be at most 512/);
  });

  it.each([64, 128, 300, 512])("is one for every way in, also after a restart: %i levels", async (depth) => {
    for (const way of [
      (tree: unknown) => ({ type: "put", tree }),
      (tree: unknown) => ({ type: "$replace", value: { tree } }),
      (tree: unknown) => ({ tree }),
      (tree: unknown) => ({ type: "$patch", patch: [{ op: "replace", path: "/tree", value: tree }] }),
      (tree: unknown) => ({ type: "$batch", operations: [{ type: "$replace", value: { tree } }] }),
    ]) {
      const log = memoryLog();
      const definition = deep(depth);
      const thread = await openThread({ definition, log, threadId: "t" });
      const send = (levels: number) =>
        thread.dispatch(way(nested(levels)) as { type: "put"; tree: unknown }, { actor: ada });
      expect(await send(depth)).toMatchObject({ accepted: false, rejection: { code: "too_large" } });
      // `put` has a level of its own around the value.
      expect(await send(depth - 1)).toMatchObject({ accepted: true });
      await thread.close();
      for (const later of [definition, deep(8), defineState({ ...spec, version: 2, migrate: (state) => state })]) {
        const again = await openThread({ definition: later, log, threadId: "t" });
        expect(
          await again.dispatch(
            {
              type: "$patch",
              patch: [{ op: "replace", path: `/tree${"/0".repeat(depth - 2)}`, value: Math.random() }],
            } as never,
            { actor: ada },
          ),
        ).toMatchObject({ accepted: true });
        await again.close();
      }
    }
  });
});
