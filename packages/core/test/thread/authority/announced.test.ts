// A head that another writer's log announces while an authority is at work: it is followed, however
// slowly the log answers.

import { type Log, memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, tally } from "../tally.ts";

const add = (by: number) => ({ type: "add", by }) as const;

/**
 * A log that says when its head moved, and whose reads are answered late: with what was there when
 * they were made.
 */
function slowLog() {
  const store = memoryLog();
  const answers: (() => void)[] = [];
  let onHead: (head: number) => void = () => undefined;
  let failing = false;
  const log: Log = {
    ...store,
    async read(...call) {
      if (failing) throw new Error("the log does not answer");
      const found = await store.read(...call);
      await new Promise<void>((resolve) => answers.push(resolve));
      return found;
    },
    watch: (_, hear) => ((onHead = hear), () => undefined),
  };
  return {
    store,
    log,
    announce: (head: number) => onHead(head),
    /** Lets the oldest read that waits have its answer. */
    async answer() {
      await expect.poll(() => answers.length).toBeGreaterThan(0);
      answers.shift()?.();
    },
    waiting: () => answers.length,
    fail: (fails: boolean) => void (failing = fails),
  };
}

const open = (log: Log) => openThread({ definition: tally, log, threadId: "t" });

describe("an authority that catches up", () => {
  it("follows a head that is announced meanwhile", async () => {
    const { store, log, announce, answer } = slowLog();
    const thread = await open(log);
    const other = await open(store);
    await other.dispatch(add(1), { actor: bob });
    announce(1);
    // The read has what was there; what comes now is announced before it is answered.
    await other.dispatch(add(1), { actor: bob });
    announce(2);
    await answer();
    await answer();
    await expect.poll(() => thread.version).toBe(2);
  });

  it("looks once for a head that is not there", async () => {
    const { store, log, announce, answer, waiting } = slowLog();
    const thread = await open(log);
    await (await open(store)).dispatch(add(1), { actor: bob });
    announce(9);
    await answer();
    await expect.poll(() => thread.version).toBe(1);
    await thread.close();
    expect(waiting()).toBe(0);
  });

  it("takes what is submitted between two heads, however many are announced", async () => {
    const store = memoryLog();
    let announce: (head: number) => void = () => undefined;
    let head = 1;
    let isTaken = false;
    const log: Log = {
      ...store,
      async read(...call) {
        // While one is looked for, the next is announced.
        if (!isTaken && head < 1_000) announce((head += 1));
        return store.read(...call);
      },
      watch: (_, hear) => ((announce = hear), () => undefined),
    };
    const thread = await open(log);
    announce(head);
    const verdict = await thread.dispatch(add(1), { actor: ada });
    isTaken = true;
    expect(verdict).toMatchObject({ accepted: true, version: 1 });
    expect(head).toBeLessThan(10);
    await thread.close();
  });

  it("looks again for a head that it could not read, when somebody submits or it is announced again", async () => {
    for (const again of ["submits", "announced"]) {
      const { store, log, announce, answer, fail } = slowLog();
      const thread = await open(log);
      await (await open(store)).dispatch(add(1), { actor: bob });
      fail(true);
      announce(1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(thread.version).toBe(0);
      fail(false);
      const heard: number[] = [];
      thread.onCommit(({ version }) => heard.push(version));
      const verdict = again === "submits" ? thread.dispatch(add(1), { actor: ada }) : announce(1);
      await answer();
      await verdict;
      await expect.poll(() => heard).toEqual(again === "submits" ? [1, 2] : [1]);
    }
  });
});
