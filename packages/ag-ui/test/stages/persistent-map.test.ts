// The map of the order stage against plain maps that are copied: the newest, older ones, and maps
// that continue an older one.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PersistentMap } from "../../src/stages/persistent-map.ts";

const keys = ["a", "b", "c", "__proto__"];

/** What is done, and to which of the maps there are by then: mostly the newest. */
const step = fc.record({
  on: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(50) }),
  key: fc.constantFrom(...keys),
  value: fc.option(fc.nat(9)),
});

describe("PersistentMap", () => {
  it("keeps the entries of every map, whichever is written to", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const maps = [{ map: new PersistentMap<number>(), oracle: new Map<string, number>() }];
        for (const { on, key, value } of steps) {
          const { map, oracle } = maps[maps.length - 1 - (on % maps.length)]!;
          const next = new Map(oracle);
          if (value === null) next.delete(key);
          else next.set(key, value);
          maps.push({ map: value === null ? map.delete(key) : map.set(key, value), oracle: next });
        }
        for (const { map, oracle } of maps) {
          expect(map.keys()).toEqual([...oracle.keys()]);
          for (const key of keys) expect([map.has(key), map.get(key)]).toEqual([oracle.has(key), oracle.get(key)]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("accepts undefined as a value", () => {
    const map = new PersistentMap<undefined>().set("a", undefined);
    expect([map.has("a"), map.has("b"), map.delete("a").has("a"), map.has("a")]).toEqual([true, false, false, true]);
  });
});
