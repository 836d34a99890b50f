import { defineState } from "@opstate/core";
import { toolsOf } from "@opstate/core/tools";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

const bug = new Error("a bug with a secret in it");
const fail = (): never => {
  throw bug;
};
const print = vi.spyOn(console, "error");

beforeEach(() => void print.mockReset().mockImplementation(() => undefined));
afterEach(() => void vi.unstubAllEnvs());

function tally(onFailure?: (error: unknown, operation: { readonly type: string }) => void) {
  return defineState({
    name: "tally",
    schema: z.object({ count: z.int(), double: z.int() }),
    initial: { count: 0, double: 0 },
    derive: { "/double": ({ count }) => (count > 9 ? fail() : 2 * count) },
    operations: {
      add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) },
      crash: { input: z.object({}), apply: fail },
      choose: { input: z.object({ by: z.int() }), narrow: fail, apply: () => undefined },
      throw: {
        input: z.object({}),
        apply() {
          // oxlint-disable-next-line typescript/only-throw-error -- what an author may do
          throw { toString: fail };
        },
      },
      hostile: {
        input: z.object({}),
        apply() {
          // oxlint-disable-next-line typescript/only-throw-error -- what an author may do
          throw new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail });
        },
      },
    },
    ...(onFailure === undefined ? {} : { onFailure }),
  });
}

function messageOf(definition: ReturnType<typeof tally>, update: unknown) {
  const result = definition.transition(definition.initial, update);
  return result.accepted ? undefined : result.rejection.message;
}

describe("in development", () => {
  it("a definition without a hook prints the error once, with the operation", () => {
    messageOf(tally(), { type: "crash" });
    expect(print.mock.calls).toEqual([['opstate: the code of "tally" failed in "crash":', bug]]);
  });

  it("so it does for one of a batch, for a derive rule, for narrow, and for a state from elsewhere", () => {
    const definition = tally();
    messageOf(definition, { type: "$batch", operations: [{ type: "add", by: 1 }, { type: "crash" }] });
    messageOf(definition, { type: "add", by: 10 });
    messageOf(definition, { count: 10 });
    toolsOf(definition, { current: definition.initial });
    definition.transition({ count: 10, double: 0 }, { type: "add", by: 1 });
    expect(print.mock.calls.map(([text, error]) => [/in "(.*)"/.exec(text)?.[1], error])).toEqual([
      ["crash", bug],
      ["add", bug],
      ["$replace", bug],
      ["choose", bug],
      ["unknown", bug],
    ]);
  });

  it("what apply returned by mistake is printed too", () => {
    const wrong = defineState({
      name: "tally",
      schema: z.object({ items: z.array(z.int()) }),
      initial: { items: [] },
      operations: { push: { input: z.object({}), apply: (draft: any): any => draft.items.push(1) } },
    });
    wrong.transition(wrong.initial, { type: "push" });
    expect(print.mock.calls[0]?.[1]).toMatchObject({ message: expect.stringContaining("its apply returned a number") });
  });

  it("a definition's own hook prints nothing, and its own failure stays inside", () => {
    const seen: unknown[] = [];
    messageOf(
      tally((error, { type }) => {
        seen.push(type, error);
        fail();
      }),
      { type: "crash" },
    );
    expect(seen).toEqual(["crash", bug]);
    expect(print).not.toHaveBeenCalled();
  });

  it("the rejection says what was thrown", () => {
    const definition = tally();
    expect(messageOf(definition, { type: "crash" })).toBe(
      '"crash" failed: its code threw an error: a bug with a secret in it. Nothing was changed.',
    );
    expect(messageOf(definition, { type: "throw" })).toBe(
      '"throw" failed: its code threw an error: an object. Nothing was changed.',
    );
    expect(messageOf(definition, { type: "hostile" })).toBe(
      '"hostile" failed: its code threw an error. Nothing was changed.',
    );
    expect(messageOf(definition, { type: "add", by: 10 })).toBe(
      'The derived field "/double" of tally could not be computed: a bug with a secret in it. Nothing was changed.',
    );
  });
});

describe("in production", () => {
  beforeEach(() => void vi.stubEnv("NODE_ENV", "production"));

  it("nothing is printed, and a sender learns no text of an error", () => {
    const definition = tally();
    expect(messageOf(definition, { type: "crash" })).toBe(
      '"crash" failed: its code threw an error. Nothing was changed.',
    );
    const underivable = 'The derived field "/double" of tally could not be computed. Nothing was changed.';
    expect(messageOf(definition, { type: "add", by: 10 })).toBe(underivable);
    expect(messageOf(definition, { count: 10 })).toBe(underivable);
    expect(print).not.toHaveBeenCalled();
  });

  it("a derived value that is not JSON is named", () => {
    const rate = defineState({
      name: "rate",
      schema: z.object({ done: z.int(), all: z.int(), share: z.number() }),
      initial: { done: 0, all: 1, share: 0 },
      derive: { "/share": ({ done, all }) => done / all },
      operations: {},
    });
    const result = rate.transition(rate.initial, { done: 0, all: 0 });
    expect(result).toMatchObject({ rejection: { message: expect.stringContaining("/share must be JSON, got NaN") } });
  });

  it("a hook gets every error", () => {
    const seen: unknown[] = [];
    const definition = tally((error, { type }) => void seen.push(type, error));
    messageOf(definition, { type: "crash" });
    messageOf(definition, { type: "add", by: 10 });
    expect(seen).toEqual(["crash", bug, "add", bug]);
  });
});
