import { defined, defineState, memoryLog, openThread, type OpstateError } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, elsewhere } from "../tally.ts";

const first = defineState({
  name: "prices",
  schema: z.object({ euros: z.array(z.number()) }),
  initial: { euros: [] },
  operations: {
    add: { input: z.object({ euro: z.number() }), apply: (draft, { euro }) => void draft.euros.push(euro) },
  },
});

function second(migrate?: (state: any, from: number) => unknown, version = 2) {
  return defineState({
    name: "prices",
    version,
    schema: z.object({ cents: z.array(z.int()), total: z.int() }),
    initial: { cents: [], total: 0 },
    derive: { "/total": (state) => state.cents.reduce((sum, cent) => sum + cent, 0) },
    operations: {
      add: { input: z.object({ cent: z.int() }), apply: (draft, { cent }) => void draft.cents.push(cent) },
    },
    ...defined({ migrate }),
  });
}

async function stored() {
  const log = memoryLog();
  const thread = await openThread({ definition: first, log, threadId: "t" });
  await thread.dispatch({ type: "add", euro: 1.5 }, { actor: ada, id: "a" });
  await thread.dispatch({ type: "add", euro: 2 }, { actor: ada, id: "b" });
  return log;
}

const inCents = (state: any) => ({ cents: state.euros.map((euro: number) => Math.round(euro * 100)) });
const opening = (definition: ReturnType<typeof second>, log: Awaited<ReturnType<typeof stored>>) =>
  openThread({ definition, log: elsewhere(log), threadId: "t" }).then(
    () => expect.unreachable("it should not open"),
    (error: unknown) => error as OpstateError,
  );

describe("migrate", () => {
  async function migrated() {
    const log = await stored();
    const calls: unknown[] = [];
    const definition = second((state, from) => {
      calls.push([structuredClone(state), from]);
      return inCents(state);
    });
    const thread = await openThread({ definition, log: elsewhere(log), threadId: "t" });
    return { log, calls, definition, thread };
  }

  it("turns a stored state into one of the new version, as a commit", async () => {
    const { thread } = await migrated();
    expect(thread.getState()).toEqual({ cents: [150, 200], total: 350 });
    expect(thread.version).toBe(3);
    expect((await thread.history({ after: 2 }))[0]).toMatchObject({
      commit: { operation: { type: "$migrate", from: 1, to: 2 }, actor: { kind: "system" }, definitionVersion: 2 },
    });
  });

  it("is called once for a thread, and states from before it stay as they were", async () => {
    const { log, calls, definition, thread } = await migrated();
    await thread.dispatch({ type: "add", cent: 5 }, { actor: ada });
    const again = await openThread({ definition, log: elsewhere(log), threadId: "t" });
    expect(again.getState()).toEqual({ cents: [150, 200, 5], total: 355 });
    expect(await again.stateAt(2)).toEqual({ euros: [1.5, 2] });
    expect(calls).toEqual([[{ euros: [1.5, 2] }, 1]]);
  });

  it("is called also for a state that the new schema accepts as it is", async () => {
    const log = memoryLog();
    const shape = { name: "cups", schema: z.object({ size: z.int() }), initial: { size: 1 }, operations: {} };
    await openThread({ definition: defineState(shape), log, threadId: "t" });
    const definition = defineState({
      ...shape,
      version: 3,
      migrate: (state, from) => ({ size: state.size * 10 ** from }),
    });
    expect((await openThread({ definition, log: elsewhere(log), threadId: "t" })).getState()).toEqual({ size: 10 });
    expect((await openThread({ definition, log: elsewhere(log), threadId: "t" })).getState()).toEqual({ size: 10 });
  });

  it("is committed once when several processes open the thread at once", async () => {
    const log = await stored();
    const threads = await Promise.all(
      [1, 2, 3].map(() => openThread({ definition: second(inCents), log: elsewhere(log), threadId: "t" })),
    );
    expect(threads.map(({ version }) => version)).toEqual([3, 3, 3]);
  });

  const throwing = () => {
    throw new Error("no euros");
  };

  it.each([
    ["throws", throwing, /from version 1 to 2 threw: no euros/],
    ["returns an invalid state", () => ({ cents: ["x"] }), /gave no valid state: .*cents/],
    ["returns nothing", () => undefined, /./],
  ])("opens nothing and writes nothing when it %s", async (_, migrate, message) => {
    const log = await stored();
    expect(await opening(second(migrate), log)).toMatchObject({
      code: "definition_mismatch",
      message: expect.stringMatching(message),
    });
    expect((await log.load("t"))?.commits).toHaveLength(2);
    expect((await openThread({ definition: second(inCents), log: elsewhere(log), threadId: "t" })).version).toBe(3);
  });

  it("must be a synchronous function", () => {
    expect(() => second((async () => ({})) as () => unknown)).toThrow(/migrate must be a synchronous function/);
    expect(() => second("later" as unknown as () => unknown)).toThrow(/migrate must be/);
  });
});
