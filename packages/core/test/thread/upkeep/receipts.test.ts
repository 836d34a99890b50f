// For how long a thread knows an id: what is older is refused, and never run.
//
// Long because every kind of entry is tried after its receipt is gone.

import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, tally } from "../tally.ts";

const add = (by: number) => tally.op.add({ by });
const name = (text: string) => tally.op.name({ name: text });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse("2026-01-01T00:00:00.000Z");
const KEEP = 2 * DAY;

const tooOld = { accepted: false, rejection: { code: "conflict", reason: "too_old" } };

/** A thread whose clock a test moves. */
function forgetful(log = memoryLog(), keep = KEEP, time = { now: START }) {
  const open = (more: { compact?: { keep: number } } = {}) =>
    openThread({
      definition: tally,
      log,
      threadId: "t",
      clock: () => new Date(time.now).toISOString(),
      receipts: { keep },
      ...more,
    });
  const floor = async () => (await log.thread("t").info())?.receiptFloor ?? 0;
  return { log, time, open, floor };
}

type Opened = Awaited<ReturnType<ReturnType<typeof forgetful>["open"]>>;

/** Three edits at the start, and one each half day until the receipts of the first two are gone. */
async function forgotten(made = forgetful()) {
  const { time, open, floor } = made;
  const thread = await open();
  for (const id of ["a", "b", "c"]) await thread.dispatch(add(1), { actor: ada, id, madeAt: time.now });
  for (let half = 0; half < 7; half++) {
    time.now += DAY / 2;
    await thread.dispatch(add(1), { actor: ada, id: `half ${half}`, madeAt: time.now });
  }
  await expect.poll(floor).toBe(2);
  return { ...made, thread };
}

/** Days pass with an edit each half, until what was done up to a version is forgotten. */
async function days({ time, floor }: ReturnType<typeof forgetful>, thread: Opened, count: number, version: number) {
  for (let half = 0; half < 2 * count; half++) {
    time.now += DAY / 2;
    await thread.dispatch(add(1), { actor: ada });
  }
  await expect.poll(floor).toBeGreaterThanOrEqual(version);
}

/** Every kind of entry that has an id, made now. */
async function everyKind(thread: Opened, now: number) {
  const made = (id: string) => ({ id: `every ${id}`, madeAt: now });
  const verdicts = [
    await thread.dispatch(add(2), { actor: ada, ...made("operation") }),
    await thread.undo({ ids: ["every operation"] }, { actor: ada, ...made("undo") }),
    await thread.submit(
      { count: 40, names: [], size: 0 },
      { actor: { kind: "agent", id: "a" }, ...made("replacement") },
    ),
    await thread.propose(name("x"), { actor: ada, ...made("proposal") }),
    await thread.approve("every proposal", { actor: bob, ...made("approval") }),
    await thread.propose(name("y"), { actor: ada, ...made("second proposal") }),
    await thread.decline("every second proposal", { actor: bob, ...made("decision") }),
  ];
  return verdicts;
}

