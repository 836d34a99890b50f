// The history of a thread whose log was compacted: states from the floor on, and a clear error for
// those before it.

import { type Log, memoryLog, openThread, OpstateError } from "@opstate/core";
import { replayLog } from "@opstate/core/log";
import { describe, expect, it } from "vitest";
import { compactTo } from "../../../src/thread/upkeep/compaction.ts";
import { readMatching } from "../../../src/thread/log/scan.ts";
import { readSnapshotAt, readStateAt } from "../../../src/thread/log/state-at.ts";
import { ada, defineTally, robot, steady, tally } from "../tally.ts";

/** A thread of `count` commits whose state at version v is `{ count: v }`. */
async function recorded(
  count: number,
  { log = memoryLog(), snapshotEvery = 4 }: { log?: Log; snapshotEvery?: number } = {},
) {
  const thread = await openThread({ definition: tally, log, threadId: "t", snapshotEvery, ...steady() });
  for (let n = 1; n <= count; n += 1)
    await thread.dispatch(
      { type: "add", by: 1 },
      { actor: n % 2 ? ada : robot, id: `c${n}`, ...(n % 5 ? {} : { runId: "r" }) },
    );
  await thread.close();
  return log;
}

const stateOf = (version: number) => ({ count: version, names: [], size: 0 });

/** A log whose first call of `method` comes too late: `before` is done first. */
function overtaken<M extends "read" | "compact">(log: Log, method: M, before: () => Promise<unknown>): Log {
  let first = true;
  const call = async (...given: unknown[]) => {
    if (first) {
      first = false;
      await before();
    }
    return (log[method] as (...given: unknown[]) => unknown)(...given);
  };
  return { ...log, [method]: call };
}

describe("a state of the past", () => {
  it("can be read from the floor on; before it, an error says where the history begins", async () => {
    const log = await recorded(30);
    for (const floor of [0, 7, 20, 30]) {
      expect(await compactTo(log, "t", floor)).toBe(floor);
      for (let version = 0; version <= 30; version += 1) {
        if (version >= floor) expect(await readStateAt(log, "t", version)).toEqual(stateOf(version));
        else {
          const failed: unknown = await readStateAt(log, "t", version).catch((error: unknown) => error);
          expect(failed).toBeInstanceOf(OpstateError);
          expect(failed).toMatchObject({
            code: "compacted",
            message: expect.stringContaining(`keeps nothing before version ${floor}`),
          });
        }
      }
    }
  });

  it("is read from the newer snapshot when the log is compacted during the read", async () => {
    for (const snapshotEvery of [3, 1_000]) {
      const log = await recorded(30, { snapshotEvery });
      const late = overtaken(log, "read", () => compactTo(log, "t", 20));
      expect(await readSnapshotAt(late, "t", 25)).toEqual({ version: 25, state: stateOf(25), definitionVersion: 1 });
      const gone = overtaken(log, "read", () => compactTo(log, "t", 28));
      await expect(readStateAt(gone, "t", 26)).rejects.toMatchObject({ code: "compacted" });
    }
  });

  it("that a gap in the log makes unreadable is a corrupt log, not a compacted one", async () => {
    const log = await recorded(9, { snapshotEvery: 1_000 });
    const torn: Log = {
      ...log,
      read: async (id, range) => (await log.read(id, range)).filter(({ version }) => version !== 5),
    };
    await expect(readStateAt(torn, "t", 7)).rejects.toMatchObject({ code: "corrupt_log" });
    await expect(readStateAt(log, "nobody", 7)).rejects.toMatchObject({ code: "corrupt_log" });
  });
});

