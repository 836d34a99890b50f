// Tabs in a simulated browser: whatever happens to them, their threads are carried by one of them.

import { describe, expect, it } from "vitest";
import { fixedSeed, runs } from "../../../../tools/runs.ts";
import { search } from "./simulation/search.ts";

describe("tabs that share a connection", () => {
  it("are each served by one leader, whichever tab is killed, frozen or signed in anew", async () => {
    const first = fixedSeed() ?? Math.floor(Math.random() * 1e9);
    expect(await search(first, runs(2_500, 100_000))).toBeUndefined();
  });

  // A tab came back to a group and waited for its own lock, which a frozen tab had by watching it.
  it("are so in a run that was found", async () => {
    expect(await search(91_473, 1)).toBeUndefined();
  });
});
