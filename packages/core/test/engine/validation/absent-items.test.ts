// Schemas of zod whose output would have an absent item of a list.

import { defineState, memoryLog, openThread, type OpstateError } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileValidator } from "../../../src/engine/validation/validate.ts";
import { ada } from "../../thread/tally.ts";

const optional = z.string().optional();
const five = z.number().default(5);
// oxlint-disable-next-line typescript/no-explicit-any -- its output is not what its type says
const lost = z.string().catch(() => undefined as any);

describe("a schema that would leave an item out", () => {
  it.each([
    ["an optional item before a default", z.tuple([optional, five]), [], [0]],
    ["one after another default", z.tuple([five, optional, five]), [], [1]],
    ["one after items that are there", z.tuple([optional, optional, five]), ["a"], [1]],
    ["one before a catch", z.tuple([optional, z.number().catch(3)]), [], [0]],
    ["one before a prefault", z.tuple([optional, z.number().prefault(3)]), [], [0]],
    ["one that may be null", z.tuple([z.string().nullish(), five]), [], [0]],
    ["one behind wrappers", z.tuple([z.lazy(() => optional), five]).readonly(), [], [0]],
    ["one in a union", z.union([z.string(), z.tuple([optional, five])]), [], [0]],
    ["one in an object", z.object({ a: z.array(z.tuple([optional, five])) }), { a: [["x"], []] }, ["a", 1, 0]],
    ["one in a record", z.record(z.string(), z.tuple([optional, five])), { k: [] }, ["k", 0]],
    ["an item of a list that is caught", z.array(lost), ["a", 1], [1]],
    ["an item of a tuple that is caught", z.tuple([lost, five]), [1], [0]],
    ["an item of the rest that is caught", z.tuple([z.string()], lost), ["a", "b", 1], [2]],
  ] satisfies readonly (readonly [string, z.ZodType, unknown, readonly PropertyKey[]])[])(
    "is refused with the place: %s",
    (_, schema, value, path) => {
      const validator = compileValidator(schema);
      expect(validator.full(value)).toMatchObject({ ok: false, issues: [{ path }] });
      expect(validator.touched([], value)).toMatchObject({ ok: false, issues: [{ path }] });
    },
  );

  it.each([
    ["two optional items", z.tuple([optional, optional]), [], []],
    ["a default before an optional item", z.tuple([five, optional]), [], [5]],
    ["an optional item before a rest", z.tuple([optional], five), [], []],
    ["an optional item that is there", z.tuple([optional, five]), ["a"], ["a", 5]],
    ["a member that is caught", z.record(z.string(), lost), { a: 1, b: "b" }, { b: "b" }],
  ] satisfies readonly (readonly [string, z.ZodType, unknown, unknown])[])(
    "is accepted where none is: %s",
    (_, schema, value, output) => {
      const validator = compileValidator(schema);
      expect(validator.full(value)).toEqual({ ok: true, value: output });
      expect(validator.full(output)).toEqual({ ok: true, value: output });
    },
  );
});

const define = (initial: unknown, version = 1, migrate?: (state: unknown) => unknown) =>
  defineState({
    name: "pair",
    version,
    schema: z.object({ pair: z.tuple([optional, five]), n: z.int().default(0) }),
    // Typed as what is stored; the default fills in the rest.
    initial: initial as { pair: [string, number]; n: number },
    replace: { allow: ["user"] },
    patches: true,
    ...(migrate === undefined ? {} : { migrate }),
    operations: {
      empty: {
        input: z.object({}),
        apply: (draft) => void ((draft as { pair: unknown }).pair = []),
      },
      put: {
        input: z.object({ pair: z.tuple([optional, five]) }),
        apply: (draft, { pair }) => void (draft.pair = pair),
      },
      count: { input: z.object({}), apply: (draft) => void (draft.n += 1) },
    },
  });

describe("a thread whose schema would leave an item out", () => {
  it("refuses it however it comes, and is as writable after a restart as before", async () => {
    const log = memoryLog();
    const definition = define({ pair: ["a"] });
    expect(definition.initial).toEqual({ pair: ["a", 5], n: 0 });
    let thread = await openThread({ definition, log, threadId: "t" });
    const state = thread.getState();
    for (const [update, code, path] of [
      [{ type: "empty" }, "invalid_state", "/pair/0"],
      [{ type: "put", pair: [] }, "invalid_operation", "/pair/0"],
      [{ type: "$replace", value: { pair: [] } }, "invalid_state", "/pair/0"],
      [{ pair: [] }, "invalid_state", "/pair/0"],
      [{ type: "$patch", patch: [{ op: "replace", path: "/pair", value: [] }] }, "invalid_state", "/pair/0"],
    ] as const)
      expect(await thread.submit(update, { actor: ada })).toMatchObject({
        accepted: false,
        rejection: { code, path },
      });
    expect(thread.getState()).toBe(state);
    await thread.dispatch({ type: "put", pair: ["b"] }, { actor: ada });
    await thread.close();
    thread = await openThread({ definition, log, threadId: "t" });
    expect(await thread.dispatch({ type: "count" }, { actor: ada })).toMatchObject({ accepted: true, version: 2 });
    expect(thread.getState()).toEqual({ pair: ["b", 5], n: 1 });
  });

  it("cannot begin with it", () => {
    expect(() => define({ pair: [] })).toThrow(/initial: .*a list cannot have an absent item/);
  });

  it("is not opened by a migration that gives it", async () => {
    const log = memoryLog();
    const first = define({ pair: ["a", 1] });
    await (await openThread({ definition: first, log, threadId: "t" })).close();
    const failure: OpstateError = await openThread({
      definition: define({ pair: ["a"] }, 2, () => ({ pair: [] })),
      log,
      threadId: "t",
    }).then(
      () => expect.unreachable("it should not open"),
      (error: OpstateError) => error,
    );
    expect(failure).toMatchObject({ code: "definition_mismatch", message: expect.stringMatching(/absent item/) });
    expect((await openThread({ definition: first, log, threadId: "t" })).getState()).toEqual({ pair: ["a", 1], n: 0 });
  });
});
