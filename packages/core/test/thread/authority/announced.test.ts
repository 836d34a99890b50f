// A log announces that another authority wrote to it. The head is followed, however slowly the log
// answers.

import { type Log, memoryLog, openThread } from "@opstate/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
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
    watch: (_, listener) => ((onHead = listener), () => undefined),
  };
  return {
    store,
    log,
    announce: (head: number) => onHead(head),
    /** Answers the oldest read that has no answer yet. */
    async answer() {
      await expect.poll(() => answers.length).toBeGreaterThan(0);
      answers.shift()?.();
    },
    unanswered: () => answers.length,
    fail: (fails: boolean) => void (failing = fails),
  };
}

const open = (log: Log) => openThread({ definition: tally, log, threadId: "t" });

describe("an authority that catches up", () => {
  it("follows a head that is announced while it reads", async () => {
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

  it("reads once for a head that is not there", async () => {
    const { store, log, announce, answer, unanswered } = slowLog();
    const thread = await open(log);
    await (await open(store)).dispatch(add(1), { actor: bob });
    announce(9);
    await answer();
    await expect.poll(() => thread.version).toBe(1);
    await thread.close();
    expect(unanswered()).toBe(0);
  });

  it("reads a head that is announced while it reads for a higher one that is not there", async () => {
    const { store, log, announce, answer } = slowLog();
    const thread = await open(log);
    announce(9);
    // What is read for it was requested before this.
    await (await open(store)).dispatch(add(1), { actor: bob });
    announce(1);
    await answer();
    await answer();
    await expect.poll(() => thread.version).toBe(1);
  });

  it("accepts a submission between two heads, however many are announced", async () => {
    const store = memoryLog();
    let announce: (head: number) => void = () => undefined;
    let head = 1;
    let isAccepted = false;
    const log: Log = {
      ...store,
      async read(...call) {
        // During each read the next head is announced.
        if (!isAccepted && head < 1_000) announce((head += 1));
        return store.read(...call);
      },
      watch: (_, listener) => ((announce = listener), () => undefined),
    };
    const thread = await open(log);
    announce(head);
    const verdict = await thread.dispatch(add(1), { actor: ada });
    isAccepted = true;
    expect(verdict).toMatchObject({ accepted: true, version: 1 });
    expect(head).toBeLessThan(10);
    await thread.close();
  });

  describe("and could not read a head", () => {
    async function failedToRead() {
      const { store, log, announce, answer, fail } = slowLog();
      const thread = await open(log);
      await (await open(store)).dispatch(add(1), { actor: bob });
      fail(true);
      announce(1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(thread.version).toBe(0);
      fail(false);
      const commits: number[] = [];
      thread.onCommit(({ version }) => commits.push(version));
      return { thread, announce, answer, commits };
    }

    it("reads it before the next submission", async () => {
      const { thread, answer, commits } = await failedToRead();
      const verdict = thread.dispatch(add(1), { actor: ada });
      await answer();
      await verdict;
      expect(commits).toEqual([1, 2]);
    });

    it("reads it by itself when the log answers again", async () => {
      const { thread, answer, commits } = await failedToRead();
      await answer();
      await expect.poll(() => commits).toEqual([1]);
      await thread.close();
    });

    it("reads it by itself, though a submission is under way when it is tried again", async () => {
      const store = memoryLog();
      let announce: (head: number) => void = () => undefined;
      const tried: string[] = [];
      let isDown = true;
      let give: (error: Error) => void = () => undefined;
      const log: Log = {
        ...store,
        async read(...call) {
          tried.push("read");
          if (isDown) throw new Error("the log does not answer");
          return store.read(...call);
        },
        append: () => (tried.push("append"), new Promise((_, reject) => (give = reject))),
        watch: (_, listener) => ((announce = listener), () => undefined),
      };
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const thread = await open(log);
      await (await open(store)).dispatch(add(1), { actor: bob });
      announce(1);
      const verdict = thread.dispatch(add(1), { actor: ada });
      await expect.poll(() => tried).toEqual(["read", "append"]);
      // The time to try again comes while the log has an append.
      await vi.advanceTimersByTimeAsync(60_000);
      isDown = false;
      give(new Error("the log does not answer"));
      await expect(verdict).rejects.toThrow("does not answer");
      const laterVersion = async () => {
        await vi.advanceTimersByTimeAsync(60_000);
        return thread.version;
      };
      await expect.poll(laterVersion).toBe(1);
    });

    it("reads it when it is announced again", async () => {
      const { announce, answer, commits } = await failedToRead();
      announce(1);
      await answer();
      await expect.poll(() => commits).toEqual([1]);
    });
  });
});
