import { applyPatch, type PatchError } from "@opstate/core/json-patch";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "./arbitraries.ts";

const board = () =>
  deepFreeze({ title: "Board", columns: [{ cards: ["a", "b", "c"] }, { cards: ["d"] }], meta: { by: "ann" } });

function apply(document: unknown, patch: unknown) {
  const result = applyPatch(document, patch);
  if (!result.ok) throw new Error(result.error.message);
  return result;
}

function refusal(document: unknown, patch: unknown): PatchError {
  const result = applyPatch(document, patch);
  if (result.ok) throw new Error("was applied");
  return result.error;
}

describe("the inverse", () => {
  it.each([
    ["adds", [{ op: "add", path: "/meta/at", value: 1 }], [{ op: "remove", path: "/meta/at" }]],
    ["overwrites", [{ op: "add", path: "/meta/by", value: 1 }], [{ op: "replace", path: "/meta/by", value: "ann" }]],
    [
      "appends",
      [{ op: "add", path: "/columns/1/cards/-", value: "e" }],
      [{ op: "remove", path: "/columns/1/cards/1" }],
    ],
    [
      "removes",
      [{ op: "remove", path: "/columns/0/cards/1" }],
      [{ op: "add", path: "/columns/0/cards/1", value: "b" }],
    ],
    [
      "moves to another list",
      [{ op: "move", from: "/columns/0/cards/0", path: "/columns/1/cards/-" }],
      [{ op: "move", from: "/columns/1/cards/1", path: "/columns/0/cards/0" }],
    ],
    ["copies", [{ op: "copy", from: "/title", path: "/meta/title" }], [{ op: "remove", path: "/meta/title" }]],
    ["tests", [{ op: "test", path: "/title", value: "Board" }], []],
    [
      "reverses several steps",
      [
        { op: "remove", path: "/columns/0" },
        { op: "replace", path: "/columns/0/cards", value: [] },
      ],
      [
        { op: "replace", path: "/columns/0/cards", value: ["d"] },
        { op: "add", path: "/columns/0", value: { cards: ["a", "b", "c"] } },
      ],
    ],
  ])("of a patch that %s is as short as can be", (_, patch, inverse) => {
    expect(apply(board(), patch).inverse).toEqual(inverse);
  });

  it("of a move onto something brings that back too", () => {
    const { document, inverse } = apply({ a: 1, b: 2 }, [{ op: "move", from: "/a", path: "/b" }]);
    expect(document).toEqual({ b: 1 });
    expect(apply(document, inverse).document).toEqual({ a: 1, b: 2 });
  });

  it("of a move onto its own ancestor is not a move into an own child", () => {
    const before = { a: { b: { c: 1 }, d: 2 } };
    const { document, inverse } = apply(before, [
      { op: "move", from: "/a/b", path: "/a" },
      { op: "replace", path: "/a/c", value: 3 },
    ]);
    expect(document).toEqual({ a: { c: 3 } });
    expect(apply(document, inverse).document).toEqual(before);
  });

  it("of a move in front of its own list finds the way back", () => {
    const before = [{ x: "inner" }, "last"];
    const { document, inverse } = apply(before, [{ op: "move", from: "/0/x", path: "/0" }]);
    expect(document).toEqual(["inner", {}, "last"]);
    expect(apply(document, inverse).document).toEqual(before);
  });

  it("keeps what was moved as it was, though later operations write to it", () => {
    const before = { a: { list: [1] }, b: "gone" };
    const { document, inverse } = apply(before, [
      { op: "add", path: "/a/list/-", value: 2 },
      { op: "move", from: "/a", path: "/b" },
      { op: "add", path: "/b/list/-", value: 3 },
    ]);
    expect(document).toEqual({ b: { list: [1, 2, 3] } });
    expect(apply(document, inverse).document).toEqual(before);
  });

  it("is left out when not wanted", () => {
    expect(applyPatch({ a: 1 }, [{ op: "remove", path: "/a" }], { inverse: false })).toEqual({
      ok: true,
      document: {},
    });
  });
});

