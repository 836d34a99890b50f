// The reader of JSON that is still being written, beside JSON.parse.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { JsonReader } from "../../src/intents/json-reader.ts";

const noMembers = new Map();

/** A text and the places where it is cut. */
function read(text: string, cuts: readonly number[] = []): JsonReader {
  const reader = new JsonReader();
  const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b);
  for (const [index, place] of places.entries()) reader.write(text.slice(place, places[index + 1]));
  return reader;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

describe("partial JSON", () => {
  it("is at its end what JSON.parse says, wherever it is cut", () => {
    const cuts = fc.array(fc.nat(), { maxLength: 8 });
    const value = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2, "\t"), cuts, (object, indent, at) => {
        const text = JSON.stringify(object, null, indent);
        expect(read(text, at).whole).toEqual(JSON.parse(text));
      }),
      { numRuns: runs(1_000, 10_000) },
    );
  });

  it("is refused where JSON.parse refuses it, and accepted where it does not", () => {
    const piece = fc.constantFrom(
      ...'{}[]:,"\\ \n\t01-+.eE',
      "true",
      "null",
      '"a"',
      '"a":',
      '{"a":1',
      "\\u00e9",
      "\\u",
      "\\x",
      "12",
      "-0",
      "\u0001",
      "\ufeff",
    );
    const soup = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(soup, (text) => {
        const value = parse(`{"k":${text}}`);
        expect({ text, whole: read(`{"k":${text}}`).whole }).toEqual({ text, whole: value });
      }),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  it("is not broken as long as it may still become JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (object, cut) => {
        const text = JSON.stringify(object);
        const reader = read(text.slice(0, cut % (text.length + 1)));
        expect(reader.isBroken).toBe(false);
        expect(reader.partial(noMembers)?.openText).toBeUndefined();
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  it("keeps half a character back", () => {
    const members = new Map([["a", "text"] as const]);
    for (const half of ['{"a":"x👩'.slice(0, -1), '{"a":"x\\ud83d', '{"a":"x\\ud83d\\udc', '{"a":"x\\'])
      expect(read(half).partial(members)?.input).toEqual({ a: "x" });
  });

  it("has a key that is no key of an object otherwise as its own", () => {
    const value = read('{"__proto__":{"a":1}}').whole ?? {};
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
