import { defined, defineState, OpstateError } from "@opstate/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

const spec = {
  name: "x",
  schema: z.object({ n: z.number(), list: z.array(z.number()) }),
  initial: null,
  operations: {},
};
const operation = { input: z.object({}), apply: () => undefined };
const Circle = z.object({ kind: z.literal("circle"), r: z.number(), area: z.number() });
const Dot = z.object({ kind: z.literal("dot") });
const shapes = z.object({ shapes: z.array(z.discriminatedUnion("kind", [Circle, Dot])) });

/** What an author without a compiler can write. */
const define = (changes: object) => () => defineState({ ...spec, ...changes });
const withOperation = (changes: object) => define({ operations: { go: { ...operation, ...changes } } });

describe("defineState refuses, with a word on what is right,", () => {
  const mistakes: [string, () => unknown, string][] = [
    ["a misspelt option", define({ versoin: 2 }), '"versoin" is not an option; the options are name, version'],
    [
      "a misspelt permission, which would let everyone in",
      withOperation({ alow: ["user"] }),
      '"alow" is not an option',
    ],
    ["no operations", define({ operations: undefined }), "operations must be an object"],
    ["no initial state", define({ initial: undefined }), "initial must be a state, or null"],
    ["no schema", define({ schema: undefined, derive: { "/n": () => 1 } }), "schema"],
    ["an operation that is no object", define({ operations: { go: null } }), 'operation "go": must be an object'],
    [
      "an operation without an apply",
      define({ operations: { go: { input: z.object({}) } } }),
      "apply must be a function",
    ],
    ["an asynchronous apply", withOperation({ apply: async () => undefined }), "apply must be synchronous"],
    ["a narrow that is no function", withOperation({ narrow: ["a"] }), "narrow must be a function"],
    ["an asynchronous narrow", withOperation({ narrow: async () => ({}) }), "narrow must be synchronous"],
    ["a describe that is no function", withOperation({ describe: "Move" }), "describe must be a function"],
    ["an asynchronous describe", withOperation({ describe: async () => "" }), "describe must be synchronous"],
    ["a description that says nothing", withOperation({ description: " " }), "description must be a sentence"],
    ["an allow that is no list", withOperation({ allow: "user" }), "allow must be a list of actor kinds"],
    [
      "an approve of something else",
      withOperation({ approve: [{ kind: "user" }] }),
      "approve must be a list of actor kinds",
    ],
    ["a replace that is no permission", define({ replace: { allow: "agent" } }), "replace: allow must be a list"],
    ["a replace with another option", define({ replace: { alow: [] } }), 'replace: "alow" is not an option'],
    ["a limit that is not positive", define({ limits: { batch: 0 } }), "limits.batch must be a number above 0"],
    [
      "a limit of a part that is not positive",
      define({ limits: { state: { depth: -1 } } }),
      "limits.state.depth must be a number above 0",
    ],
    [
      "a limit that does not exist",
      define({ limits: { state: { size: 1 } } }),
      'limits.state: "size" is not an option',
    ],
    ["a version that is no number", define({ version: "2" }), "version 2 must be a whole number"],
    ["patches that are not on or off", define({ patches: "yes" }), "patches must be true or false"],
    ["another freeze", define({ freeze: "production" }), "freeze must be"],
    ["another draft engine", define({ drafts: "immer" }), "drafts must be a draft engine"],
    ["a hook that is none", define({ onFailure: "log" }), "onFailure must be a function"],
    ["a derive that is one function", define({ derive: () => 1 }), "derive must be an object"],
    ["a derive rule that is no function", define({ derive: { "/n": 1 } }), "must be a function of the container"],
    ["a derive rule that is asynchronous", define({ derive: { "/n": async () => 1 } }), "must be synchronous"],
    ["a derive pointer without a slash", define({ derive: { n: () => 1 } }), "must be a JSON Pointer to a field"],
    ["a derive pointer to every item", define({ derive: { "/list/*": () => 1 } }), "must be a JSON Pointer to a field"],
    [
      "a derive pointer to one item",
      define({ schema: z.object({ pair: z.tuple([z.number()]) }), derive: { "/pair/0": () => 1 } }),
      "is a list",
    ],
    [
      "a derived field that only some of a union have",
      define({ schema: shapes, derive: { "/shapes/*/area": () => 1 } }),
      'not every member of the union at "/shapes/*" has a "area"',
    ],
  ];

  it.each(mistakes)("%s", (_, define, text) => {
    expect(define).toThrow(OpstateError);
    expect(define).toThrow(text);
    expect(define).toThrow("docs/errors.md#invalid_definition");
  });

  it("all of them at once", () => {
    const many = define({
      name: "a b",
      patches: 1,
      operations: { $go: operation, go: { ...operation, alow: [] } },
      derive: { "/m": () => 1 },
    });
    for (const text of ['name "a b"', "patches must be", 'operation "$go"', '"alow"', 'nothing at "/m"'])
      expect(many).toThrow(text);
  });

  it("and accepts what is right", () => {
    const both = z.object({ shapes: z.array(z.union([Circle, Dot.extend({ area: z.number() }), z.null()])) });
    expect(define({ schema: both, derive: { "/shapes/*/area": () => 0 } })).not.toThrow();
    expect(
      define({ schema: z.object({ sizes: z.record(z.string(), z.number()) }), derive: { "/sizes/all": () => 0 } }),
    ).not.toThrow();
    expect(withOperation({ description: "Go", allow: [], approve: ["agent"], narrow: () => false })).not.toThrow();
    expect(
      define({ limits: { batch: Infinity, state: { depth: 3 } }, freeze: "development", replace: { allow: [] } }),
    ).not.toThrow();
  });
});

describe("in production", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("a definition is trusted: what passed in development is not looked at again", () => {
    const misspelt = define({ versoin: 2 });
    expect(misspelt).toThrow(OpstateError);
    vi.stubEnv("NODE_ENV", "production");
    expect(misspelt).not.toThrow();
  });

  it("nothing else is: not the initial state, not what is sent", () => {
    vi.stubEnv("NODE_ENV", "production");
    expect(define({ initial: { n: "1", list: [] } })).toThrow("initial: /n must be a number");
    const open = defineState({ ...spec, initial: { n: 1, list: [1] }, limits: { state: { depth: 4, nodes: 100 } } });
    const refused = (update: unknown) => {
      const result = open.transition(open.initial, update);
      return result.accepted ? undefined : result.rejection.code;
    };
    expect(refused({ n: "2", list: [] })).toBe("invalid_state");
    expect(refused({ n: 2, list: Array.from({ length: 200 }, () => 1) })).toBe("too_large");
    expect(refused(JSON.parse('{ "n": 2, "list": [], "__proto__": {} }'))).toBe("invalid_operation");
    expect(refused({ type: "nobody" })).toBe("unknown_operation");
  });

  it("states are frozen but for large arrays", () => {
    const frozen = (length: number, freeze?: boolean) => {
      const { initial } = defineState({
        ...spec,
        initial: { n: 1, list: Array.from({ length }, () => 1) },
        ...defined({ freeze }),
      });
      return [Object.isFrozen(initial), Object.isFrozen(initial.list)];
    };
    vi.stubEnv("NODE_ENV", "production");
    expect(frozen(3)).toEqual([true, true]);
    expect(frozen(3000)).toEqual([true, false]);
    expect(frozen(3000, true)).toEqual([true, true]);
    vi.unstubAllEnvs();
    expect(frozen(3000)).toEqual([true, true]);
    expect(frozen(3, false)).toEqual([false, false]);
  });
});
