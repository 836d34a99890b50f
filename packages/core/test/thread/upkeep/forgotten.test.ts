// What a thread has forgotten is not done again, and is not taken for another's: its edges.

import { createReplica, memoryLog, openThread, threadTransport } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, elsewhere, tally } from "../tally.ts";

const add = (by: number) => tally.op.add({ by });
const name = (text: string) => tally.op.name({ name: text });
const unname = (text: string) => tally.op.unname({ name: text });

const DAY = 24 * 3_600_000;
const KEEP = 2 * DAY;
const tooOld = { accepted: false, rejection: { code: "conflict", reason: "too_old" } };

/** A thread whose clock a test moves. */
function forgetful(log = memoryLog(), keep = KEEP, time = { now: Date.parse("2026-01-01T00:00:00.000Z") }) {
  const clock = () => new Date(time.now).toISOString();
  const open = () => openThread({ definition: tally, log, threadId: "t", clock, receipts: { keep } });
  const floor = async () => (await log.thread("t").info())?.receiptFloor ?? 0;
  return { log, time, clock, open, floor };
}

type Made = ReturnType<typeof forgetful>;

/** Days with an edit of Bob each, until the receipts up to a version are gone. */
async function days({ time, open, floor }: Made, count: number, upTo: number) {
  const thread = await open();
  for (let day = 0; day < count; day += 1) {
    time.now += DAY;
    await thread.dispatch(add(1), { actor: bob, madeAt: time.now });
  }
  await expect.poll(floor, { timeout: 30_000 }).toBeGreaterThanOrEqual(upTo);
  return thread;
}

describe("when receipts are forgotten", () => {
  it("an undo by id takes back one's own commit, not another's of the same id", async () => {
    const made = forgetful();
    const { time, open } = made;
    const thread = await open();
    const first = await thread.dispatch(name("ada's"), { actor: ada, id: "same", madeAt: time.now });
    await days(made, 1, 0);
    await thread.dispatch(name("bob's"), { actor: bob, id: "same", madeAt: time.now });
    await days(made, 5, first.version);
    expect(await thread.undo({ ids: ["same"], actor: bob }, { actor: ada })).toMatchObject({ accepted: true });
    expect(thread.getState().names).toEqual(["ada's"]);
    expect(await thread.undo({ ids: ["same"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(thread.getState().names).toEqual([]);
  });

  it("an undo by the id and actor of a forgotten commit finds it", async () => {
    const made = forgetful();
    const thread = await made.open();
    await thread.dispatch(name("x"), { actor: ada, id: "only", madeAt: made.time.now });
    await days(made, 5, 1);
    expect(await thread.undo({ ids: ["only"], actor: ada }, { actor: bob })).toMatchObject({ accepted: true });
    expect(thread.getState().names).toEqual([]);
  });

  it("what was refused at the version where they end is not run, though it is legal now", async () => {
    const { open, log, time } = forgetful(memoryLog(), Infinity);
    const thread = await open();
    await thread.dispatch(name("x"), { actor: bob, madeAt: time.now });
    const first = await thread.dispatch(name("x"), { actor: ada, id: "once", basedOn: 1 });
    expect(first).toMatchObject({ accepted: false, version: 1 });
    await thread.dispatch(unname("x"), { actor: bob, madeAt: time.now });
    await log.thread("t", thread.incarnation).dropReceipts(1);
    expect(await thread.dispatch(name("x"), { actor: ada, id: "once", basedOn: 1 })).toMatchObject(tooOld);
    expect(thread.getState().names).toEqual([]);
  });

  it("a merge that changed nothing where its branch began stays known while that is open", async () => {
    const made = forgetful();
    const thread = await made.open();
    await thread.dispatch(add(0), { actor: bob, madeAt: made.time.now });
    await thread.dispatch(name("x"), { actor: bob, madeAt: made.time.now });
    const branch = await thread.branch();
    await branch.dispatch(add(5), { actor: ada, id: "up" });
    await branch.dispatch(tally.op.reset({}), { actor: ada, id: "down" });
    const [merged] = await branch.merge({ actor: ada, ids: ["down"] });
    expect(merged?.verdict).toMatchObject({ accepted: true, version: thread.version });
    await days(made, 9, 0);
    expect((await branch.diff()).map(({ merged }) => merged)).toEqual([undefined, merged?.verdict.version]);
    const { count } = thread.getState();
    await branch.merge({ actor: ada, ids: ["down"] });
    expect(thread.getState().count).toBe(count);
  });

  it("nothing of that is run by a process that keeps them for longer", async () => {
    const { time, log, open } = forgetful();
    const thread = await open();
    const ahead = { actor: ada, id: "ahead", madeAt: time.now + 60_000 };
    await thread.dispatch(add(10), ahead);
    time.now += DAY / 2;
    const unchanged = { actor: ada, id: "unchanged", madeAt: time.now };
    expect(await thread.dispatch(unname("x"), unchanged)).toMatchObject({ accepted: false, version: 1 });
    time.now += DAY / 2;
    await thread.dispatch(name("x"), { actor: bob, madeAt: time.now });
    time.now += 5 * DAY;
    // As its upkeep does, which may be later.
    await log.thread("t", thread.incarnation).dropReceipts(1);
    await thread.close();
    const longer = await forgetful(elsewhere(log), 60 * DAY, time).open();
    expect(await longer.dispatch(add(10), ahead)).toMatchObject(tooOld);
    expect(await longer.dispatch(unname("x"), unchanged)).toMatchObject(tooOld);
    expect(longer.getState()).toMatchObject({ count: 10, names: ["x"] });
  });

  it("a stored submission without a time is not run a second time", async () => {
    const made = forgetful();
    const { time, clock } = made;
    const thread = await made.open();
    await thread.dispatch(add(10), { actor: ada, id: "once", madeAt: time.now });
    await days(made, 5, 1);
    const { count } = thread.getState();
    const pending = [{ id: "once", operation: add(10) }];
    const transport = threadTransport(thread, { actor: ada });
    const replica = createReplica({ definition: tally, transport, clock, pending });
    await replica.ready();
    await expect.poll(() => replica.sync.getState().pending.length).toBe(0);
    expect(replica.sync.getState().rejections).toMatchObject([{ verdict: tooOld }]);
    expect(thread.getState().count).toBe(count);
    replica.close();
  });
});
