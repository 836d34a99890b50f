import { memoryLog, openThread } from "@opstate/core";
import { spareSnapshots } from "@opstate/core/log";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ada, tally } from "../tally.ts";

it("keeps the first and the last snapshot, and a gap is never long beside what came after it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 1_500 }),
      fc.nat(1_000),
      (steps, floor) => {
        let kept: readonly number[] = [floor];
        for (const step of steps) {
          const saved = [...kept, (kept.at(-1) ?? 0) + step];
          const spare = new Set(spareSnapshots(saved));
          expect(spare.has(floor)).toBe(false);
          expect(spare.has(saved.at(-1) ?? 0)).toBe(false);
          kept = saved.filter((version) => !spare.has(version));
        }
        const newest = kept.at(-1) ?? 0;
        for (const [index, version] of kept.entries()) {
          const before = kept[index - 1];
          if (before !== undefined)
            expect((version - before) * 4 <= newest - version || version - before <= 900).toBe(true);
          // Any two neighbouring gaps together are longer than a quarter of what came after them.
          const further = kept[index - 2];
          if (further !== undefined && index < kept.length - 1)
            expect((version - further) * 4).toBeGreaterThan(newest - version);
        }
      },
    ),
    { numRuns: 30 },
  );
});

it("keeps fewer than 70 of 2,000 snapshots", () => {
  let kept: readonly number[] = [0];
  for (let version = 500; version <= 1_000_000; version += 500) {
    const spare = new Set(spareSnapshots([...kept, version]));
    kept = [...kept, version].filter((one) => !spare.has(one));
  }
  expect(kept.length).toBeLessThan(70);
});

it("is what a thread keeps in its log, and every past state can be read", async () => {
  const log = memoryLog();
  const thread = await openThread({ definition: tally, log, threadId: "t", snapshotEvery: 2 });
  for (let done = 0; done < 300; done++)
    await thread.dispatch({ type: "name", name: `n${done % 90}-${done}` }, { actor: ada });
  await thread.dispatch({ type: "wipe" }, { actor: ada });
  const head = thread.version;
  const snapshots = new Set<number | undefined>();
  for (let version = 0; version <= head; version++) {
    snapshots.add((await log.snapshotAt("t", version))?.version);
    expect((await thread.stateAt(version)).names).toHaveLength(version === head ? 0 : version);
  }
  expect(snapshots.size).toBeLessThan(50);
});
