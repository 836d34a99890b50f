// The simulation must be able to fail: each planted bug is caught within a few thousand runs.

import { createReplica } from "@opstate/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Parts, realParts } from "./parts.ts";
import {
  announcedBugs,
  forgetsPending,
  logBugs,
  mergeBugs,
  pendingBugs,
  proposalBugs,
  thingsBugs,
  undoBugs,
} from "./planted-bugs.ts";
import { search } from "./search.ts";

type Merge = typeof import("../../src/replica/merge.ts");
const MERGE_PATH = "../../src/replica/merge.ts";
const UNDO_PATH = "../../src/thread/undo/excluded.ts";
const ENTRIES_PATH = "../../src/thread/entries.ts";
const ANNOUNCED_PATH = "../../src/thread/authority/announced.ts";
const PENDING_PATH = "../../src/replica/pending.ts";
const THINGS_PATH = "../../src/thread/submitted-things.ts";
const RUN_LIMIT = 5_000;

async function expectCaught(parts: Partial<Parts>): Promise<void> {
  const found = await search(1, RUN_LIMIT, { ...realParts, ...parts });
  expect(found?.message).toMatch(/^Violation/);
}

describe("the simulation catches", () => {
  afterEach(() => {
    for (const path of [MERGE_PATH, UNDO_PATH, ENTRIES_PATH, ANNOUNCED_PATH, PENDING_PATH, THINGS_PATH])
      vi.doUnmock(path);
  });

  for (const [name, plant] of Object.entries(mergeBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(MERGE_PATH, async (original) => {
        const real = await original<Merge>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(await import("../../src/replica/create-replica.ts"));
    });
  }

  for (const [name, plant] of Object.entries(pendingBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(PENDING_PATH, async (original) => {
        const real = await original<typeof import("../../src/replica/pending.ts")>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(await import("../../src/replica/create-replica.ts"));
    });
  }

  for (const [name, { at, plant }] of Object.entries(thingsBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(THINGS_PATH, async (original) => {
        const real = await original<typeof import("../../src/thread/submitted-things.ts")>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(
        at === "replica"
          ? await import("../../src/replica/create-replica.ts")
          : await import("../../src/thread/open-thread.ts"),
      );
    });
  }

  for (const [name, plant] of Object.entries(undoBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(UNDO_PATH, async (original) => {
        const real = await original<typeof import("../../src/thread/undo/excluded.ts")>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(await import("../../src/thread/open-thread.ts"));
    });
  }

  for (const [name, plant] of Object.entries(proposalBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(ENTRIES_PATH, async (original) => {
        const real = await original<typeof import("../../src/thread/entries.ts")>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(await import("../../src/thread/open-thread.ts"));
    });
  }

  for (const [name, plant] of Object.entries(announcedBugs)) {
    it(name, async () => {
      vi.resetModules();
      vi.doMock(ANNOUNCED_PATH, async (original) => {
        const real = await original<typeof import("../../src/thread/authority/announced.ts")>();
        return { ...real, ...plant(real) };
      });
      await expectCaught(await import("../../src/thread/open-thread.ts"));
    });
  }

  for (const [name, log] of Object.entries(logBugs)) it(name, () => expectCaught({ log }));

  it("pending operations are lost on a restart", () => expectCaught({ createReplica: forgetsPending(createReplica) }));
});