describe("copies", () => {
  it("do not share later changes with their source, nor with each other", () => {
    const { document } = apply({ a: { n: 0 } }, [
      { op: "replace", path: "/a/n", value: 1 },
      { op: "copy", from: "/a", path: "/b" },
      { op: "copy", from: "/a", path: "/c" },
      { op: "replace", path: "/a/n", value: 2 },
      { op: "replace", path: "/c/n", value: 3 },
    ]);
    expect(document).toEqual({ a: { n: 2 }, b: { n: 1 }, c: { n: 3 } });
  });
});

describe("sharing", () => {
  it("keeps every part that no operation names", () => {
    const before = board();
    const { document } = apply(before, [{ op: "add", path: "/columns/0/cards/-", value: "e" }]);
    expect(document).toHaveProperty("columns.1");
    expect((document as typeof before).columns[1]).toBe(before.columns[1]);
    expect((document as typeof before).meta).toBe(before.meta);
  });

  it("returns the same document when nothing changes", () => {
    const before = board();
    const patch = [
      { op: "test", path: "/title", value: "Board" },
      { op: "replace", path: "/title", value: "Board" },
      { op: "add", path: "/meta/by", value: "ann" },
      { op: "move", from: "/meta", path: "/meta" },
    ];
    expect(apply(before, patch)).toEqual({ ok: true, document: before, inverse: [] });
    expect(apply(before, patch).document).toBe(before);
    expect(apply(before, []).document).toBe(before);
  });

  it("puts removed and inserted values in by reference", () => {
    const before = board();
    const { document, inverse } = apply(before, [{ op: "remove", path: "/columns/0" }]);
    expect((apply(document, inverse).document as typeof before).columns[0]).toBe(before.columns[0]);
  });

  it("copies a value of the patch before it writes to it", () => {
    const value = { n: 1, list: [] };
    const { document } = apply({}, [
      { op: "add", path: "/a", value },
      { op: "add", path: "/b", value },
      { op: "add", path: "/a/list/-", value: 1 },
      { op: "remove", path: "/b/n" },
    ]);
    expect(document).toEqual({ a: { n: 1, list: [1] }, b: { list: [] } });
    expect(value).toEqual({ n: 1, list: [] });
  });

  it("copies a list once, however many operations change it", () => {
    const items = Array.from({ length: 100 }, (_, n) => ({ n }));
    const patch = items.map((_, n) => ({ op: "replace", path: `/items/${n}/n`, value: -1 }));
    const iterate = Array.prototype[Symbol.iterator];
    let copies = 0;
    const counting = function (this: unknown[]) {
      if (this.length === items.length && this !== patch) copies++;
      return iterate.call(this);
    };
    Reflect.defineProperty(Array.prototype, Symbol.iterator, { value: counting, writable: true, configurable: true });
    try {
      apply({ items }, patch);
    } finally {
      Reflect.defineProperty(Array.prototype, Symbol.iterator, { value: iterate, writable: true, configurable: true });
    }
    expect(copies).toBe(1);
  });
});

it("ignores members that an operation does not define, as RFC 6902 says", () => {
  expect(apply({ a: 1 }, [{ op: "remove", path: "/a", value: () => 1, note: "x" }]).document).toEqual({});
});

it("compares by JSON in test: order of keys is nothing, type is something", () => {
  apply({ a: { x: 1, y: [null] } }, [{ op: "test", path: "/a", value: { y: [null], x: 1 } }]);
  expect(refusal({ a: 1 }, [{ op: "test", path: "/a", value: "1" }]).code).toBe("test_failed");
  expect(refusal({ a: { x: 1 } }, [{ op: "test", path: "/a", value: { x: 1, y: 1 } }]).code).toBe("test_failed");
  expect(refusal({ a: { x: 1, y: 1 } }, [{ op: "test", path: "/a", value: { x: 1 } }]).code).toBe("test_failed");
});

it("treats a member that is undefined as absent", () => {
  expect(refusal({ a: undefined }, [{ op: "remove", path: "/a" }]).code).toBe("not_found");
  expect(apply({ a: undefined }, [{ op: "add", path: "/a", value: 1 }]).inverse).toEqual([
    { op: "remove", path: "/a" },
  ]);
  apply({ a: { b: undefined } }, [{ op: "test", path: "/a", value: {} }]);
});
