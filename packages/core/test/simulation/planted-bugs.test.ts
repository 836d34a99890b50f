// The simulation must see what it is there to see: each planted bug is caught, within few runs.

import { createReplica } from "@opstate/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Parts, realParts } from "./parts.ts";
import { forgetsPending, logBugs, mergeBugs } from "./planted-bugs.ts";
import { search } from "./search.ts";

type Merge = typeof import("../../src/replica/merge.ts");
const mergePath = "../../src/replica/merge.ts";
const mostRuns = 5_000;

async function expectCaught(parts: Partial<Parts>): Promise<void> {
  const found = await search(1, mostRuns, { ...realParts, ...parts });
  expect(found?.message).toMatch(/^Violation/);
}

describe("the simulation catches", () => {
  afterEach(() => void vi.doUnmock(mergePath));

  for (const [name, plant] of Object.entries(mergeBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(mergePath, async (original) => {
        const real = await original<Merge>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(await import("../../src/replica/create-replica.ts"));
    });
  }

  for (const [name, log] of Object.entries(logBugs)) it(name, () => expectCaught({ log }));

  it("pending is lost on a restart", () => expectCaught({ createReplica: forgetsPending(createReplica) }));
});
