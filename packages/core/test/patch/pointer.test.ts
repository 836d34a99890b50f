import { OpstateError } from "@opstate/core";
import { formatPointer, parsePointer } from "@opstate/core/json-patch";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("parsePointer", () => {
  it.each([
    ["", []],
    ["/", [""]],
    ["/foo/0", ["foo", "0"]],
    ["//a/", ["", "a", ""]],
    ["/a~1b/m~0n", ["a/b", "m~n"]],
    ["/~01/~10", ["~1", "/0"]],
    ['/ /é/"/-', [" ", "é", '"', "-"]],
    ["/__proto__", ["__proto__"]],
  ])("reads %j as %j", (pointer, tokens) => {
    expect(parsePointer(pointer)).toEqual(tokens);
    expect(formatPointer(tokens)).toBe(pointer);
  });

  it.each(["a", "a/b", " /a", "#/a", "/~", "/a~", "/~2", "/a~/b", "/~0~"])(
    "throws an OpstateError on %j that quotes it",
    (pointer) => {
      expect(() => parsePointer(pointer)).toThrow(OpstateError);
      expect(() => parsePointer(pointer)).toThrow(JSON.stringify(pointer));
    },
  );

  it.each([undefined, null, 1, ["a"], {}])("throws an OpstateError on %j, which is no string", (pointer) => {
    expect(() => parsePointer(pointer as string)).toThrow(/a pointer is a string, not/);
  });

  it("is undone by formatPointer, for any tokens", () => {
    const token = fc.oneof(
      fc.string({ unit: fc.constantFrom("~", "/", "0", "1", "a") }),
      fc.string({ unit: "binary-ascii" }),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
      }),
      { numRuns: 1000 },
    );
  });
});

it("formatPointer accepts indices as numbers", () => {
  expect(formatPointer(["columns", 0, "cards", 12])).toBe("/columns/0/cards/12");
});
