// An undo that does a batch again on a large record copies that record a few times, not once for
// each operation of the batch.

import { defineState, memoryLog, openThread } from "@opstate/core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

const copies = vi.hoisted(() => ({ large: 0 }));

vi.mock("../../../src/json/copy-object.ts", async (original) => {
  const { copyObject } = await original<typeof import("../../../src/json/copy-object.ts")>();
  return {
    copyObject: (given: Record<string, unknown>) => {
      if (Object.keys(given).length > 1_000) copies.large += 1;
      return copyObject(given);
    },
  };
});

const KEYS = 1_500;
const PARTS = 100;

const Card = z.object({ points: z.number(), tags: z.array(z.string()) });
const cards = Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`c${n}`, { points: n, tags: ["a"] }]));

const record = defineState({
  name: "record",
  schema: z.object({ title: z.string(), cards: z.record(z.string(), Card) }),
  initial: { title: "", cards },
  operations: {
    name: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }) {
        draft.title = title;
      },
    },
    edit: {
      input: z.object({ id: z.string() }),
      apply(draft, { id }) {
        Object.assign(draft.cards[id] ?? {}, { points: -1 });
      },
    },
    tag: {
      input: z.object({ id: z.string() }),
      apply(draft, { id }) {
        draft.cards[id]?.tags.push("b");
      },
    },
    put: {
      input: z.object({ id: z.string() }),
      apply(draft, { id }) {
        draft.cards[`new-${id}`] = { points: 1, tags: ["n"] };
      },
    },
    drop: {
      input: z.object({ id: z.string() }),
      apply(draft, { id }) {
        delete draft.cards[id];
      },
    },
  },
});

const agent = { kind: "agent", id: "a" } as const;
const user = { kind: "user", id: "u" } as const;

beforeEach(() => {
  copies.large = 0;
});

describe("an undo before a batch on a large record", { timeout: 240_000 }, () => {
  test.each(["edit", "tag", "put", "drop"] as const)("of %s: keeps the batch, in a few copies", async (type) => {
    const open = () => openThread({ definition: record, log: memoryLog(), threadId: "t" });
    const operations = Array.from({ length: PARTS }, (_, n) => record.op[type]({ id: `c${n * 7}` }));
    const [thread, without] = [await open(), await open()];
    await thread.dispatch(record.op.name({ title: "x" }), { actor: agent });
    for (const one of [thread, without])
      expect(await one.dispatch({ type: "$batch", operations }, { actor: user })).toMatchObject({ accepted: true });
    copies.large = 0;
    expect(await thread.undo({ actor: agent }, { actor: user })).toMatchObject({ accepted: true });
    expect(copies.large).toBeLessThan(PARTS / 2);
    expect(thread.getState()).toEqual(without.getState());
    // And the redo.
    expect(await thread.undo({ actor: user }, { actor: user })).toMatchObject({ accepted: true });
    expect(thread.getState()).toMatchObject({ title: "x" });
    await Promise.all([thread.close(), without.close()]);
  });
});