describe("compaction to a version", () => {
  it("keeps the state of that version, with the definition version that wrote it", async () => {
    const log = await recorded(10);
    const newer = await openThread({ definition: defineTally(2), log, threadId: "t" });
    await newer.dispatch({ type: "add", by: 1 }, { actor: ada });
    await newer.close();
    expect(await compactTo(log, "t", 9)).toBe(9);
    expect(await log.snapshotAt("t", 9)).toEqual({ version: 9, state: stateOf(9), definitionVersion: 1 });
    expect(await compactTo(log, "t", 11)).toBe(11);
    expect(await log.snapshotAt("t", 11)).toEqual({ version: 11, state: stateOf(11), definitionVersion: 2 });
    const opened = await openThread({ definition: defineTally(2), log, threadId: "t" });
    expect([opened.version, opened.getState()]).toEqual([11, stateOf(11)]);
  });

  it("keeps the verdicts of ids, and the next version follows the last one", async () => {
    const log = await recorded(10);
    await compactTo(log, "t", 10);
    const thread = await openThread({ definition: tally, log, threadId: "t" });
    expect(await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "c3" })).toEqual({
      accepted: true,
      version: 3,
    });
    expect(await thread.dispatch({ type: "add", by: 2 }, { actor: ada, id: "c3" })).toMatchObject({
      rejection: { code: "conflict" },
    });
    expect(await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "c11" })).toMatchObject({
      accepted: true,
      version: 11,
    });
    expect(thread.getState()).toEqual(stateOf(11));
  });

  it("stays at a higher floor that another process reached first", async () => {
    const log = await recorded(30, { snapshotEvery: 1_000 });
    expect(
      await compactTo(
        overtaken(log, "read", () => compactTo(log, "t", 25)),
        "t",
        20,
      ),
    ).toBe(25);
    expect(
      await compactTo(
        overtaken(log, "compact", () => compactTo(log, "t", 29)),
        "t",
        27,
      ),
    ).toBe(29);
    expect(await compactTo(log, "t", 3)).toBe(29);
  });

  it("rejects a version that the thread does not have", async () => {
    const log = await recorded(3);
    for (const version of [4, -1, 1.5, Number.NaN])
      await expect(compactTo(log, "t", version)).rejects.toThrow(RangeError);
    await expect(compactTo(log, "nobody", 0)).rejects.toMatchObject({ code: "corrupt_log" });
    expect((await log.info("t"))?.floor).toBe(0);
  });
});

describe("commits that match", () => {
  it("are read newest first, however many pages there are", async () => {
    const log = await recorded(700);
    const collect = async (filter: Parameters<typeof readMatching>[2]) => {
      const versions: number[] = [];
      for await (const { version } of readMatching(log, "t", filter)) versions.push(version);
      return versions;
    };
    const all = Array.from({ length: 700 }, (_, index) => 700 - index);
    expect(await collect({})).toEqual(all);
    expect(await collect({ actor: robot })).toEqual(all.filter((version) => version % 2 === 0));
    expect(await collect({ runId: "r", actor: ada, after: 20, before: 666 })).toEqual(
      all.filter((version) => version % 10 === 5 && version > 20 && version < 666),
    );
    await compactTo(log, "t", 600);
    expect(await collect({ types: ["add"] })).toEqual(all.slice(0, 100));
  });
});

describe("replayLog of a compacted log", () => {
  it("begins with the snapshot at the floor", async () => {
    const log = await recorded(10);
    await compactTo(log, "t", 6);
    const thread = await openThread({ definition: tally, log, threadId: "t" });
    const entries = await thread.history({ after: thread.floor });
    const from = { version: 6, state: await thread.stateAt(6) };
    expect(replayLog(tally, entries, from)).toEqual({ state: stateOf(10), changes: [], skipped: 0 });
  });

  it("throws when the first commit does not follow the given state, and says which one it follows", async () => {
    const log = await recorded(10);
    await compactTo(log, "t", 6);
    const thread = await openThread({ definition: tally, log, threadId: "t" });
    const entries = await thread.history({ after: thread.floor });
    expect(() => replayLog(tally, entries)).toThrow("{ version: 6, state: await thread.stateAt(6) }");
    expect(() => replayLog(tally, entries, { version: 5, state: stateOf(5) })).toThrow(OpstateError);
  });
});
