import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { DEFAULT_LIMITS } from "../../src/patch/operation.ts";
import { PatchSequence } from "../../src/patch/sequence.ts";
import { deepFreeze, scenario } from "./arbitraries.ts";
import { applyByCloning, canonical } from "./reference.ts";

const numRuns = runs(500, 30_000);
vi.setConfig({ testTimeout: 30_000 + 20 * numRuns });

it("ends where patches one after another end, and leaves document and patches as they were", () => {
  fc.assert(
    fc.property(scenario, fc.array(fc.integer({ min: 1, max: 4 })), ({ document, patch }, lengths) => {
      deepFreeze(document);
      deepFreeze(patch);
      const sequence = new PatchSequence(document, DEFAULT_LIMITS);
      let error: unknown;
      for (let from = 0; from < patch.length && error === undefined;) {
        const to = from + (lengths.shift() ?? 1);
        error = sequence.take(patch.slice(from, to));
        from = to;
      }
      const expected = applyByCloning(document, patch);
      expect(error === undefined).toBe(expected.ok);
      if (expected.ok) expect(canonical(sequence.document)).toBe(canonical(expected.document));
    }),
    { numRuns },
  );
});
