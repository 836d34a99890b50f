// What a long answer was computed from is released once it is given.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Log, memoryLog, openThread } from "@opstate/core";
import { expect, it } from "vitest";
import { ada, tally } from "./tally.ts";

const add = { type: "add", by: 1 } as const;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** The log, and how many of the commits that it gave are still referred to. */
function counted(log: Log): { readonly log: Log; held(): number; clear(): void } {
  let given: WeakRef<object>[] = [];
  return {
    log: {
      ...log,
      async read(...call) {
        const commits = await log.read(...call);
        given.push(...commits.map((commit) => new WeakRef(commit)));
        return commits;
      },
    },
    held() {
      collect();
      return given.filter((commit) => commit.deref() !== undefined).length;
    },
    clear() {
      given = [];
    },
  };
}

it("a branch that reported how it differs, and merged, keeps none of its commits", async () => {
  const { log, held } = counted(memoryLog());
  const thread = await openThread({ definition: tally, log, threadId: "t" });
  const branch = await thread.branch();
  for (let index = 0; index < 30; index++) await branch.dispatch(add, { actor: ada });
  expect(await branch.diff()).toHaveLength(30);
  await expect.poll(held).toBe(0);
  await branch.merge({ actor: ada });
  await expect.poll(held).toBe(0);
  expect(thread.getState().count).toBe(30);
});

it("a thread that undid much keeps none of the commits that it read for it", async () => {
  const { log, held } = counted(memoryLog());
  const thread = await openThread({ definition: tally, log, threadId: "t" });
  for (let index = 0; index < 30; index++) await thread.dispatch(add, { actor: ada });
  await thread.undo({ actor: ada }, { actor: ada });
  await expect.poll(held).toBe(0);
  expect(thread.getState().count).toBe(0);
});

/** A thread that nothing refers to but its own clock, if that is referred to. */
async function dropped(heard: boolean): Promise<WeakRef<object>> {
  const held: { thread?: object } = {};
  const clock = () => (held.thread === undefined ? "2026-01-01T00:00:00.000Z" : "2026-01-02T00:00:00.000Z");
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t", clock });
  held.thread = thread;
  await thread.dispatch(add, { actor: ada });
  if (heard) thread.onCommit(() => undefined);
  return new WeakRef(thread);
}

it.each(["no one listens", "a listener is there"])(
  "a thread that is dropped with its log is collected, though its clock refers to it and %s",
  async (who) => {
    const thread = await dropped(who === "a listener is there");
    await expect
      .poll(() => {
        collect();
        return thread.deref() === undefined;
      })
      .toBe(true);
  },
);
