import { type Log, memoryLog, openThread, type Thread } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, robot, tally } from "../tally.ts";

async function started(updates: readonly unknown[], snapshotEvery = 500) {
  const log = memoryLog();
  const thread = await openThread({ definition: tally, log, threadId: "t", snapshotEvery });
  for (const [index, update] of updates.entries())
    await thread.submit(update, { actor: index % 2 ? robot : ada, id: `n${index}` });
  return { log, thread };
}

async function shape(thread: Thread<typeof tally>, range: Parameters<typeof thread.history>[0]) {
  return (await thread.history(range)).map((entry) =>
    entry.kind === "commit" ? entry.commit.id : `not ${entry.refusal.id}`,
  );
}

const add = (by: number) => ({ type: "add", by }) as const;

describe("history", () => {
  it("lists commits in order, after a version, up to a limit", async () => {
    const { thread } = await started([1, 2, 3, 4, 5].map(add));
    expect(await shape(thread, undefined)).toEqual(["n0", "n1", "n2", "n3", "n4"]);
    expect(await shape(thread, { after: 3 })).toEqual(["n3", "n4"]);
    expect(await shape(thread, { after: 1, limit: 2 })).toEqual(["n1", "n2"]);
    expect(await shape(thread, { after: 5 })).toEqual([]);
  });

  it("lists refusals between the commits where they happened, on request", async () => {
    const { thread } = await started([add(101), add(1), add(102), add(103), add(2), add(104)]);
    expect(await shape(thread, {})).toEqual(["n1", "n4"]);
    expect(await shape(thread, { rejections: true })).toEqual(["not n0", "n1", "not n2", "not n3", "n4", "not n5"]);
  });

  it("lists each entry in exactly one page", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(add(1), add(1), add(101)), { minLength: 6, maxLength: 24, size: "max" }),
        fc.integer({ min: 1, max: 12 }),
        async (updates, limit) => {
          // The next test has more refusals in a row than a page can list.
          const inRow = updates
            .map(({ by }) => (by > 100 ? "x" : " "))
            .join("")
            .split(" ")
            .map(({ length }) => length);
          fc.pre(Math.max(...inRow) < limit);
          const { thread } = await started(updates);
          const pages: string[] = [];
          for (let after = 0; ;) {
            const page = await thread.history({ after, limit, rejections: true });
            expect(page.length).toBeLessThanOrEqual(limit);
            pages.push(...page.map((entry) => (entry.kind === "commit" ? entry.commit.id : `not ${entry.refusal.id}`)));
            const last = page.at(-1);
            if (last?.kind !== "commit") break;
            after = last.commit.version;
          }
          expect(pages).toEqual(await shape(thread, { rejections: true }));
        },
      ),
      { numRuns: 100 },
    );
  });

  it("lists the newest of more refusals in a row than a page can list, and pages on", async () => {
    const { thread } = await started([
      add(101),
      add(102),
      add(103),
      add(104),
      add(1),
      add(2),
      add(105),
      add(106),
      add(107),
    ]);
    const range = { limit: 3, rejections: true };
    expect(await shape(thread, range)).toEqual(["not n2", "not n3", "n4"]);
    expect(await shape(thread, { ...range, after: 1 })).toEqual(["n5"]);
    expect(await shape(thread, { ...range, after: 2 })).toEqual(["not n6", "not n7", "not n8"]);
  });

  it("lists the commit rather than a refusal where a page has room for one entry", async () => {
    const { thread } = await started([add(101), add(102), add(1)]);
    expect(await shape(thread, { limit: 0, rejections: true })).toEqual([]);
    expect(await shape(thread, { limit: 1, rejections: true })).toEqual(["n2"]);
  });

  it("lists the same entries backwards as forwards, between any two versions", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(add(1), add(1), add(101)), { minLength: 6, maxLength: 24, size: "max" }),
        fc.integer({ min: 1, max: 12 }),
        fc.nat(12),
        fc.nat(26),
        async (updates, limit, after, before) => {
          const inRow = updates
            .map(({ by }) => (by > 100 ? "x" : " "))
            .join("")
            .split(" ")
            .map(({ length }) => length);
          fc.pre(Math.max(...inRow) < limit);
          const { thread } = await started(updates);
          const whole = await shape(thread, { after, before, rejections: true });
          expect(await shape(thread, { after, before, rejections: true, order: "descending" })).toEqual(
            whole.toReversed(),
          );
          const pages: string[] = [];
          for (let top = before; ;) {
            const page = await thread.history({ after, before: top, limit, order: "descending", rejections: true });
            expect(page.length).toBeLessThanOrEqual(limit);
            pages.push(...page.map((entry) => (entry.kind === "commit" ? entry.commit.id : `not ${entry.refusal.id}`)));
            const last = page.at(-1);
            if (last?.kind !== "commit") break;
            top = last.commit.version;
          }
          expect(pages).toEqual(whole.toReversed());
        },
      ),
      { numRuns: 100 },
    );
  });

  it("lists the newest of too many refusals backwards as well", async () => {
    const { thread } = await started([add(1), add(101), add(102), add(103), add(104), add(2)]);
    const range = { limit: 3, rejections: true, order: "descending" } as const;
    expect(await shape(thread, range)).toEqual(["n5"]);
    expect(await shape(thread, { ...range, before: 2 })).toEqual(["not n4", "not n3", "n0"]);
    expect(await shape(thread, { ...range, before: 1 })).toEqual([]);
    expect(await shape(thread, { ...range, limit: 0 })).toEqual([]);
  });

  it("reads a bounded number of refusals for a page", async () => {
    const log = memoryLog();
    const limits: unknown[] = [];
    const refusals: Log["refusals"] = (threadId, range) => (limits.push(range?.limit), log.refusals(threadId, range));
    const thread = await openThread({ definition: tally, log: { ...log, refusals }, threadId: "t" });
    await thread.history({ limit: 5, rejections: true });
    // One more says whether there is a next page.
    expect(limits).toEqual([5_001]);
  });
});

describe("stateAt", () => {
  it("is the state of every version as it was, whatever snapshots there are", async () => {
    const update = fc.oneof(
      fc.record({ type: fc.constant("add"), by: fc.integer({ min: -3, max: 103 }) }),
      fc.record({ type: fc.constantFrom("name", "unname"), name: fc.constantFrom("a", "b", "c", "d") }),
      fc.record({ count: fc.integer({ min: 0, max: 9 }), names: fc.array(fc.constantFrom("x", "y")) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(update, { minLength: 8, maxLength: 40, size: "max" }),
        fc.integer({ min: 1, max: 9 }),
        async (updates, snapshotEvery) => {
          const log = memoryLog();
          const thread = await openThread({ definition: tally, log, threadId: "t", snapshotEvery });
          const states: unknown[] = [thread.getState()];
          thread.onCommit(({ version }) => (states[version] = thread.getState()));
          for (const next of updates) await thread.dispatch(next, { actor: robot });
          await thread.close();
          const again = await openThread({ definition: tally, log, threadId: "t" });
          expect(states).toHaveLength(again.version + 1);
          for (const [version, state] of states.entries()) expect(await again.stateAt(version)).toEqual(state);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("rejects a version that does not exist", async () => {
    const { thread } = await started([add(1)]);
    for (const version of [-1, 2, 0.5, Number.NaN])
      await expect(thread.stateAt(version)).rejects.toThrow(/versions 0 to 1/);
  });
});
