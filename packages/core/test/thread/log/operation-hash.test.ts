import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/json/canonical.ts";
import { hashOperation } from "../../../src/thread/log/operation-hash.ts";

/** FNV-1a as its authors state it, over code units. */
function reference(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++)
    hash = ((hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, "0");
}

describe("hashOperation", () => {
  it("is FNV-1a of the canonical text, with its length", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(hashOperation(value)).toBe(`${reference(text)}-${text.length}`);
      }),
    );
  });

  it("is the same whatever the order of keys", () => {
    expect(hashOperation({ type: "a", x: { b: 1, a: [1, 2] } })).toBe(
      hashOperation({ x: { a: [1, 2], b: 1 }, type: "a" }),
    );
  });

  it("differs for values, types, and the order of items", () => {
    const different = [
      { type: "a", x: [1, 2] },
      { type: "a", x: [2, 1] },
      { type: "a", x: ["1", 2] },
      { type: "b", x: [1, 2] },
      { type: "a" },
      "a",
      null,
    ];
    expect(new Set(different.map(hashOperation)).size).toBe(different.length);
  });

  it("treats undefined members as absent", () => {
    expect(hashOperation({ type: "a", x: undefined })).toBe(hashOperation({ type: "a" }));
  });
});
