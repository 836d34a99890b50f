// A log that hangs blocks no one for longer than `logTimeout`.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memoryLog, openThread } from "../../../src/index.ts";
import { createLog, type LogAdapter, type ThreadLog } from "../../../src/log.ts";
import { ada, tally } from "../tally.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

const add = (by: number) => ({ type: "add", by }) as const;

/** A log whose calls of some names wait until they are released. */
function hangingLog(store = memoryLog()) {
  const hung = new Set<keyof ThreadLog>();
  const waiting: (() => void)[] = [];
  const { thread, threads, limits, close } = store;
  const adapter: LogAdapter = {
    limits,
    threads,
    close,
    thread(threadId, incarnation) {
      const handle = thread(threadId, incarnation);
      const names = Object.keys(handle) as (keyof ThreadLog)[];
      const calls = names.map((name) => [
        name,
        async (...call: never[]) => {
          if (hung.has(name)) await new Promise<void>((resolve) => waiting.push(resolve));
          return (handle[name] as (...rest: never[]) => unknown)(...call);
        },
      ]);
      return Object.fromEntries(calls) as ThreadLog;
    },
  };
  const letGo = () => {
    hung.clear();
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { log: createLog(adapter), store, hung, letGo };
}

/** Lets time go by until it has ended: a call may begin later than the time for it does. */
async function pass(ended: Promise<unknown>): Promise<void> {
  const over = Promise.allSettled([ended]).then(() => true);
  do await vi.advanceTimersByTimeAsync(1_000);
  while (!(await Promise.race([over, new Promise<false>((resolve) => setImmediate(resolve, false))])));
}

const open = (log: LogAdapter, logTimeout = 1_000) => openThread({ definition: tally, log, threadId: "t", logTimeout });

describe("a log that hangs in an append", () => {
  it("makes its submissions reject in time, and what waited behind them", async () => {
    const { log, hung } = hangingLog();
    const thread = await open(log);
    hung.add("append");
    const first = thread.dispatch(add(1), { actor: ada, id: "1" });
    const outcomes = Promise.allSettled([first, thread.undo({ actor: ada }, { actor: ada, id: "2" })]);
    await pass(outcomes);
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: "timed_out" } });
    expect(thread.version).toBe(0);
  });

  it("has stored what was cut: sent again, it has one effect", async () => {
    const { log, hung, letGo } = hangingLog();
    const thread = await open(log);
    hung.add("append");
    const cut = expect(thread.dispatch(add(1), { actor: ada, id: "1" })).rejects.toMatchObject({ code: "timed_out" });
    await pass(cut);
    await cut;
    letGo();
    const again = await Promise.all([1, 2].map(() => thread.dispatch(add(1), { actor: ada, id: "1" })));
    for (const verdict of again) expect(verdict).toMatchObject({ accepted: true, version: 1 });
    expect(await thread.dispatch(add(2), { actor: ada, id: "2" })).toMatchObject({ accepted: true, version: 2 });
    expect(thread.getState().count).toBe(3);
  });
});

describe("a log that hangs in a read", () => {
  it.each(["commits", "receipt", "load"] as const)("(%s) is read again with the next submission", async (name) => {
    const { log, store, hung, letGo } = hangingLog();
    const thread = await open(log);
    const other = await openThread({ definition: tally, log: { ...store }, threadId: "t" });
    for (const by of [1, 2]) await other.dispatch(add(by), { actor: ada });
    // Without its commits what follows is loaded.
    if (name === "load") await other.compact({ keep: 0 });
    hung.add(name);
    const cut = expect(thread.dispatch(add(4), { actor: ada, id: "1" })).rejects.toMatchObject({ code: "timed_out" });
    await pass(cut);
    await cut;
    letGo();
    expect(await thread.dispatch(add(4), { actor: ada, id: "1" })).toMatchObject({ accepted: true, version: 3 });
    expect(thread.getState().count).toBe(7);
  });

  it("cannot be opened, and can when it answers", async () => {
    const { log, hung, letGo } = hangingLog();
    hung.add("load");
    const cut = expect(open(log)).rejects.toMatchObject({ code: "timed_out" });
    await pass(cut);
    await cut;
    letGo();
    expect((await open(log)).version).toBe(0);
  });
});

describe("the option", () => {
  it("applies to all who open the thread in one process", async () => {
    const { log } = hangingLog();
    await openThread({ definition: tally, log, threadId: "t" });
    await open(log);
    await expect(open(log, 2_000)).rejects.toThrow(/`logTimeout` 1000, not 2000/);
    await expect(open(log, 0)).rejects.toThrow(/"logTimeout" must be milliseconds from 1, or Infinity, not 0/);
  });
});
