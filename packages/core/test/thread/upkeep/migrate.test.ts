import { defineState, memoryLog, openThread, type OpstateError } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada } from "../tally.ts";

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
    ...(migrate === undefined ? {} : { migrate }),
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
  openThread({ definition, log, threadId: "t" }).then(
    () => expect.unreachable("it should not open"),
    (error: unknown) => error as OpstateError,
  );

describe("migrate", () => {
  it("brings a stored state to today's version once, as a commit that replays", async () => {
    const log = await stored();
    const asked: unknown[] = [];
    const definition = second((state, from) => {
      asked.push([structuredClone(state), from]);
      return inCents(state);
    });
    const thread = await openThread({ definition, log, threadId: "t" });
    expect(thread.getState()).toEqual({ cents: [150, 200], total: 350 });
    expect(thread.version).toBe(3);
    expect((await thread.history({ after: 2 }))[0]).toMatchObject({
      commit: { operation: { type: "$migrate", from: 1, to: 2 }, actor: { kind: "system" }, definitionVersion: 2 },
    });
    await thread.dispatch({ type: "add", cent: 5 }, { actor: ada });
    const again = await openThread({ definition, log, threadId: "t" });
    expect(again.getState()).toEqual({ cents: [150, 200, 5], total: 355 });
    expect(await again.stateAt(2)).toEqual({ euros: [1.5, 2] });
    expect(asked).toEqual([[{ euros: [1.5, 2] }, 1]]);
  });

  it("runs for a state that today's schema would take as it is", async () => {
    const log = memoryLog();
    const shape = { name: "cups", schema: z.object({ size: z.int() }), initial: { size: 1 }, operations: {} };
    await openThread({ definition: defineState(shape), log, threadId: "t" });
    const definition = defineState({
      ...shape,
      version: 3,
      migrate: (state, from) => ({ size: state.size * 10 ** from }),
    });
    expect((await openThread({ definition, log, threadId: "t" })).getState()).toEqual({ size: 10 });
    expect((await openThread({ definition, log, threadId: "t" })).getState()).toEqual({ size: 10 });
  });

  it("happens once when two processes open at once", async () => {
    const log = await stored();
    const threads = await Promise.all(
      [1, 2, 3].map(() => openThread({ definition: second(inCents), log, threadId: "t" })),
    );
    expect(threads.map(({ version }) => version)).toEqual([3, 3, 3]);
  });

  it("opens nothing that it could not bring over, and writes nothing", async () => {
    const log = await stored();
    const throwing = await opening(
      second(() => {
        throw new Error("no euros");
      }),
      log,
    );
    expect(throwing).toMatchObject({
      code: "definition_mismatch",
      message: expect.stringMatching(/from version 1 to 2 threw: no euros/),
    });
    expect(
      await opening(
        second(() => ({ cents: ["x"] })),
        log,
      ),
    ).toMatchObject({ message: expect.stringMatching(/gave no valid state: .*cents/) });
    expect(
      await opening(
        second(() => undefined),
        log,
      ),
    ).toMatchObject({ code: "definition_mismatch" });
    expect((await log.load("t"))?.commits).toHaveLength(2);
    expect((await openThread({ definition: second(inCents), log, threadId: "t" })).version).toBe(3);
  });

  it("must be a synchronous function", () => {
    expect(() => second((async () => ({})) as () => unknown)).toThrow(/migrate must be a synchronous function/);
    expect(() => second("later" as unknown as () => unknown)).toThrow(/migrate must be/);
  });
});
