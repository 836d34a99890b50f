// A chain of migrations: a step for each version, from any older one to today's.

import { defineState, memoryLog, openThread, type OpstateError } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada } from "../tally.ts";

type Migrate = NonNullable<Parameters<typeof defineState>[0]["migrate"]>;

/** A version whose state lists the steps that it has been through. */
function version(number: number, migrate?: Migrate) {
  return defineState({
    name: "path",
    version: number,
    schema: z.object({ path: z.array(z.int()), length: z.int(), [`v${number}`]: z.literal(true) }),
    initial: { path: [], length: 0, [`v${number}`]: true } as never,
    derive: { "/length": (state: any) => state.path.length },
    operations: {
      walk: { input: z.object({}), apply: (draft: { path: number[] }) => void draft.path.push(0) },
    },
    ...(migrate === undefined ? {} : { migrate }),
  }) as ReturnType<typeof defineState<any, any>>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a step knows the older shape
const step = (from: number) => (state: any) => {
  const { [`v${from}`]: _, ...rest } = state;
  rest.path.push(from);
  return { ...rest, [`v${from + 1}`]: true };
};
const chain = { 1: step(1), 2: step(2), 3: step(3) };

async function storedBy(number: number) {
  const log = memoryLog();
  const thread = await openThread({ definition: version(number), log, threadId: "t" });
  await thread.dispatch({ type: "walk" }, { actor: ada });
  await thread.close();
  return log;
}

describe("a chain of migrations", () => {
  it.each([
    [1, [0, 1, 2, 3]],
    [2, [0, 2, 3]],
    [3, [0, 3]],
  ])("brings a state of version %i to today's, as one commit", async (from, path) => {
    const log = await storedBy(from);
    const thread = await openThread({ definition: version(4, chain), log, threadId: "t" });
    expect(thread.getState()).toEqual({ path, length: path.length, v4: true });
    expect(await thread.history({ after: 1 })).toMatchObject([
      { commit: { version: 2, operation: { type: "$migrate", from, to: 4 } } },
    ]);
    await thread.close();
    const again = await openThread({ definition: version(4, chain), log, threadId: "t" });
    expect([again.version, again.getState()]).toEqual([2, thread.getState()]);
  });

  it("may begin later than the first version, and then opens nothing older", async () => {
    const { 1: _, ...later } = chain;
    const open = async (from: number) =>
      openThread({ definition: version(4, later), log: await storedBy(from), threadId: "t" });
    expect((await open(2)).getState()).toMatchObject({ path: [0, 2, 3] });
    const failure = await open(1).then(
      () => expect.unreachable("it should not open"),
      (error: OpstateError) => error,
    );
    expect(failure).toMatchObject({
      code: "definition_mismatch",
      message: expect.stringMatching(/migrate from version 1 to 4 threw: there is no step from version 1/),
    });
  });

  it.each([
    ["throws", () => JSON.parse("no JSON"), /migrate from version 1 to 4 threw: step 2: .*JSON/],
    ["gives nothing", () => undefined, /threw: step 2 gave nothing: return the new state/],
  ])("opens nothing, and writes nothing, when a step %s", async (_, broken, message) => {
    const log = await storedBy(1);
    const definition = version(4, { ...chain, 2: broken });
    await expect(openThread({ definition, log, threadId: "t" })).rejects.toMatchObject({
      code: "definition_mismatch",
      message: expect.stringMatching(message),
    });
    expect((await log.load("t"))?.commits).toHaveLength(1);
    expect((await openThread({ definition: version(4, chain), log, threadId: "t" })).version).toBe(2);
  });

  it.each([
    ["a missing step", { 1: step(1), 3: step(3) }, "migrate 2 is missing: it leads from version 2 to 3"],
    ["a missing last step", { 1: step(1), 2: step(2) }, "migrate 3 is missing: it leads from version 3 to 4"],
    ["no step", {}, "migrate 3 is missing"],
    ["a step too many", { ...chain, 4: step(4) }, "migrate 4 leads to version 5, and the definition has version 4"],
    ["a step of no version", { ...chain, first: step(1) }, 'migrate has a step "first"; a step is named by a version'],
    ["version 0", { ...chain, 0: step(0) }, 'migrate has a step "0"'],
    ["an asynchronous step", { ...chain, 2: async () => ({}) }, "migrate 2 must be a synchronous function"],
    ["a step that is no function", { ...chain, 2: true }, "migrate 2 must be a synchronous function"],
    ["a list", [step(1)], "migrate must be a synchronous function of a stored state and its version, or a chain"],
    ["null", null, "migrate must be a synchronous function"],
  ])("is refused when it is defined: %s", (_, migrate, message) => {
    expect(() => version(4, migrate as unknown as Migrate)).toThrow(message);
  });

  it("is nothing to a definition of version 1", () => {
    expect(version(1, {}).version).toBe(1);
  });
});
