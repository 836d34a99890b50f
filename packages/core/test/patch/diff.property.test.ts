import { applyPatch } from "@opstate/core/json-patch";
import * as fc from "fast-check";
import { describe, it, vi } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { json, scenario } from "./arbitraries.ts";
import { checkDiff } from "./check-diff.ts";
import { canonical } from "./reference.ts";

const numRuns = runs(1_500, 30_000);
vi.setConfig({ testTimeout: 30_000 + 20 * numRuns });

describe("leads from one document to the other, never longer than a replacement", () => {
  it("after random edits, shared or not", () => {
    fc.assert(
      fc.property(scenario, fc.boolean(), ({ document, patch }, shared) => {
        const edited = applyPatch(document, patch);
        if (!edited.ok) return;
        checkDiff(document, shared ? edited.document : structuredClone(edited.document));
      }),
      { numRuns },
    );
  });

  it("between unrelated documents", () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        checkDiff(before, after);
      }),
      { numRuns },
    );
  });

  it("between lists that share items, repeat them, and change some", () => {
    const item = fc.oneof(
      fc.nat({ max: 6 }),
      fc.constantFrom("a", "b"),
      fc.record({ id: fc.nat({ max: 6 }), text: fc.constantFrom("a rather long text", "another long text", "x") }),
    );
    const list = fc.array(item, { minLength: 4, maxLength: 24, size: "max" });
    fc.assert(
      fc.property(list, list, fc.boolean(), (before, after, shared) => {
        // Half of the time the same references, as far as the two agree.
        const pool = new Map(before.map((value) => [canonical(value), value]));
        checkDiff(before, shared ? after.map((value) => pool.get(canonical(value)) ?? value) : after);
      }),
      { numRuns },
    );
  });

  it("between shuffled lists", () => {
    const items = Array.from({ length: 40 }, (_, n) => ({ id: n, text: `the text of item number ${n}` }));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(items, { minLength: 1 }),
        fc.shuffledSubarray(items, { minLength: 1 }),
        (before, after) => {
          checkDiff(before, after);
        },
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });
});
