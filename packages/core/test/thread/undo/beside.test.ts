// An undo that takes long: others write meanwhile, and it is the undo of what there is then.

import { type Log, memoryLog, openThread, type Thread } from "@opstate/core";
import type { Scheduler } from "@opstate/core/thread";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally } from "../tally.ts";

/** Whatever is done takes a turn, and others do what they want to in each. */
function busy() {
  let time = 0;
  let turns = 0;
  let others: (turn: number) => unknown = () => undefined;
  const scheduler: Scheduler = {
    now: () => (time += 9),
    async yield() {
      turns += 1;
      await others(turns);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  return { scheduler, meanwhile: (act: (turn: number) => unknown) => void (others = act) };
}

const add = (by: number) => ({ type: "add", by }) as const;

async function longRun(length: number) {
  const { scheduler, meanwhile } = busy();
  const log = memoryLog();
  const thread: Thread = await openThread({ definition: tally, log, threadId: "t", scheduler });
  for (let n = 0; n < length; n++) await thread.submit(add(1), { actor: ada, runId: n % 3 === 0 ? "other" : "run" });
  return { thread, meanwhile, log };
}

/** The same history without turns: the oracle. */
async function alone(thread: Thread, upTo: number) {
  const copy: Thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  for (const entry of await thread.history())
    if (entry.kind === "commit" && entry.commit.version < upTo) {
      const { operation, actor, id, runId } = entry.commit;
      await copy.submit(operation, { actor, id, ...(runId === undefined ? {} : { runId }) });
    }
  return copy;
}

describe("an undo of a long run", () => {
  it("lets others write while it is worked out", async () => {
    const { thread, meanwhile } = await longRun(60);
    const during: Promise<unknown>[] = [];
    let done = false;
    const order: string[] = [];
    meanwhile(() => {
      if (done || during.length === 3) return;
      during.push(thread.submit(add(5), { actor: bob }).then(() => order.push("bob")));
    });
    const verdict = await thread.undo({ runId: "run" }, { actor: ada });
    order.push("undo");
    done = true;
    await Promise.all(during);
    expect(verdict.accepted).toBe(true);
    expect(order.slice(0, 3)).toEqual(["bob", "bob", "bob"]);
    expect(thread.getState()).toMatchObject({ count: 20 + 15 });
  });

  it("is what it would be if it had been requested at its version", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.array(
          fc.record({ turn: fc.integer({ min: 1, max: 60 }), by: fc.integer({ min: 1, max: 9 }), undo: fc.boolean() }),
          { maxLength: 5 },
        ),
        async (length, acts) => {
          const { thread, meanwhile } = await longRun(length);
          let isRunning = false;
          const during: Promise<unknown>[] = [];
          let turn = 0;
          meanwhile(() => {
            if (!isRunning) return;
            turn += 1;
            for (const act of acts)
              if (act.turn === turn)
                during.push(
                  act.undo ? thread.undo({ actor: bob }, { actor: bob }) : thread.submit(add(act.by), { actor: bob }),
                );
          });
          isRunning = true;
          const verdict = await thread.undo({ runId: "run" }, { actor: ada, id: "u" });
          isRunning = false;
          await Promise.all(during);
          if (!verdict.accepted || verdict.commit === undefined) return;
          const { operation, patches } = verdict.commit;
          const undos = (await thread.history()).some(
            (entry) => entry.kind === "commit" && entry.commit.operation.type === "$undo" && entry.commit.id !== "u",
          );
          // The oracle sends operations again, which an undo is not.
          if (undos) return;
          const copy = await alone(thread, verdict.version);
          const expected = await copy.undo({ runId: "run" }, { actor: ada, id: "u" });
          expect(expected).toMatchObject({ accepted: true, version: verdict.version, commit: { operation, patches } });
        },
      ),
    );
  });

  it("has its id's verdict when the same undo is sent again meanwhile", async () => {
    const { thread, meanwhile } = await longRun(40);
    let again: Promise<unknown> | undefined;
    meanwhile(() => void (again ??= thread.undo({ runId: "run" }, { actor: ada, id: "u" })));
    const verdict = await thread.undo({ runId: "run" }, { actor: ada, id: "u" });
    expect(verdict.accepted).toBe(true);
    expect(await again).toMatchObject({ accepted: true, version: verdict.version });
    expect((await thread.history()).filter((entry) => entry.kind === "commit" && entry.commit.id === "u")).toHaveLength(
      1,
    );
  });

  it("keeps what another process committed meanwhile, also when what it undoes did nothing", async () => {
    const { watch: _, ...silent } = memoryLog();
    const here: Thread = await openThread({ definition: tally, log: silent, threadId: "t" });
    const there: Thread = await openThread({ definition: tally, log: { ...silent }, threadId: "t" });
    await here.propose(add(7), { actor: robot, id: "p" });
    await there.submit(add(1), { actor: bob });
    expect(await here.undo({ ids: ["p"] }, { actor: ada })).toMatchObject({ accepted: true, version: 3 });
    expect(here.getState()).toMatchObject({ count: 1 });
  });

  it("is finished before the thread is closed", async () => {
    const { thread, log } = await longRun(40);
    const undone = thread.undo({ runId: "run" }, { actor: robot });
    await thread.close();
    expect((await undone).accepted).toBe((await log.info("t"))?.version === 41);
  });
});

it("an undo that meets what another process has just committed goes on from there with what it computed anew", async () => {
  const store = memoryLog();
  const elsewhere: Thread = await openThread({ definition: tally, log: store, threadId: "t" });
  let before: (() => Promise<unknown>) | undefined;
  const log: Log = {
    ...store,
    async append(...call) {
      const act = before;
      before = undefined;
      await act?.();
      return store.append(...call);
    },
  };
  const thread: Thread = await openThread({ definition: tally, log, threadId: "t" });
  await thread.submit(add(1), { actor: robot, runId: "run" });
  await thread.submit(add(2), { actor: ada });
  before = () => elsewhere.submit(add(4), { actor: bob });
  const verdict = await thread.undo({ runId: "run" }, { actor: ada });
  expect(verdict).toMatchObject({ accepted: true, commit: { operation: { recomputed: [[2, 3]] } } });
  expect(thread.getState()).toMatchObject({ count: 6 });
  expect((await openThread({ definition: tally, log: { ...store }, threadId: "t" })).getState()).toMatchObject({
    count: 6,
  });
});
