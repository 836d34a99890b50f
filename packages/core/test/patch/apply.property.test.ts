import { applyPatch } from "@opstate/core/json-patch";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { deepFreeze, pointersIn, scenario, type Scenario } from "./arbitraries.ts";
import { applyByCloning, canonical } from "./reference.ts";

const numRuns = runs(500, 30_000);
vi.setConfig({ testTimeout: 30_000 + 20 * numRuns });

it("agrees with cloning and mutating, valid or not, and leaves document and patch as they were", () => {
  let valid = 0;
  let total = 0;
  fc.assert(
    fc.property(scenario, ({ document, patch }) => {
      // Writing to anything frozen throws.
      deepFreeze(document);
      deepFreeze(patch);
      const expected = applyByCloning(document, patch);
      const result = applyPatch(document, patch);
      total++;
      if (expected.ok) valid++;
      if (result.ok) expect(canonical(result.document)).toBe(expected.ok && canonical(expected.document));
      else
        expect(result.error).toMatchObject({
          index: !expected.ok && expected.index,
          operation: patch[result.error.index],
        });
    }),
    { numRuns },
  );
  // The generator makes cases of both sides.
  expect(valid / total).toBeGreaterThan(0.5);
  expect(valid / total).toBeLessThan(0.9);
});

it("returns the inverse, which leads back, and whose inverse leads forth again", () => {
  fc.assert(
    fc.property(scenario, ({ document, patch }) => {
      const there = applyPatch(deepFreeze(document), deepFreeze(patch));
      if (!there.ok) return;
      const after = canonical(there.document);
      const back = applyPatch(deepFreeze(there.document), deepFreeze(there.inverse));
      if (!back.ok) throw new Error(back.error.message);
      expect(canonical(back.document)).toBe(canonical(document));
      const again = applyPatch(back.document, back.inverse);
      if (!again.ok) throw new Error(again.error.message);
      expect(canonical(again.document)).toBe(after);
      expect(there.inverse.length).toBeLessThanOrEqual(2 * patch.length);
    }),
    { numRuns },
  );
});

it("gives the same document with and without an inverse", () => {
  fc.assert(
    fc.property(scenario, ({ document, patch }) => {
      const bare = applyPatch(document, patch, { inverse: false });
      const full = applyPatch(document, patch);
      expect(canonical(bare)).toBe(canonical(full.ok ? { ok: true, document: full.document } : full));
    }),
    { numRuns: Math.ceil(numRuns / 4) },
  );
});

it("makes no container anew but those on the paths of its operations", () => {
  fc.assert(
    fc.property(scenario, ({ document, patch }) => {
      const result = applyPatch(document, patch);
      if (!result.ok) return;
      const known = new Set([document, ...patch].flatMap((part) => containersIn(part)));
      const fresh = new Set(containersIn(result.document).filter((container) => !known.has(container)));
      const depth = (pointer = "") => pointer.split("/").length - 1;
      const onPaths = patch
        .filter((operation) => operation.op !== "test")
        .flatMap(({ path, from }) => depth(path) + depth(from));
      expect(fresh.size).toBeLessThanOrEqual(onPaths.reduce((sum, count) => sum + count, 0));
    }),
    { numRuns: Math.ceil(numRuns / 4) },
  );
});

it("copies exactly the ancestors of what one operation changes", () => {
  fc.assert(
    fc.property(scenario, fc.nat(), ({ document }: Scenario, pick) => {
      const places = pointersIn(document).slice(1);
      const { path } = places[pick % places.length]!;
      const result = applyPatch(document, [{ op: "replace", path: path.join("/"), value: "another" }]);
      if (!result.ok) throw new Error(result.error.message);
      const after = new Map(pointersIn(result.document).map((place) => [place.path.join("/"), place.value]));
      for (const place of pointersIn(document)) {
        const inside = path.every((token, i) => place.path[i] === token);
        const above = place.path.every((token, i) => path[i] === token);
        if (inside || typeof place.value !== "object" || place.value === null) continue;
        expect(after.get(place.path.join("/")) === place.value).toBe(!above);
      }
    }),
    { numRuns: Math.ceil(numRuns / 4) },
  );
});

function containersIn(value: unknown): unknown[] {
  return pointersIn(value).flatMap((place) =>
    typeof place.value === "object" && place.value !== null ? [place.value] : [],
  );
}
