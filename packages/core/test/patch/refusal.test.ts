import { applyPatch, type PatchError } from "@opstate/core/json-patch";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "./arbitraries.ts";

const board = () =>
  deepFreeze({ title: "Board", columns: [{ cards: ["a", "b", "c"] }, { cards: ["d"] }], meta: { by: "ann" } });

function refusal(document: unknown, patch: unknown): PatchError {
  const result = applyPatch(document, patch);
  if (result.ok) throw new Error("was applied");
  return result.error;
}

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
  ])("reads %j as no index of a list of 100", (token) => {
    const list = Array.from({ length: 100 }, (_, n) => n);
    for (const op of ["replace", "remove", "test"])
      expect(refusal(list, [{ op, path: `/${token}`, value: 1 }]).code).toBe("not_found");
    for (const op of ["move", "copy"])
      expect(refusal(list, [{ op, from: `/${token}`, path: "/0" }]).code).toBe("not_found");
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

  it("quotes no more than fits into a message", () => {
    expect(refusal({}, [{ op: "remove", path: `/${"x".repeat(100_000)}` }]).message.length).toBeLessThan(300);
  });
});
