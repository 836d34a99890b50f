// After compaction the state and every verdict stay, and the history begins at the floor. Whatever
// would need older commits is refused with the reason `compacted`.

import { defined, type Log, memoryLog, openThread, type Verdict } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, spied, tally, elsewhere } from "../tally.ts";

const open = (log: Log = memoryLog(), compact?: { readonly keep: number }) =>
  openThread({ definition: tally, log: elsewhere(log), threadId: "t", ...defined({ compact }) });
const add = (by: number) => ({ type: "add", by }) as const;

async function counted(log: Log, count: number) {
  const thread = await open(log);
  for (let index = 1; index <= count; index++)
    await thread.dispatch(add(1), { actor: index % 2 ? ada : robot, id: `${index}`, runId: `r${index}` });
  return thread;
}

describe("compaction", () => {
  it("keeps the newest commits, or those from a version on, and returns the floor", async () => {
    const thread = await counted(memoryLog(), 10);
    expect(thread.floor).toBe(0);
    expect(await thread.compact({ before: 4 })).toBe(3);
    expect(await thread.compact({ keep: 4 })).toBe(6);
    expect(thread.floor).toBe(6);
    expect((await thread.history()).map((entry) => entry.kind === "commit" && entry.commit.version)).toEqual([
      7, 8, 9, 10,
    ]);
  });

  it("never lowers the floor", async () => {
    const thread = await counted(memoryLog(), 10);
    await thread.compact({ keep: 4 });
    expect(await thread.compact({ keep: 8 })).toBe(6);
    expect(await thread.compact({ keep: 99 })).toBe(6);
  });

  it("rejects a range that is not one, and removes nothing", async () => {
    const thread = await counted(memoryLog(), 10);
    for (const range of [{ keep: -1 }, { keep: 0.5 }, { before: 0 }, { before: 12 }, { before: Number.NaN }])
      await expect(thread.compact(range)).rejects.toThrow(RangeError);
    expect(thread.floor).toBe(0);
  });

  it("leaves a thread that opens and goes on as before", async () => {
    const log = memoryLog();
    const thread = await counted(log, 10);
    await thread.compact({ keep: 4 });
    await thread.close();
    const again = await open(log);
    expect([again.version, again.floor, again.getState().count]).toEqual([10, 6, 10]);
    expect(await again.compact({ keep: 0 })).toBe(10);
    expect(await again.dispatch(add(1), { actor: ada })).toMatchObject({ version: 11 });
  });

  it("changes no verdict: every id gets its first one again and has no second effect", async () => {
    const update = fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 90, max: 110 }).map(add) },
      { weight: 2, arbitrary: fc.record({ type: fc.constantFrom("name", "unname"), name: fc.constantFrom("a", "b") }) },
      { weight: 1, arbitrary: fc.constant({ type: "wipe" }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(update, { minLength: 6, maxLength: 20, size: "max" }),
        fc.nat(20),
        async (updates, keep) => {
          const log = memoryLog();
          const thread = await open(log);
          const first: Verdict[] = [];
          const actors = updates.map((_, index) => [ada, bob, robot][index % 3] ?? ada);
          const send = (to: typeof thread, index: number) =>
            to.submit(updates[index], { actor: actors[index] ?? ada, id: `n${index}` });
          for (const index of updates.keys()) first.push(await send(thread, index));
          const state = thread.getState();
          const floor = await thread.compact({ keep });
          await thread.close();
          const again = await open(log);
          for (const [index, verdict] of first.entries()) {
            const repeated = await send(again, index);
            if (verdict.accepted) {
              const { commit: _, ...forgotten } = verdict;
              expect(repeated).toEqual(verdict.version > floor ? verdict : forgotten);
            } else if (verdict.rejection.code !== "needs_approval") expect(repeated).toEqual(verdict);
          }
          expect(again.getState()).toEqual(state);
          expect(await again.dispatch(add(1), { actor: ada, id: "n0" })).not.toMatchObject({
            accepted: true,
            commit: expect.anything(),
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("of another writer is followed, even if commits in between are gone", async () => {
    const log = memoryLog();
    const [mine, theirs] = [await open(log), await open(log)];
    const states: unknown[] = [];
    mine.subscribe((state) => {
      states.push(state);
    });
    for (let by = 1; by <= 5; by++) await theirs.dispatch(add(1), { actor: ada });
    await theirs.compact({ before: 4 });
    expect(await mine.dispatch(add(5), { actor: bob })).toMatchObject({ accepted: true, version: 6 });
    expect(mine.getState().count).toBe(10);
    expect(states.at(-1)).toBe(mine.getState());
  });

  it("of another writer does not hide which proposals are open", async () => {
    const log = memoryLog();
    const [mine, theirs] = [await open(log), await open(log)];
    await mine.propose(add(9), { actor: robot, id: "old" });
    expect(await mine.proposals()).toHaveLength(1);
    await theirs.dispatch(add(1), { actor: ada });
    await theirs.decline("old", { actor: ada });
    await theirs.propose(add(2), { actor: robot, id: "p" });
    await theirs.dispatch(add(1), { actor: ada });
    await theirs.compact({ before: 4 });
    expect(await mine.dispatch(add(5), { actor: bob })).toMatchObject({ accepted: true, version: 6 });
    expect((await mine.proposals()).map(({ id }) => id)).toEqual(["p"]);
    await theirs.decline("p", { actor: ada });
    await theirs.compact({ keep: 0 });
    expect(await mine.dispatch(add(1), { actor: bob })).toMatchObject({ accepted: true, version: 8 });
  });
});

describe("after compaction", () => {
  /** Commits 1 to 8 were made; 1 to 5 are removed. */
  async function compacted() {
    const thread = await counted(memoryLog(), 8);
    await thread.compact({ keep: 3 });
    return thread;
  }

  it("states are there from the floor on", async () => {
    const thread = await compacted();
    await expect(thread.stateAt(4)).rejects.toMatchObject({ code: "compacted" });
    expect((await thread.stateAt(5)).count).toBe(5);
    expect((await thread.stateAt(6)).count).toBe(6);
  });

  it("branches begin at the floor or later", async () => {
    const thread = await compacted();
    await expect(thread.branch(4)).rejects.toMatchObject({ code: "compacted" });
    expect((await thread.branch(5)).getState().count).toBe(5);
  });

  it("an undo that would have to look below the floor is refused", async () => {
    const thread = await compacted();
    const refused = { accepted: false, rejection: { code: "conflict", reason: "compacted", details: { floor: 5 } } };
    for (const target of [{ ids: ["4"] }, { runId: "r7" }, { actor: ada }])
      expect(await thread.undo(target, { actor: ada })).toMatchObject(refused);
  });

  it("an undo that does not look below the floor is accepted", async () => {
    const thread = await compacted();
    expect(await thread.undo({ runId: "r7", since: 5 }, { actor: ada })).toMatchObject({ accepted: true });
    expect(await thread.undo({ ids: ["8"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(thread.getState().count).toBe(6);
  });

  it("an explanation, a digest and the history end at the floor", async () => {
    const thread = await compacted();
    expect(await thread.explain("/names")).toBeUndefined();
    expect(await thread.digest({ since: 0, for: bob })).toMatch(/Versions 1 to 5 are not in this list/);
    expect(await thread.digest({ since: 6, for: bob })).not.toMatch(/not in this list/);
    expect(await thread.history({ after: 0, order: "descending", limit: 100 })).toHaveLength(3);
  });

  it("a redo of what was undone below the floor is refused", async () => {
    const thread = await counted(memoryLog(), 4);
    await thread.undo({ ids: ["2"] }, { actor: ada, id: "u" });
    await thread.compact({ before: 5 });
    expect(await thread.undo({ ids: ["u"] }, { actor: ada })).toMatchObject({ rejection: { reason: "compacted" } });
    await thread.compact({ keep: 0 });
    expect(await thread.undo({ ids: ["u"] }, { actor: ada })).toMatchObject({ rejection: { reason: "compacted" } });
    expect(thread.getState().count).toBe(3);
  });
});

describe("compaction beside proposals", () => {
  it("stops below an open proposal until it is decided", async () => {
    const log = memoryLog();
    const thread = await counted(log, 4);
    await thread.propose(add(7), { actor: robot, id: "p" });
    await thread.propose(add(7), { actor: robot, id: "q", expiresAt: "2000-01-01T00:00:00Z" });
    await thread.dispatch(add(1), { actor: ada });
    expect(await thread.compact({ keep: 0 })).toBe(4);
    await thread.close();
    const again = await open(log);
    expect(await again.approve("p", { actor: ada })).toMatchObject({ rejection: { reason: "changed" } });
    await again.decline("p", { actor: ada });
    expect(await again.compact({ keep: 0 })).toBe(8);
    expect(await again.approve("p", { actor: bob })).toMatchObject({
      rejection: { code: "conflict", reason: "unknown_id" },
    });
  });
});

describe("compaction by itself", () => {
  it("keeps at least the number of commits requested, and at most about twice as many", async () => {
    const log = memoryLog();
    const thread = await open(log, { keep: 10 });
    for (let index = 0; index < 100; index++) {
      await thread.dispatch(add(1), { actor: ada, id: `${index}` });
      const { version, floor } = (await log.info("t")) ?? { version: 0, floor: 0 };
      if (version > 10) expect(version - floor).toBeGreaterThanOrEqual(10);
    }
    await thread.close();
    const info = await log.info("t");
    expect(info?.version).toBe(100);
    expect(info?.floor).toBeGreaterThan(75);
  });

  it("keeps the state and the verdicts", async () => {
    const log = memoryLog();
    const thread = await open(log, { keep: 10 });
    for (let index = 0; index < 100; index++) await thread.dispatch(add(1), { actor: ada, id: `${index}` });
    await thread.close();
    const again = await open(log);
    expect(again.getState().count).toBe(100);
    expect(await again.dispatch(add(1), { actor: ada, id: "0" })).toEqual({ accepted: true, version: 1 });
  });

  it("needs a whole number of commits to keep", async () => {
    const log = memoryLog();
    for (const keep of [0, -1, 1.5, Number.NaN]) await expect(open(log, { keep })).rejects.toThrow(RangeError);
  });

  it("is off by default", async () => {
    const log = memoryLog();
    await counted(log, 100);
    expect((await log.info("t"))?.floor).toBe(0);
  });

  it("fails no dispatch when it fails", async () => {
    const broken = spied(memoryLog(), (method) => {
      if (method === "compact") throw new Error("the disk is full");
    });
    const thread = await open(broken, { keep: 2 });
    for (let index = 0; index < 9; index++)
      expect(await thread.dispatch(add(1), { actor: ada })).toMatchObject({ accepted: true });
    await thread.close();
    expect(broken.calls).toContain("compact");
    expect(thread.floor).toBe(0);
  });
});
