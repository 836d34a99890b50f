import { applyPatch, type PatchError } from "@opstate/core/json-patch";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "./arbitraries.ts";

const board = () => deepFreeze({ title: "Board", columns: [{ cards: ["a", "b", "c"] }, { cards: ["d"] }], meta: { by: "ann" } });

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
    ["appends", [{ op: "add", path: "/columns/1/cards/-", value: "e" }], [{ op: "remove", path: "/columns/1/cards/1" }]],
    ["removes", [{ op: "remove", path: "/columns/0/cards/1" }], [{ op: "add", path: "/columns/0/cards/1", value: "b" }]],
    [
      "moves to another list",
      [{ op: "move", from: "/columns/0/cards/0", path: "/columns/1/cards/-" }],
      [{ op: "move", from: "/columns/1/cards/1", path: "/columns/0/cards/0" }],
    ],
    ["copies", [{ op: "copy", from: "/title", path: "/meta/title" }], [{ op: "remove", path: "/meta/title" }]],
    ["tests", [{ op: "test", path: "/title", value: "Board" }], []],
    [
      "takes several steps back in reverse",
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
    expect(applyPatch({ a: 1 }, [{ op: "remove", path: "/a" }], { inverse: false })).toEqual({ ok: true, document: {} });
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
    let copies = 0;
    const items = new Proxy(
      Array.from({ length: 100 }, (_, n) => ({ n })),
      {
        get(target, key, receiver) {
          if (key === Symbol.iterator) copies++;
          return Reflect.get(target, key, receiver);
        },
      },
    );
    apply(
      { items },
      Array.from({ length: 100 }, (_, n) => ({ op: "replace", path: `/items/${n}/n`, value: -1 })),
    );
    expect(copies).toBe(1);
  });
});

describe("a refusal", () => {
  it("says which operation failed, where and why, and gives it back", () => {
    const patch = [
      { op: "test", path: "/title", value: "Board" },
      { op: "replace", path: "/columns/2/cards", value: [] },
    ];
    expect(refusal(board(), patch)).toEqual({
      code: "not_found",
      index: 1,
      operation: patch[1],
      message: 'Operation 1 (replace "/columns/2/cards"): "/columns" has length 2, and "2" is not an index in it',
    });
  });

  it.each([
    ["invalid_patch", "not an object", { op: "remove", path: "/a" }],
    ["invalid_patch", "not null", null],
    ["invalid_operation", "an operation is an object, not null", [null]],
    ["invalid_operation", "an operation is an object, not an array of length 3", [["remove", "/a", 1]]],
    ["invalid_operation", 'the "op" is missing; it must be one of add, remove', [{ path: "/a" }]],
    ["invalid_operation", 'unknown op "increment"; it must be', [{ op: "increment", path: "/a", value: 1 }]],
    ["invalid_operation", 'unknown op "toString"', [{ op: "toString", path: "/a" }]],
    ["invalid_operation", '"path" is missing', [{ op: "remove" }]],
    ["invalid_operation", '"from" is missing', [{ op: "move", path: "/a" }]],
    ["invalid_operation", 'add needs a "value"', [{ op: "add", path: "/a" }]],
    ["invalid_operation", 'replace needs a "value"', [{ op: "replace", path: "/a", value: undefined }]],
    ["invalid_operation", "replace it", [{ op: "remove", path: "" }]],
    ["invalid_operation", '"/a" cannot move into itself', [{ op: "move", from: "/a", path: "/a/b" }]],
    ["invalid_operation", "cannot move into itself", [{ op: "move", from: "", path: "/a" }]],
    ["invalid_pointer", "a pointer is a string, not an array of length 1", [{ op: "remove", path: ["a"] }]],
    ["invalid_pointer", '"a" must be "" or start with "/"', [{ op: "remove", path: "a" }]],
    ["invalid_pointer", 'neither "~0" (a tilde) nor "~1" (a slash)', [{ op: "remove", path: "/a~2" }]],
    ["invalid_pointer", '"from": "b" must', [{ op: "copy", from: "b", path: "/a" }]],
    ["not_found", 'the document has no member "x"', [{ op: "remove", path: "/x" }]],
    ["not_found", 'the document has no member "x"', [{ op: "add", path: "/x/y", value: 1 }]],
    ["not_found", '"/n" is 1 and has no members', [{ op: "add", path: "/n/y", value: 1 }]],
    ["not_found", '"/s" is "text" and has no members', [{ op: "test", path: "/s/0", value: "t" }]],
    ["not_found", '"/a" has length 2, and "-" is not an index in it', [{ op: "replace", path: "/a/-", value: 1 }]],
    ["test_failed", "found 1, expected 2", [{ op: "test", path: "/n", value: 2 }]],
    ["test_failed", "found an array of length 2, expected an object", [{ op: "test", path: "/a", value: {} }]],
  ])("%s: %s", (code, message, patch) => {
    const error = refusal({ a: [1, 2], n: 1, s: "text" }, patch);
    expect(error).toMatchObject({ code, index: code === "invalid_patch" ? -1 : 0 });
    expect(error.message).toContain(message);
  });

  it.each([
    "01",
    "-1",
    "+1",
    "1.0",
    "1.",
    "1e0",
    "1e1",
    "0x1",
    " 1",
    "1 ",
    "1-",
    "",
    "100",
    "99999999999999999999",
    "length",
    "１",
    "-0",
    "NaN",
  ])("takes %j for no index of a list of 100", (token) => {
    const list = Array.from({ length: 100 }, (_, n) => n);
    for (const op of ["replace", "remove", "test"]) expect(refusal(list, [{ op, path: `/${token}`, value: 1 }]).code).toBe("not_found");
    for (const op of ["move", "copy"]) expect(refusal(list, [{ op, from: `/${token}`, path: "/0" }]).code).toBe("not_found");
    if (token !== "100") expect(refusal(list, [{ op: "add", path: `/${token}`, value: 1 }]).code).toBe("not_found");
  });

  it("undoes the operations before it: all or none", () => {
    const before = board();
    refusal(before, [
      { op: "replace", path: "/title", value: "X" },
      { op: "remove", path: "/columns/0" },
      { op: "test", path: "/title", value: "Board" },
    ]);
    expect(before).toEqual(board());
  });

  it("quotes no more than a message can hold", () => {
    expect(refusal({}, [{ op: "remove", path: `/${"x".repeat(100_000)}` }]).message.length).toBeLessThan(300);
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

it("takes a member that is undefined for absent", () => {
  expect(refusal({ a: undefined }, [{ op: "remove", path: "/a" }]).code).toBe("not_found");
  expect(apply({ a: undefined }, [{ op: "add", path: "/a", value: 1 }]).inverse).toEqual([{ op: "remove", path: "/a" }]);
  apply({ a: { b: undefined } }, [{ op: "test", path: "/a", value: {} }]);
});
