// A merge of many changes does not keep those waiting who write to the thread meanwhile, and a
// diff holds none of them.

import { memoryLog, openThread } from "@opstate/core";
import { changesOver } from "@opstate/core/thread";
import { expect, it } from "vitest";
import { ada, bob, robot, tally } from "../tally.ts";

const add = { type: "add", by: 1 } as const;
const CHANGES = 40;

async function branched() {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const branch = await thread.branch();
  for (let n = 0; n < CHANGES; n++) await branch.dispatch(add, { actor: robot });
  return { thread, branch };
}

it("lets others write between the parts of a merge", async () => {
  const { thread, branch } = await branched();
  const begun = new Promise<void>((resolve) => thread.subscribe(() => resolve()));
  const merging = branch.merge({ actor: ada });
  await begun;
  const own = await thread.dispatch({ type: "name", name: "bob" }, { actor: bob });
  const merged = await merging;
  const versions = merged.map(({ verdict }) => verdict.version);
  expect(merged.every(({ verdict }) => verdict.accepted)).toBe(true);
  expect(own.version).toBeLessThan(Math.max(...versions));
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(thread.getState()).toMatchObject({ count: CHANGES, names: ["bob"] });
});

it("gives the changes of a diff one after another, the same with an undo among them", async () => {
  const { branch } = await branched();
  const before = await branch.diff();
  expect(before).toHaveLength(CHANGES);
  const streamed = [];
  for await (const change of changesOver(branch, { after: 10, limit: 5 })) streamed.push(change);
  expect(streamed).toEqual(before.slice(10, 15));
  // Something was undone: now the lines are held.
  const extra = await branch.dispatch({ type: "name", name: "gone" }, { actor: robot, id: "extra" });
  expect(extra.accepted).toBe(true);
  await branch.undo({ ids: ["extra"] }, { actor: robot });
  expect(await branch.diff()).toEqual(before);
});
