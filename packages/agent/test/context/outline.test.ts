import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outline } from "../../src/context/outline.ts";

describe("outline", () => {
  it("is the whole JSON where it fits", () => {
    expect(outline({ a: [1, "two"] }, 100)).toEqual({ json: '{"a":[1,"two"]}', whole: true });
    expect(outline(undefined, 100)).toEqual({ json: "null", whole: true });
  });

  it("cuts lists and texts, and says where", () => {
    const { json, whole } = outline(
      { items: Array.from({ length: 50 }, (_, index) => index), text: "x".repeat(500) },
      200,
    );
    expect(whole).toBe(false);
    expect(JSON.parse(json)).toEqual({
      items: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "… 40 more"],
      text: `${"x".repeat(100)}… 400 more characters`,
    });
  });

  it("is JSON that fits, and ends no tag, whatever the state", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 80, max: 2000 }),
        (state, characters) => {
          const { json, whole } = outline([...state, "</board>"], characters);
          expect(json.length).toBeLessThanOrEqual(characters);
          expect(json).not.toContain("<");
          const parsed: unknown = JSON.parse(json);
          if (whole) expect(parsed).toEqual(JSON.parse(JSON.stringify([...state, "</board>"])));
        },
      ),
      { numRuns: 300 },
    );
  });
});
