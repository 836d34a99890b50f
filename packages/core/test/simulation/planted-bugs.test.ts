// The simulation must be able to fail: each planted bug is caught within a few thousand runs.

import { createReplica } from "@opstate/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Parts, realParts } from "./parts.ts";
import {
  branchMergeBugs,
  changesBugs,
  forgetsPending,
  logBugs,
  mergeBugs,
  mergesBugs,
  pendingBugs,
  proposalBugs,
  stepBugs,
  thingsBugs,
  undoBugs,
} from "./planted-bugs.ts";
import { search } from "./search/search.ts";

type Plants = { readonly [name: string]: (real: never) => object };

/** The module that a bug is put into, and who is made of it: the authority, or the replica. */
const PLANTED: readonly {
  readonly path: string;
  readonly into: "authority" | "replica";
  readonly bugs: Plants;
}[] = [
  { path: "../../src/replica/merge.ts", into: "replica", bugs: mergeBugs },
  { path: "../../src/replica/pending.ts", into: "replica", bugs: pendingBugs },
  { path: "../../src/thread/things/submitted-things.ts", into: "replica", bugs: thingsBugs.replica },
  { path: "../../src/thread/things/submitted-things.ts", into: "authority", bugs: thingsBugs.authority },
  { path: "../../src/thread/undo/excluded.ts", into: "authority", bugs: undoBugs },
  { path: "../../src/thread/entries.ts", into: "authority", bugs: proposalBugs },
  { path: "../../src/thread/authority/step.ts", into: "authority", bugs: stepBugs },
  { path: "../../src/thread/branch/merge.ts", into: "authority", bugs: branchMergeBugs },
  { path: "../../src/thread/branch/changes.ts", into: "authority", bugs: changesBugs },
  { path: "../../src/thread/branch/merges.ts", into: "authority", bugs: mergesBugs },
];

const RUN_LIMIT = 5_000;
// Thousands of runs on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

async function expectCaught(parts: Partial<Parts>): Promise<void> {
  const found = await search(1, RUN_LIMIT, { ...realParts, ...parts });
  expect(found?.message).toMatch(/^Violation/);
}

describe("the simulation catches", () => {
  afterEach(() => {
    for (const { path } of PLANTED) vi.doUnmock(path);
  });

  for (const { path, into, bugs } of PLANTED)
    for (const [name, plant] of Object.entries(bugs))
      it(name, async () => {
        vi.resetModules();
        vi.doMock(path, async (original) => {
          const real = await original<object>();
          return { ...real, ...plant(real as never) };
        });
        await expectCaught(
          into === "replica"
            ? await import("../../src/replica/create-replica.ts")
            : await import("../../src/thread/open-thread.ts"),
        );
      });

  for (const [name, log] of Object.entries(logBugs)) it(name, () => expectCaught({ log }));

  it("pending operations are lost on a restart", () => expectCaught({ createReplica: forgetsPending(createReplica) }));
});
