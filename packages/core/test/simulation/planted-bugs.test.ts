// The simulation must see what it is there to see: each planted bug is caught, within few runs.

import { createReplica } from "@opstate/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Parts, realParts } from "./parts.ts";
import { announcedBugs, forgetsPending, logBugs, mergeBugs, proposalBugs, undoBugs } from "./planted-bugs.ts";
import { search } from "./search.ts";

type Merge = typeof import("../../src/replica/merge.ts");
const mergePath = "../../src/replica/merge.ts";
const undoPath = "../../src/thread/undo/excluded.ts";
const entriesPath = "../../src/thread/entries.ts";
const announcedPath = "../../src/thread/authority/announced.ts";
const mostRuns = 5_000;

async function expectCaught(parts: Partial<Parts>): Promise<void> {
  const found = await search(1, mostRuns, { ...realParts, ...parts });
  expect(found?.message).toMatch(/^Violation/);
}

describe("the simulation catches", () => {
  afterEach(() => {
    for (const path of [mergePath, undoPath, entriesPath, announcedPath]) vi.doUnmock(path);
  });

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

  for (const [name, plant] of Object.entries(undoBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(undoPath, async (original) => {
        const real = await original<typeof import("../../src/thread/undo/excluded.ts")>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(await import("../../src/thread/open-thread.ts"));
    });
  }

  for (const [name, plant] of Object.entries(proposalBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(entriesPath, async (original) => {
        const real = await original<typeof import("../../src/thread/entries.ts")>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(await import("../../src/thread/open-thread.ts"));
    });
  }

  for (const [name, plant] of Object.entries(announcedBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(announcedPath, async (original) => {
        const real = await original<typeof import("../../src/thread/authority/announced.ts")>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(await import("../../src/thread/open-thread.ts"));
    });
  }

  for (const [name, log] of Object.entries(logBugs)) it(name, () => expectCaught({ log }));

  it("pending is lost on a restart", () => expectCaught({ createReplica: forgetsPending(createReplica) }));
});
