// Submissions that wait together are judged over shared copies of large objects. No one can see
// that: every commit, verdict and state is the one that they would have had one by one.

import { defineState, memoryLog, openThread, type Thread, type Verdict } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ada } from "../thread/tally.ts";

const KEYS = 300;

const large = (freeze: boolean | "development") =>
  defineState({
    name: "large",
    freeze,
    schema: z.object({
      record: z.record(z.string(), z.union([z.int(), z.record(z.string(), z.int())])),
      other: z.record(z.string(), z.int()),
      shelf: z.array(z.unknown()),
      count: z.int().default(0),
    }),
    initial: {
      record: Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`k${n}`, n])),
      other: Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`k${n}`, n])),
      shelf: [],
      count: 0,
    },
    patches: true,
    operations: {
      put: {
        input: z.object({ key: z.string(), value: z.int() }),
        apply(draft, { key, value }) {
          draft.record[key] = value;
        },
      },
      drop: {
        input: z.object({ key: z.string() }),
        apply(draft, { key }) {
          delete draft.record[key];
        },
      },
      // Refused by the reducer after it wrote.
      regret: {
        input: z.object({ key: z.string() }),
        apply(draft, { key }, { reject }) {
          draft.record[key] = -1;
          draft.other[key] = -1;
          reject("regret", "No");
        },
      },
      // Refused by the schema after it wrote.
      spoil: {
        input: z.object({ key: z.string() }),
        apply(draft, { key }) {
          draft.record[key] = 0.5;
          draft.other["k1"] = 7;
        },
      },
      fail: {
        input: z.object({ key: z.string() }),
        apply(draft, { key }) {
          draft.record[key] = 1;
          throw new Error("a bug");
        },
      },
      swap: {
        input: z.object({}),
        apply(draft) {
          const { record, other } = draft;
          draft.record = other;
          draft.other = record as Record<string, number>;
        },
      },
      shelve: {
        input: z.object({}),
        apply(draft) {
          draft.shelf.push(draft.other);
          draft.other = {};
        },
      },
      // A default is filled in: the state is made by patches.
      reset: {
        input: z.object({}),
        apply(draft) {
          delete (draft as { count?: number }).count;
        },
      },
    },
    onFailure: () => undefined,
  });

const key = fc.constantFrom("k1", "k2", "k250", "new");
const update = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("put"), key, value: fc.integer({ min: 0, max: 9 }) }) },
  fc.record({ type: fc.constantFrom("drop", "regret", "spoil", "fail"), key }),
  fc.record({ type: fc.constantFrom("swap", "shelve", "reset", "nobody") }),
  fc
    .array(fc.record({ type: fc.constant("put"), key, value: fc.integer({ min: 0, max: 9 }) }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((operations) => ({ type: "$batch", operations })),
  fc.constant({ type: "$patch", patch: [{ op: "copy", from: "/record", path: "/other" }] }),
);

interface Seen {
  readonly verdicts: readonly unknown[];
  /** The order of an object's keys is no part of it. */
  readonly states: readonly unknown[];
}

/** `watches`: a subscriber looks at the state after each commit, in one of two ways. */
async function run(
  updates: readonly unknown[],
  {
    together,
    watches,
    freeze = "development",
  }: { together: boolean; watches: string; freeze?: boolean | "development" },
): Promise<Seen & { readonly thread: Thread }> {
  const definition = large(freeze);
  const thread: Thread = await openThread({
    definition,
    log: memoryLog(),
    threadId: "t",
    clock: () => "2026-01-01T00:00:00Z",
  });
  const states: string[] = [];
  const kept: unknown[] = [];
  const look = (state: unknown) => {
    kept.push(state);
    states.push(JSON.stringify(state));
  };
  if (watches === "commits") thread.onCommit(() => look(thread.getState()));
  if (watches === "state") thread.subscribe(look);
  const verdicts: Verdict[] = [];
  const send = (given: unknown, index: number) => thread.submit(given, { actor: ada, id: `n${index}` });
  if (together) verdicts.push(...(await Promise.all(updates.map(send))));
  else for (const [index, given] of updates.entries()) verdicts.push(await send(given, index));
  look(thread.getState());
  // What was seen stays as it was.
  expect(kept.map((state) => JSON.stringify(state))).toEqual(states);
  return { verdicts, states: states.map((text): unknown => JSON.parse(text)), thread };
}

describe("submissions that wait together", () => {
  it.each(["nothing", "commits", "state"])(
    "are judged as they are alone, while a subscriber watches %s",
    async (watches) => {
      await fc.assert(
        fc.asyncProperty(fc.array(update, { minLength: 2, maxLength: 14 }), async (updates) => {
          const alone = await run(updates, { together: false, watches });
          const together = await run(updates, { together: true, watches });
          expect(together.verdicts).toEqual(alone.verdicts);
          expect(together.states).toEqual(alone.states);
        }),
      );
    },
  );

  it("leave a state that no one can write to, as they do alone", async () => {
    const updates = Array.from({ length: 5 }, (_, value) => ({ type: "put", key: "k1", value }));
    const { thread } = await run(updates, { together: true, watches: "nothing", freeze: true });
    const { record } = thread.getState() as { record: object };
    expect(Object.isFrozen(record)).toBe(true);
  });

  it("do not copy a large record for each of them", async () => {
    const thread = await openThread({ definition: large(false), log: memoryLog(), threadId: "t" });
    const keys = vi.spyOn(Object, "keys");
    const whole = () => keys.mock.results.filter(({ value }) => Array.isArray(value) && value.length >= KEYS).length;
    const puts = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, value) => thread.submit({ type: "put", key: "k1", value }, { actor: ada })),
      );
    await puts(4);
    const few = whole();
    keys.mockClear();
    await puts(64);
    expect(whole()).toBeLessThanOrEqual(few);
    keys.mockRestore();
  });
});