describe("a thread that keeps receipts for a time", () => {
  it("refuses what is older, with words, whether or not it was done", async () => {
    const { time, open } = forgetful();
    const thread = await open();
    time.now += 10 * DAY;
    const verdict = await thread.dispatch(add(1), { actor: ada, id: "late", madeAt: time.now - KEEP - 1 });
    expect(verdict).toMatchObject({
      ...tooOld,
      rejection: {
        message: expect.stringContaining("2026-01-08T23:59:59.999Z"),
        path: "/madeAt",
        details: { keep: KEEP },
      },
    });
    expect(await thread.dispatch(add(1), { actor: ada, id: "late", madeAt: time.now - KEEP })).toMatchObject({
      accepted: true,
    });
    expect(thread.getState().count).toBe(1);
  });

  it("gives what it still knows its verdict again, and runs nothing a second time", async () => {
    const { time, thread, log, open } = await forgotten();
    const { count } = thread.getState();
    for (const id of ["a", "b"])
      for (const madeAt of [START, undefined])
        expect(
          await thread.dispatch(add(1), { actor: ada, id, ...(madeAt !== undefined && { madeAt }) }),
        ).toMatchObject(tooOld);
    const known = { id: "half 6", madeAt: time.now };
    expect(await thread.dispatch(add(1), { actor: ada, ...known })).toMatchObject({ accepted: true, version: 10 });
    await thread.close();
    const again = await open();
    expect(await again.dispatch(add(1), { actor: ada, id: "a", madeAt: START })).toMatchObject(tooOld);
    expect(await again.dispatch(add(1), { actor: ada, ...known })).toMatchObject({ accepted: true, version: 10 });
    expect(again.getState().count).toBe(count);
    expect(await log.thread("t").receipt(ada, "a")).toBeUndefined();
  });

  it("goes on with all that is new, also where another process forgot", async () => {
    const { thread, time, log, open } = await forgotten();
    const fresh = await everyKind(thread, time.now);
    expect(fresh.map(({ accepted }) => accepted)).toEqual(fresh.map(() => true));
    await thread.close();
    // An object of its own is an authority of its own, which has read nothing of it.
    const other = await forgetful({ ...log }, Infinity, time).open();
    const verdict = await other.dispatch(add(1), { actor: ada, id: "by another", madeAt: time.now });
    expect(verdict).toMatchObject({ accepted: true });
    expect(await other.dispatch(add(1), { actor: ada, id: "a", madeAt: START })).toMatchObject(tooOld);
    const last = await open();
    expect(await last.dispatch(add(1), { actor: ada, id: "by another", madeAt: time.now })).toMatchObject({
      version: verdict.version,
    });
  });

  it("keeps a receipt a day longer, so that a sender's clock may be a day ahead", async () => {
    const { time, open, floor } = forgetful();
    const thread = await open();
    const ahead = { actor: ada, id: "ahead", madeAt: START + DAY };
    expect(await thread.dispatch(add(1), ahead)).toMatchObject({ version: 1 });
    for (time.now = START + DAY / 2; time.now < START + KEEP + DAY; time.now += DAY / 4)
      await thread.dispatch(add(1), { actor: ada });
    expect(await thread.dispatch(add(1), ahead)).toMatchObject({ version: 1 });
    for (time.now = START + KEEP + DAY + HOUR; time.now < START + 5 * DAY; time.now += DAY / 4)
      await thread.dispatch(add(1), { actor: ada });
    await expect.poll(floor).toBeGreaterThan(0);
    expect(await thread.dispatch(add(1), ahead)).toMatchObject(tooOld);
  });

  it("lets the version decide where a clock is further ahead, or says nothing", async () => {
    const { time, thread } = await forgotten();
    for (const madeAt of [time.now + 2 * DAY, undefined]) {
      const made = { actor: ada, ...(madeAt !== undefined && { madeAt }) };
      expect(await thread.dispatch(add(1), { ...made, id: "a" })).toMatchObject(tooOld);
      expect(await thread.dispatch(add(1), { ...made, id: `new ${madeAt}` })).toMatchObject({
        ...tooOld,
        rejection: { message: expect.stringContaining('"madeAt"') },
      });
      const { version } = thread;
      expect(await thread.dispatch(add(1), { ...made, id: `seen ${madeAt}`, basedOn: version })).toMatchObject({
        accepted: true,
      });
    }
  });

  it("forgets what it compacted before, by the times that it saw", async () => {
    const { time, open, floor } = forgetful();
    const thread = await open({ compact: { keep: 1 } });
    for (let hours = 0; hours < 24 * 5; hours += 3) {
      time.now += 3 * HOUR;
      await thread.dispatch(add(1), { actor: ada });
    }
    await expect.poll(floor).toBeGreaterThan(2);
    expect(thread.floor).toBeGreaterThan(await floor());
  });

  it("keeps the receipts of a branch's merges, and of an open proposal", async () => {
    const { time, open, floor } = forgetful();
    const thread = await open();
    await thread.dispatch(add(1), { actor: ada });
    const branch = await thread.branch();
    await branch.dispatch(add(10), { actor: ada, id: "on the branch", madeAt: time.now });
    await branch.merge({ actor: ada });
    for (let days = 0; days < 10; days++) {
      time.now += DAY;
      await thread.dispatch(add(1), { actor: ada });
    }
    await thread.close();
    const again = await open();
    expect(await floor()).toBeLessThanOrEqual(1);
    const same = await again.openBranch(branch.threadId);
    expect(await same?.diff()).toMatchObject([{ merged: 2 }]);
    await same?.merge({ actor: ada });
    expect(again.getState().count).toBe(1 + 10 + 10);
  });

  it("undoes and redoes what it forgot, and nothing of that twice", async () => {
    const made = await forgotten();
    const { time, thread, open } = made;
    const { count } = thread.getState();
    const first = { actor: ada, id: "undo", madeAt: time.now };
    const undone = await thread.undo({ ids: ["a"] }, first);
    expect(undone).toMatchObject({ accepted: true });
    await days(made, thread, 5, undone.version);
    await thread.close();
    const again = await open();
    for (const options of [first, { actor: ada, id: "undo" }])
      expect(await again.undo({ ids: ["a"] }, options)).toMatchObject(tooOld);
    expect(again.getState().count).toBe(count - 1 + 10);
    const redone = await again.undo({ ids: ["undo"] }, { actor: ada, id: "redo", madeAt: time.now });
    expect(redone).toMatchObject({ accepted: true });
    expect(again.getState().count).toBe(count + 10);
    await days(made, again, 5, redone.version);
    await again.close();
    const last = await open();
    expect(await last.undo({ ids: ["redo"] }, { actor: ada, id: "undo again", madeAt: time.now })).toMatchObject({
      accepted: true,
    });
    expect(last.getState().count).toBe(count - 1 + 20);
  });

  it("carries out no proposal twice, whatever it forgot of the decision", async () => {
    const made = forgetful();
    const { time, open } = made;
    const thread = await open();
    await thread.propose(name("x"), { actor: ada, id: "proposal", madeAt: time.now });
    const approval = { actor: bob, id: "approval", madeAt: time.now };
    const { version } = await thread.approve("proposal", approval);
    await thread.dispatch(tally.op.unname({ name: "x" }), { actor: ada });
    await days(made, thread, 5, version);
    await thread.close();
    const again = await open();
    expect(await again.approve("proposal", approval)).toMatchObject(tooOld);
    expect(await again.approve("proposal", { actor: bob, id: "approval" })).toMatchObject(tooOld);
    expect(await again.approve("proposal", { actor: bob })).toMatchObject({
      accepted: false,
      rejection: { reason: "decided", details: { version } },
    });
    expect(again.getState().names).toEqual([]);
  });

  it("goes on after receipts were dropped by hand, up to the newest", async () => {
    const { time, open, log } = forgetful(memoryLog(), Infinity);
    const thread = await open();
    for (const id of ["a", "b"]) await thread.dispatch(add(1), { actor: ada, id, madeAt: time.now });
    await log.thread("t", thread.incarnation).dropReceipts(2);
    time.now += 1;
    expect(await thread.dispatch(add(1), { actor: ada, id: "b", madeAt: START })).toMatchObject(tooOld);
    const fresh = await everyKind(thread, time.now);
    expect(fresh.map(({ accepted }) => accepted)).toEqual(fresh.map(() => true));
  });
});

describe("the time of a submission", () => {
  it.each([-1, 1.5, Number.NaN, "now", null])("is whole milliseconds, not %j", async (madeAt) => {
    const thread = await forgetful().open();
    const verdict = await thread.submit(add(1), { actor: ada, madeAt } as never);
    expect(verdict).toMatchObject({ accepted: false, rejection: { code: "invalid_operation", path: "/madeAt" } });
  });

  it.each([0, -1, Number.NaN])("has a bound above 0, not %j", async (keep) => {
    await expect(forgetful(memoryLog(), keep).open()).rejects.toThrow(/"receipts.keep" must be milliseconds above 0/);
  });

  it("is one for all who open the thread in a process", async () => {
    const { log, open } = forgetful();
    await open();
    await expect(forgetful(log, DAY).open()).rejects.toMatchObject({ code: "other_options" });
  });
});
