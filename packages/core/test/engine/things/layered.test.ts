import fc from "fast-check";
import { expect, it } from "vitest";
import { Layered } from "../../../src/engine/things/layered.ts";

it("contains what a map would contain, and so does every one that it was made from", () => {
  const changes = fc.array(fc.tuple(fc.nat({ max: 300 }), fc.oneof(fc.nat(), fc.nat(), fc.constant(undefined))), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 30 }), (rounds) => {
      const made: { layered: Layered<number, number>; map: ReadonlyMap<number, number> }[] = [];
      let [layered, map] = [new Layered<number, number>(), new Map<number, number>()];
      for (const round of rounds) {
        layered = layered.with(new Map(round));
        map = new Map(map);
        for (const [key, value] of new Map(round))
          if (value === undefined) map.delete(key);
          else map.set(key, value);
        made.push({ layered, map });
      }
      for (const { layered, map } of made)
        for (let key = 0; key <= 300; key++) expect(layered.get(key)).toBe(map.get(key));
    }),
    { numRuns: 50 },
  );
});
