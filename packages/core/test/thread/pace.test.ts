// Long work yields to the event loop. The clock of these tests is moved on by the work itself.

import { defined, defineState, type Log, memoryLog, openThread, type Verdict } from "@opstate/core";
import type { Scheduler } from "@opstate/core/thread";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, bob, robot, spied, tally, elsewhere } from "./tally.ts";

/** A clock that a test moves on. `next` sets what others do in the next turn that they get. */
function simulated() {
  let time = 0;
  let turns = 0;
  let meanwhile: (() => unknown) | undefined;
  const scheduler: Scheduler = {
    now: () => time,
    async yield() {
      turns += 1;
      const others = meanwhile;
      meanwhile = undefined;
      await others?.();
    },
  };
  return {
    scheduler,
    turns: () => turns,
    pass: (milliseconds: number) => void (time += milliseconds),
    next: (others: () => unknown) => void (meanwhile = others),
  };
}

/** A clock that moves on by 3 ms whenever it is read. */
function hasty() {
  let time = 0;
  let turns = 0;
  const scheduler: Scheduler = { now: () => (time += 3), yield: async () => void (turns += 1) };
  return { scheduler, turns: () => turns };
}

/** A counter whose operations take as long as they say. */
function slowCounter({ pass }: Pick<ReturnType<typeof simulated>, "pass">) {
  return defineState({
    name: "slow",
    schema: z.object({ sum: z.int(), seen: z.array(z.int()) }),
    initial: { sum: 0, seen: [] },
    operations: {
      add: {
        input: z.object({ by: z.int(), takes: z.int() }),
        apply(draft, { by, takes }, { reject }) {
          pass(takes);
          if (by < 0) return reject("negative", "Only more");
          draft.sum += by;
          draft.seen.push(by);
        },
      },
    },
  });
}

async function slowThread(store: Log = memoryLog()) {
  const time = simulated();
  const definition = slowCounter(time);
  const log = spied(store);
  const thread = await openThread({ definition, log, threadId: "t", scheduler: time.scheduler });
  log.calls.length = 0;
  const add = (by: number, takes = 3) => definition.op.add({ by, takes });
  const send = (from: number, to: number, takes = 3) =>
    Array.from({ length: to - from + 1 }, (_, index) =>
      thread.dispatch(add(from + index, takes), { actor: ada, id: `${from + index}` }),
    );
  return { ...time, definition, store, log, thread, add, send };
}

const versionsOf = (verdicts: readonly Verdict[]) =>
  verdicts.map(({ accepted, version }) => (accepted ? version : -version));

