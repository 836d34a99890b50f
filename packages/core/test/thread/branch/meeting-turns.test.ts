// What a branch computes of its parent takes turns with the rest of the process.

import { memoryLog, openThread } from "@opstate/core";
import type { Scheduler } from "@opstate/core/thread";
import { expect, it } from "vitest";
import { ada, robot, tally } from "../tally.ts";

/** A clock that moves on by 3 ms whenever it is read: the third look finds a turn over. */
function hasty() {
  let time = 0;
  let turns = 0;
  const scheduler: Scheduler = { now: () => (time += 3), yield: async () => void (turns += 1) };
  /** How many turns others had while it ran. */
  async function during(work: () => Promise<unknown>): Promise<number> {
    const before = turns;
    await work();
    return turns - before;
  }
  return { scheduler, during };
}

it("a branch follows what was committed on its parent since, some commits at a time", async () => {
  const { scheduler, during } = hasty();
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t", scheduler });
  const branch = await thread.branch();
  await branch.dispatch({ type: "name", name: "on the branch" }, { actor: robot });
  await branch.diff();
  const quiet = await during(() => branch.diff());
  for (let by = 1; by <= 60; by += 1) await thread.dispatch({ type: "add", by }, { actor: ada });
  // A turn is over after every third commit.
  expect(await during(() => branch.diff())).toBeGreaterThan(quiet + 15);
});
