// A large body is parsed in slices, to what JSON.parse gives.

import { eventLoop, Pace } from "@opstate/core/thread";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInSlices, TooDeep } from "../../src/http/json-slices.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const parse = (text: string, depth = 64) => parseInSlices(encode(text), depth, new Pace(eventLoop));

/** Large enough that it is parsed member by member, and its list item by item. */
const pad = (value: unknown) => {
  const filler = Array.from({ length: 4 }, (_, n) => 'x\\"é'.repeat(2_500) + n);
  return { first: value, list: [...filler, value, { deep: [...filler, value] }], "": value };
};

async function outcome(parsed: () => unknown): Promise<unknown> {
  try {
    return { value: await parsed() };
  } catch (error) {
    return error instanceof SyntaxError || error instanceof TypeError ? "not JSON" : error;
  }
}

describe("a JSON text in slices", () => {
  it("has the value that JSON.parse gives it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), async (value, space) => {
        const text = JSON.stringify(pad(value), undefined, space);
        expect(await parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("is refused where JSON.parse refuses it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.nat(),
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom("", ",", "]", "}", "[", "{", ":", '"', "1", " ", "nul", "\\", "\u0007"),
        async (value, at, cut, put) => {
          const whole = JSON.stringify(pad(value));
          const index = at % whole.length;
          const text = whole.slice(0, index) + put + whole.slice(index + cut);
          expect(await outcome(() => parse(text))).toEqual(await outcome(() => JSON.parse(text)));
        },
      ),
    );
  });

  it.each(["", " ", "{", "[1,]", '{"a":1,}', "1 2", "[}", "nope", "\ufeff\ufeff1"])("refuses %j", async (text) => {
    await expect(parse(text)).rejects.toThrow();
  });

  it("keeps a member that is called __proto__", async () => {
    const text = `{"__proto__":{"a":1},"list":[${'"x",'.repeat(20_000)}1]}`;
    expect(Object.hasOwn((await parse(text)) as object, "__proto__")).toBe(true);
  });

  it("is refused when it nests too deeply, or is not UTF-8", async () => {
    await expect(parse("[[[1]]]", 2)).rejects.toThrow(TooDeep);
    const bytes = encode(`["${"x".repeat(40_000)}", "y"]`);
    bytes[bytes.length - 3] = 0xff;
    await expect(parseInSlices(bytes, 8, new Pace(eventLoop))).rejects.toThrow(TypeError);
  });

  it("lets others run", async () => {
    let time = 0;
    let turns = 0;
    const pace = new Pace({ now: () => (time += 3), yield: async () => void (turns += 1) });
    await parseInSlices(encode(JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ id: `${n}`, n })))), 8, pace);
    expect(turns).toBeGreaterThan(1_000);
  });
});
