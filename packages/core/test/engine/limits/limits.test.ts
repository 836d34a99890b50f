// Only plain JSON within limits comes in, whatever is thrown at the door.

import * as fc from "fast-check";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { checkJson, copyJson, DEFAULT_LIMITS, type JsonLimits } from "../../../src/engine/limits/limits.ts";

const limits: JsonLimits = { depth: 8, nodes: 1000, bytes: 10_000 };

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

class Money {
  amount = 1;
}

describe("what is not JSON is refused with its place", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = { again: circle };
  const cases: [string, unknown, string][] = [
    ["undefined", undefined, ""],
    ["undefined in an array", { list: [1, undefined] }, "/list/1"],
    ["a hole", { list: Object.assign([1], { 2: 2 }) }, "/list/1"],
    ["NaN", { a: { b: Number.NaN } }, "/a/b"],
    ["Infinity", [Number.POSITIVE_INFINITY], "/0"],
    ["a bigint", { n: 1n }, "/n"],
    ["a function", { f: () => 1 }, "/f"],
    ["a symbol", { s: Symbol("s") }, "/s"],
    ["a symbol key", { a: { [Symbol("s")]: 1 } }, "/a"],
    ["a Date", { at: new Date(0) }, "/at"],
    ["a Map", { m: new Map() }, "/m"],
    ["a class instance", { m: new Money() }, "/m"],
    ["a boxed string", Object("text"), ""],
    ["an array of another class", { list: new (class extends Array {})() }, "/list"],
    ["an inherited value", { a: Object.create({ b: 1 }) as unknown }, "/a"],
    ["a circle", circle, "/self/again/self/again/self/again/self/again"],
    ["__proto__", JSON.parse('{"a":{"__proto__":{"x":1}}}'), "/a/__proto__"],
    ["what LangChain revives", { a: { lc: 1, type: "constructor", id: [] } }, "/a/lc"],
    ["what LangGraph writes past reducers", { __overwrite__: {} }, "/__overwrite__"],
    ["a key with pointer characters", { "a/b~c": 1n }, "/a~1b~0c"],
  ];
  it.each(cases)("%s", (_name, value, path) => {
    const fault = checkJson(value, limits);
    expect(fault).toMatchObject({ code: "invalid", path });
    expect(copyJson(value, limits)).toEqual({ ok: false, fault });
  });

  it("names what came", () => {
    expect(checkJson({ due: new Date(0) }, limits)?.message).toBe("/due must be JSON, got an instance of Date");
    expect(checkJson(1n, limits)?.message).toBe("The value must be JSON, got bigint");
  });

  it("without running a getter", () => {
    let ran = false;
    const value = { a: Object.defineProperty({}, "b", { enumerable: true, get: () => (ran = true) }) };
    const list = Object.defineProperty([0], 0, { enumerable: true, get: () => (ran = true) });
    expect(checkJson(value, limits)).toMatchObject({ code: "invalid", path: "/a/b" });
    expect(checkJson(list, limits)).toMatchObject({ code: "invalid", path: "/0" });
    expect(ran).toBe(false);
  });

  it("when it cannot be read", () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const throwing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const endless = new Proxy([], {
      get: (target, key) => (key === "length" ? 2 ** 32 : Reflect.get(target, key)),
      getOwnPropertyDescriptor: () => undefined,
    });
    for (const hostile of [revoked.proxy, throwing, endless])
      expect(checkJson({ hostile }, limits)).toMatchObject({ code: "invalid" });
  });
});

describe("what is too much is refused", () => {
  it("by depth, however deep", () => {
    expect(checkJson(nested(8), limits)).toBeUndefined();
    expect(checkJson(nested(9), limits)).toMatchObject({ code: "too_large" });
    expect(checkJson(nested(1_000_000), DEFAULT_LIMITS)).toMatchObject({ code: "too_large" });
    // A limit beyond the stack is no way to overflow it.
    expect(checkJson(nested(1_000_000), { ...DEFAULT_LIMITS, depth: Number.MAX_SAFE_INTEGER })).toMatchObject({
      code: "too_large",
    });
  });

  it("by the number of values, also when they are few objects many times", () => {
    const list = Array.from({ length: 999 }, () => 1);
    expect(checkJson(list, limits)).toBeUndefined();
    expect(checkJson([...list, 1], limits)).toMatchObject({ code: "too_large" });
    let doubled: unknown = 1;
    for (let level = 0; level < 60; level++) doubled = [doubled, doubled];
    expect(checkJson(doubled, { ...DEFAULT_LIMITS, nodes: 10_000 })).toMatchObject({ code: "too_large" });
  });

  it("by the length of its text", () => {
    expect(checkJson({ text: "x".repeat(9000) }, limits)).toBeUndefined();
    expect(checkJson({ text: "x".repeat(11_000) }, limits)).toMatchObject({ code: "too_large", path: "/text" });
    expect(checkJson({ ["k".repeat(11_000)]: 1 }, limits)).toMatchObject({ code: "too_large" });
  });

  it("and a board of 100,000 cards is not too much", () => {
    const card = (n: number) => ({ id: `T-${n}`, title: `Card ${n}`, priority: n % 5, done: false, tags: ["a"] });
    const board = {
      columns: Array.from({ length: 20 }, (_, c) => ({
        columnId: `c${c}`,
        cards: Array.from({ length: 5000 }, (_, n) => card(n)),
        cardCount: 5000,
      })),
    };
    expect(checkJson(board, DEFAULT_LIMITS)).toBeUndefined();
  });

  it("in a short message", () => {
    const fault = checkJson({ ["k".repeat(5000)]: { ["/".repeat(5000)]: { ["~".repeat(5000)]: 1n } } }, DEFAULT_LIMITS);
    expect(JSON.stringify(fault).length).toBeLessThan(800);
  });
});

describe("a copy", () => {
  it("equals any JSON value and shares nothing with it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        // JSON has no -0, and the keys that are refused are tried above.
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        const copy = copyJson(value, DEFAULT_LIMITS);
        expect(copy.ok && { json: copy.value }).toEqual({ json: JSON.parse(JSON.stringify(value)) });
        expect(checkJson(value, DEFAULT_LIMITS)).toBeUndefined();
        if (copy.ok && typeof value === "object" && value !== null) expect(copy.value).not.toBe(value);
      }),
    );
  });

  it("is plain: absent keys dropped, null prototypes and -0 made ordinary", () => {
    const odd = Object.assign(Object.create(null) as object, { a: undefined, b: -0, c: [Object.create(null)] });
    const copy = copyJson(odd, limits);
    expect(copy.ok && JSON.stringify(copy.value)).toBe('{"b":0,"c":[{}]}');
    expect(copy.ok && Object.getPrototypeOf(copy.value)).toBe(Object.prototype);
    expect(copy.ok && Object.is((copy.value as { b: number }).b, 0)).toBe(true);
  });

  it("of a value from another realm is of this one", () => {
    const copy = copyJson(runInNewContext("({ a: [1, { b: 2 }] })"), limits);
    expect(copy).toMatchObject({ ok: true, value: { a: [1, { b: 2 }] } });
    expect(copy.ok && Object.getPrototypeOf(copy.value)).toBe(Object.prototype);
  });

  it("of anything at all is an answer", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withBoxedValues: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withSparseArray: true,
          withTypedArray: true,
          withNullPrototype: true,
          maxDepth: 4,
        }),
        (value) => {
          const copy = copyJson(value, limits);
          expect(copy.ok).toBe(checkJson(value, limits) === undefined);
          if (copy.ok) expect(JSON.parse(JSON.stringify(copy.value))).toEqual(copy.value);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
