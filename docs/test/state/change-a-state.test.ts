// "Change a state that is stored": its code as printed, and its test as printed.

import { join } from "node:path";
import { defineState, memoryLog, openThread } from "@opstate/core";
import { checkMigrations } from "@opstate/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";

const name = "change-a-state";
const folder = writeGuide(name);
const { prices }: { prices: ReturnType<typeof defineState<any, any>> } = await import(join(folder, "prices.ts"));
// Its case becomes a test here.
await import(join(folder, "prices.test.ts"));

describe("Change a state that is stored", () => {
  it("installs what its code imports", () =>
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

  it("migrates a thread once, and keeps what was before", async () => {
    const first = defineState({
      name: "prices",
      schema: z.object({ euros: z.array(z.number()) }),
      initial: { euros: [1.5] },
      operations: {},
    });
    const log = memoryLog();
    await (await openThread({ definition: first, log, threadId: "t" })).close();
    const thread = await openThread({ definition: prices, log, threadId: "t" });
    expect(thread.getState()).toEqual({ cents: [150], total: 150, currency: "EUR" });
    expect(await thread.stateAt(0)).toEqual({ euros: [1.5] });
    await thread.close();
    await expect(openThread({ definition: first, log, threadId: "t" })).rejects.toThrow(/was written by version 3/);
  });

  it("says which state would not open", async () =>
    expect(await checkMigrations(prices, [{ version: 1, state: { prices: [] } }])).toMatchObject({
      ok: false,
      findings: [{ index: 0, version: 1, message: expect.stringMatching(/step 1: /) }],
    }));
});