describe("an authority with a long queue", () => {
  it("yields after every 8 ms of work and stores the queue as one batch", async () => {
    const { thread, send, turns, log } = await slowThread();
    const verdicts = await Promise.all(send(1, 10));
    // Before the 4th, the 7th and the 10th.
    expect(turns()).toBe(3);
    expect(versionsOf(verdicts)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(thread.getState().seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(log.calls).toEqual(["append"]);
  });

  it("does not yield when the work is short or a single submission", async () => {
    const { send, turns } = await slowThread();
    await Promise.all(send(1, 600, 0));
    await Promise.all(send(601, 601, 1_000));
    expect(turns()).toBe(0);
  });

  it("counts its time on from one batch to the next", async () => {
    const { send, turns, log } = await slowThread();
    await Promise.all([
      ...send(1, 1, 5),
      ...send(2, 512, 0),
      ...send(513, 513, 5),
      ...send(514, 1_024, 0),
      ...send(1_025, 1_025, 0),
    ]);
    expect(log.calls.filter((call) => call === "append")).toHaveLength(3);
    expect(turns()).toBe(1);
  });

  it("yields between listeners too, and each sees the state of its version", async () => {
    const { thread, send, turns, pass, next } = await slowThread();
    const commits: number[] = [];
    thread.onCommit(({ version }) => {
      commits.push(version);
      pass(5);
      next(() =>
        expect([thread.version, thread.getState().seen.length, commits.length]).toEqual([version, version, version]),
      );
    });
    await Promise.all(send(1, 6, 0));
    expect(commits).toEqual([1, 2, 3, 4, 5, 6]);
    expect(turns()).toBe(2);
  });

  it("shows nothing that is not stored while it yields", async () => {
    const { thread, send, next } = await slowThread();
    const seen: unknown[] = [];
    next(async () => seen.push([thread.version, thread.getState().sum, await thread.history()]));
    await Promise.all(send(1, 5));
    expect(seen).toEqual([[0, 0, []]]);
  });

  it("judges what is sent while it yields after all that was in the queue", async () => {
    const { thread, send, add, next } = await slowThread();
    const late: Promise<Verdict>[] = [];
    next(() => {
      // A new one, one that is in the queue already, one that expects the version it sees, an undo.
      late.push(thread.dispatch(add(9), { actor: bob, id: "late" }));
      late.push(thread.dispatch(add(2), { actor: ada, id: "2" }));
      late.push(thread.dispatch(add(1), { actor: bob, id: "expects", expectedVersion: 0 }));
      late.push(thread.undo({ ids: ["5"] }, { actor: ada, id: "undo" }));
    });
    const first = await Promise.all(send(1, 5));
    expect(versionsOf(first)).toEqual([1, 2, 3, 4, 5]);
    const after = await Promise.all(late);
    expect(versionsOf(after)).toEqual([6, 2, -6, 7]);
    expect(after[1]).toEqual(first[1]);
    expect(thread.getState().seen).toEqual([1, 2, 3, 4, 9]);
  });

  it("judges its queue again, in order and once, when another authority wrote first", async () => {
    const { thread, store, definition, send, next, add } = await slowThread();
    const commits: number[] = [];
    thread.onCommit(({ version }) => commits.push(version));
    next(async () => {
      const other = await openThread({ definition, log: store, threadId: "t" });
      await other.dispatch(add(100), { actor: bob });
      // The same submission, sent to both.
      await other.dispatch(add(2), { actor: ada, id: "2" });
    });
    const verdicts = await Promise.all(send(1, 5));
    expect(versionsOf(verdicts)).toEqual([3, 2, 4, 5, 6]);
    expect(thread.getState().seen).toEqual([100, 2, 1, 3, 4, 5]);
    expect(commits).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("follows a head that is announced while it yields", async () => {
    const store = memoryLog();
    let announce: (head: number) => void = () => undefined;
    const { thread, definition, send, add, next } = await slowThread({
      ...store,
      watch: (_, onHead) => ((announce = onHead), () => undefined),
    });
    next(async () => {
      const other = await openThread({ definition, log: store, threadId: "t" });
      await other.dispatch(add(100), { actor: bob });
      announce(1);
    });
    expect(versionsOf(await Promise.all(send(1, 4)))).toEqual([2, 3, 4, 5]);
    expect(thread.getState().seen).toEqual([100, 1, 2, 3, 4]);
  });

  it("finishes its queue when it is closed while it yields", async () => {
    const { thread, send, next, add } = await slowThread();
    let closed: Promise<void> | undefined;
    const order: string[] = [];
    next(() => {
      closed = thread.close().then(() => void order.push("closed"));
    });
    const verdicts = send(1, 5).map(async (verdict) => {
      const { version } = await verdict;
      order.push(`${version}`);
    });
    await Promise.all(verdicts);
    await closed;
    expect(order).toEqual(["1", "2", "3", "4", "5", "closed"]);
    await expect(thread.dispatch(add(1), { actor: ada })).rejects.toMatchObject({ code: "closed" });
  });

  it("stores nothing of its queue when the thread is deleted while it yields, and rejects all of it", async () => {
    const { thread, store, definition, send, next, turns } = await slowThread();
    next(async () => {
      await store.delete("t");
      await openThread({ definition, log: store, threadId: "t" });
    });
    const results = await Promise.allSettled(send(1, 5));
    expect(turns()).toBe(1);
    expect(results.map((result) => result.status === "rejected" && result.reason.code)).toEqual(
      Array(5).fill("replaced"),
    );
    expect([thread.version, (await store.info("t"))?.version]).toEqual([0, 0]);
  });

  it("counts refusals on across the turns of one batch", async () => {
    const { thread, add } = await slowThread();
    const refused = Array.from({ length: 5 }, () => thread.dispatch(add(-1, 5), { actor: robot }));
    const attempts = (await Promise.all(refused)).map((verdict) => !verdict.accepted && verdict.attempt);
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("work on many commits", () => {
  const count = 40;

  async function long() {
    const store = memoryLog();
    const thread = await openThread({ definition: tally, log: store, threadId: "t", snapshotEvery: 1_000 });
    for (let index = 0; index < count; index++)
      await thread.dispatch({ type: "name", name: `n${index}` }, { actor: ada, id: `${index}` });
    await thread.propose({ type: "name", name: "proposed" }, { actor: robot, id: "p" });
    for (let index = 0; index < 10; index++)
      await thread.propose({ type: "add", by: index }, { actor: robot, id: `p${index}` });
    const branch = await thread.branch(undefined, { id: "b" });
    for (let index = 0; index < 10; index++)
      await branch.dispatch({ type: "add", by: index }, { actor: robot, id: `b${index}` });
    await thread.close();
    return store;
  }

  const opened = async (scheduler?: Scheduler) => {
    const log = await long();
    return openThread({ definition: tally, log, threadId: "t", ...defined({ scheduler }) });
  };
  type Opened = Awaited<ReturnType<typeof opened>>;

  it.each<readonly [string, (thread: Opened) => Promise<unknown>]>([
    ["an undo", async (thread) => (await thread.undo({ ids: ["0"] }, { actor: ada, id: "u" })).version],
    ["the state of a version", (thread) => thread.stateAt(count - 1)],
    ["an explanation", async (thread) => (await thread.explain("/names/0"))?.commit.version],
    ["the open proposals", async (thread) => (await thread.proposals()).map(({ id, stale }) => [id, stale])],
    [
      "the diff of a branch",
      async (thread) => (await (await thread.openBranch("b"))?.diff())?.map(({ id, holds }) => [id, holds]),
    ],
    ["compaction", async (thread) => thread.compact({ before: count / 2 })],
    [
      "merging",
      async (thread) =>
        (await (await thread.openBranch("b"))?.merge({ actor: ada }))?.map(({ verdict }) => verdict.version),
    ],
  ])("yields: %s", async (_, work) => {
    const { scheduler, turns } = hasty();
    const thread = await opened(scheduler);
    // Opening a thread is such work as well.
    expect(turns()).toBeGreaterThan(count / 4);
    const before = turns();
    const result = await work(thread);
    expect(turns()).toBeGreaterThan(before + 2);
    const still = await opened({ now: () => 0, yield: () => Promise.reject(new Error("must not yield")) });
    expect(result).toEqual(await work(still));
    expect(thread.getState()).toEqual(still.getState());
  });

  it("yields while an authority catches up, and shows each state with its version", async () => {
    // It learns nothing of the other one before it writes something itself.
    const { watch: _, ...store } = memoryLog();
    const seen: (readonly [number, number])[] = [];
    let time = 0;
    const scheduler: Scheduler = {
      now: () => (time += 3),
      yield: async () => void seen.push([thread.version, thread.getState().names.length]),
    };
    const thread = await openThread({ definition: tally, log: store, threadId: "t", scheduler });
    const other = await openThread({ definition: tally, log: elsewhere(store), threadId: "t" });
    for (let index = 0; index < count; index++)
      await other.dispatch({ type: "name", name: `n${index}` }, { actor: bob });
    await thread.dispatch({ type: "name", name: "mine" }, { actor: ada });
    expect(thread.version).toBe(count + 1);
    expect(seen.length).toBeGreaterThan(count / 4);
    for (const [version, names] of seen) expect(names).toBe(version);
  });
});

describe("a thread without a scheduler of its own", () => {
  it("yields to the event loop", async () => {
    const seen = { judged: 0, answered: 0 };
    const busy = defineState({
      name: "busy",
      schema: z.object({ n: z.int() }),
      initial: { n: 0 },
      operations: {
        spin: {
          input: z.object({}),
          apply(draft) {
            if (seen.judged === 0) setTimeout(() => (seen.answered = seen.judged));
            // Until a timer had its turn, each takes longer than a turn may.
            for (const end = performance.now() + 9; seen.answered === 0 && performance.now() < end;);
            seen.judged += 1;
            draft.n += 1;
          },
        },
      },
    });
    const thread = await openThread({ definition: busy, log: memoryLog(), threadId: "t" });
    const verdicts = await Promise.all(
      Array.from({ length: 100 }, () => thread.dispatch(busy.op.spin({}), { actor: ada })),
    );
    expect(verdicts.every(({ accepted }) => accepted)).toBe(true);
    expect(seen.answered).toBeGreaterThan(0);
    expect(seen.answered).toBeLessThan(100);
  });
});
