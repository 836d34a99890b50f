// A log that accepts little at once: batches are cut, and what cannot fit is refused.

import { memoryLog, openThread } from "@opstate/core";
import { type AppendLimits, createLog, entryBytes, type LogAdapter } from "@opstate/core/log";
import { describe, expect, it } from "vitest";
import { ada, tally } from "../tally.ts";

/** A memory log with limits, and the sizes of the appends that it accepted. */
function limited(limits: AppendLimits) {
  const appends: AppendLimits[] = [];
  const memory = memoryLog();
  const adapter: LogAdapter = {
    ...memory,
    limits,
    thread(threadId, incarnation) {
      const handle = memory.thread(threadId, incarnation);
      return {
        ...handle,
        append(head, entries, call) {
          appends.push({ entries: entries.length, bytes: entries.reduce((sum, entry) => sum + entryBytes(entry), 0) });
          return handle.append(head, entries, call);
        },
      };
    },
  };
  return { log: createLog(adapter), appends };
}

async function open(limits: AppendLimits) {
  const { log, appends } = limited(limits);
  return { thread: await openThread({ definition: tally, log, threadId: "t" }), appends, log };
}

const add = (by: number) => ({ type: "add", by }) as const;
const name = (name: string) => ({ type: "name", name }) as const;

describe("a log that accepts little at once", () => {
  it("gets as many entries at once as it accepts, in call order, each verdict once", async () => {
    const { thread, appends } = await open({ entries: 7, bytes: Infinity });
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => thread.dispatch(add(1), { actor: ada, id: `s${index}` })),
    );
    expect(verdicts.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(appends.map(({ entries }) => entries)).toEqual([7, 7, 7, 7, 7, 7, 7, 1]);
    expect(thread.getState().count).toBe(50);
  });

  it("gets as many bytes at once as it accepts", async () => {
    const { thread, appends } = await open({ entries: Infinity, bytes: 4_000 });
    const names = Array.from({ length: 30 }, (_, index) => `\u00e9${"x".repeat(index * 20)}`);
    const verdicts = await Promise.all(names.map((each) => thread.dispatch(name(each), { actor: ada })));
    expect(verdicts.every(({ accepted }) => accepted)).toBe(true);
    expect(Math.max(...appends.map(({ bytes }) => bytes))).toBeLessThanOrEqual(4_000);
    expect(appends.length).toBeLessThan(30);
    expect(thread.getState().names).toEqual(names);
  });

  it("refuses what alone is more, says why, and leaves the state and the others as they are", async () => {
    const { thread, appends, log } = await open({ entries: 5, bytes: 6_000 });
    const [before, large, after] = await Promise.all([
      thread.dispatch(add(1), { actor: ada }),
      thread.dispatch(name("x".repeat(9_000)), { actor: ada, id: "large" }),
      thread.dispatch(add(2), { actor: ada }),
    ]);
    expect([before?.accepted, after?.accepted]).toEqual([true, true]);
    expect(large).toMatchObject({
      accepted: false,
      version: 1,
      rejection: { code: "too_large", details: { most: 6_000 } },
    });
    expect(thread.getState()).toMatchObject({ count: 3, names: [] });
    expect(Math.max(...appends.map(({ bytes }) => bytes))).toBeLessThanOrEqual(6_000);
    // It is final, and has the same verdict again.
    expect(await thread.dispatch(name("x".repeat(9_000)), { actor: ada, id: "large" })).toEqual(large);
    expect((await log.thread("t").refusals()).items.map(({ id }) => id)).toEqual(["large"]);
  });
});

describe("a thread that forgot receipts", () => {
  it("never runs again what may have been done, and goes on with what is new", async () => {
    const log = memoryLog();
    const thread = await openThread({ definition: tally, log, threadId: "t" });
    for (let index = 1; index <= 6; index++)
      await thread.dispatch(add(1), { actor: ada, id: `s${index}`, basedOn: index - 1 });
    await log.thread("t", thread.incarnation).dropReceipts(4);
    for (const options of [
      { id: "s2", basedOn: 1 },
      { id: "s2" },
      { id: "unknown", basedOn: 3 },
      { id: "s3", expectedVersion: 2 },
    ])
      expect(await thread.dispatch(add(1), { actor: ada, ...options }), JSON.stringify(options)).toMatchObject({
        accepted: false,
        rejection: { code: "conflict", reason: "too_old", details: { receiptFloor: 4 } },
      });
    expect(thread.getState().count).toBe(6);
    expect(await thread.dispatch(add(1), { actor: ada, id: "s6", basedOn: 0 })).toMatchObject({ version: 6 });
    expect(await thread.dispatch(add(1), { actor: ada, id: "new", basedOn: 6 })).toMatchObject({ version: 7 });
    expect(await thread.dispatch(add(1), { actor: ada })).toMatchObject({ version: 8 });
    await thread.close();
    // And after a restart.
    const again = await openThread({ definition: tally, log, threadId: "t" });
    expect(await again.dispatch(add(1), { actor: ada, id: "s1" })).toMatchObject({ accepted: false });
    expect(again.getState().count).toBe(8);
  });

  it("is not fooled by another process that dropped them", async () => {
    const log = memoryLog();
    const [left, right] = await Promise.all(
      [{ ...log }, { ...log }].map((each) => openThread({ definition: tally, log: each, threadId: "t" })),
    );
    await left?.dispatch(add(1), { actor: ada, id: "once", basedOn: 0 });
    await left?.dispatch(add(1), { actor: ada, id: "twice", basedOn: 1 });
    await log.thread("t").dropReceipts(1);
    expect(await right?.dispatch(add(1), { actor: ada, id: "once", basedOn: 0 })).toMatchObject({
      accepted: false,
      rejection: { reason: "too_old" },
    });
    expect(await right?.dispatch(add(1), { actor: ada, id: "twice", basedOn: 1 })).toMatchObject({ version: 2 });
  });
});
