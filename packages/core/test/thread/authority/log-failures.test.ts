// Logs that fail, that lie about it, or that another authority writes to as well.

import { type Log, memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, robot, spied, tally, elsewhere } from "../tally.ts";

const add = (by: number) => ({ type: "add", by }) as const;
const open = (log: Log = memoryLog()) => openThread({ definition: tally, log: elsewhere(log), threadId: "t" });

describe("a log that fails", () => {
  async function failing() {
    const disk = { full: false };
    const thread = await open(
      spied(memoryLog(), (method) => {
        if (disk.full && method === "append") throw new Error("disk full");
      }),
    );
    await thread.dispatch(add(1), { actor: ada });
    const before = thread.getState();
    disk.full = true;
    const outcomes = await Promise.allSettled([
      thread.dispatch(add(2), { actor: ada, id: "2" }),
      thread.dispatch(add(101), { actor: ada, id: "3" }),
    ]);
    return { disk, thread, before, outcomes };
  }

  it("makes each dispatch reject and changes neither state nor version", async () => {
    const { thread, before, outcomes } = await failing();
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(thread.getState()).toBe(before);
    expect(thread.version).toBe(1);
  });

  it("is written to again afterwards, and the same ids may be sent again", async () => {
    const { disk, thread } = await failing();
    disk.full = false;
    expect(await thread.dispatch(add(3), { actor: ada })).toMatchObject({ accepted: true, version: 2 });
    expect(await thread.dispatch(add(2), { actor: ada, id: "2" })).toMatchObject({ accepted: true, version: 3 });
    expect(await thread.dispatch(add(101), { actor: ada, id: "3" })).toMatchObject({ accepted: false, attempt: 1 });
    expect(thread.getState().count).toBe(6);
  });

  it("and stored a batch nevertheless has stored it once", async () => {
    const log = memoryLog();
    let lie = false;
    const thread = await open({
      ...log,
      async append(...call) {
        const result = await log.append(...call);
        if (lie) throw new Error("connection lost");
        return result;
      },
    });
    lie = true;
    const commits: number[] = [];
    thread.onCommit(({ version }) => commits.push(version));
    await expect(thread.dispatch(add(1), { actor: ada, id: "1" })).rejects.toThrow("connection lost");
    await expect(thread.dispatch(add(101), { actor: ada, id: "2" })).rejects.toThrow("connection lost");
    lie = false;
    expect(await thread.dispatch(add(1), { actor: ada, id: "1" })).toMatchObject({
      accepted: true,
      version: 1,
      commit: { id: "1" },
    });
    expect(await thread.dispatch(add(101), { actor: ada, id: "2" })).toMatchObject({ accepted: false, attempt: 1 });
    expect(thread.getState().count).toBe(1);
    expect(commits).toEqual([1]);
  });

  it("does not keep an authority busy for ever when it contradicts itself", async () => {
    const log = memoryLog();
    const thread = await open({ ...log, append: async () => ({ status: "stale", version: 7 }) });
    await expect(thread.dispatch(add(1), { actor: ada })).rejects.toThrow(/head is version 7/);
  });
});

describe("two writers on one log", () => {
  it("lose nothing, keep one order, and both follow the commits of the other", async () => {
    const log = memoryLog();
    const [left, right] = await Promise.all([open(log), open(log)]);
    const versions: number[] = [];
    left.onCommit(({ version }) => versions.push(version));
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 3 === 0 ? left : right).dispatch(add(1), { actor: index % 2 ? ada : robot, id: `n${index}` }),
      ),
    );
    expect(new Set(verdicts.map(({ version }) => version)).size).toBe(40);
    await left.dispatch(add(1), { actor: ada, id: "last" });
    expect(left.getState().count).toBe(41);
    expect(versions).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
    expect(await right.dispatch(add(1), { actor: ada, id: "last" })).toMatchObject({
      accepted: true,
      version: 41,
      commit: { id: "last" },
    });
  });

  it("judge by the newest state of the log, not by their own older one", async () => {
    const log = memoryLog();
    const [left, right] = await Promise.all([open(log), open(log)]);
    await left.dispatch({ type: "name", name: "x" }, { actor: ada });
    expect(await right.dispatch({ type: "unname", name: "x" }, { actor: ada })).toMatchObject({
      accepted: true,
      version: 2,
    });
    expect(await left.dispatch(add(1), { actor: ada, expectedVersion: 2 })).toMatchObject({
      accepted: true,
      version: 3,
    });
    expect(left.getState()).toEqual({ count: 1, names: [], size: 0 });
  });

  it("give a submission id one effect between them", async () => {
    const log = memoryLog();
    const threads = await Promise.all([open(log), open(log), open(log)]);
    for (const id of ["a", "b", "c"]) {
      const verdicts = await Promise.all(
        threads.flatMap((thread) => [1, 2].map(() => thread.dispatch(add(1), { actor: ada, id }))),
      );
      expect(new Set(verdicts.map((verdict) => JSON.stringify(verdict))).size).toBe(1);
    }
    expect(await log.read("t", { after: 0 })).toHaveLength(3);
  });
});
