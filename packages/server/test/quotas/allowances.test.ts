// A store that is refilled evenly: in any order of takings and pauses, no more goes through than
// the burst and what was refilled, beside the last one; and nobody waits longer than is said.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Allowances } from "../../src/quotas/allowances.ts";

const step = fc.record({ pause: fc.nat(5_000), amount: fc.integer({ min: 1, max: 20 }) });

describe("an allowance", () => {
  it("lets through the burst, what was refilled, and one more; after the wait that it says, the next", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 50 }),
        (steps, perSecond, burst) => {
          let now = 0;
          let taken = 0;
          const allowances = new Allowances({ perSecond, burst }, () => now);
          for (const { pause, amount } of steps) {
            now += pause;
            const wait = allowances.wait("a");
            const refilled = (now / 1_000) * perSecond;
            if (wait === 0) {
              expect(taken).toBeLessThan(burst + refilled + 1e-6);
              allowances.take("a", amount);
              taken += amount;
            } else {
              now += wait * 1_000 + 1;
              expect(allowances.wait("a")).toBe(0);
            }
          }
          expect(allowances.wait("b")).toBe(0);
        },
      ),
    );
  });

  it("says what is not paid back yet", () => {
    let now = 0;
    const allowances = new Allowances({ perSecond: 10, burst: 100 }, () => now);
    allowances.take("a", 150);
    expect([allowances.used("a"), allowances.wait("a"), allowances.used("b")]).toEqual([150, 5, 0]);
    now = 5_001;
    expect([allowances.wait("a"), Math.round(allowances.used("a"))]).toEqual([0, 100]);
    now = 60_000;
    expect(allowances.used("a")).toBe(0);
  });

  it("without a limit remembers no one", () => {
    const allowances = new Allowances({ perSecond: Infinity, burst: 1 });
    for (let index = 0; index < 100; index += 1) allowances.take(`a${index}`, 1_000);
    expect([allowances.size, allowances.wait("a0")]).toEqual([0, 0]);
  });

  it("remembers those in use only", () => {
    let now = 0;
    const allowances = new Allowances({ perSecond: 1, burst: 10 }, () => now);
    for (let index = 0; index < 20_000; index += 1) {
      now += 100;
      allowances.take(`a${index}`, 1);
    }
    expect(allowances.size).toBeLessThanOrEqual(1_000);
  });
});
