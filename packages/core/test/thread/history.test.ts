import { memoryLog, openThread, type Thread } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, robot, tally } from "./tally.ts";

async function started(updates: readonly unknown[], snapshotEvery = 500) {
  const log = memoryLog();
  const thread = await openThread({ definition: tally, log, threadId: "t", snapshotEvery });
  for (const [index, update] of updates.entries())
    await thread.dispatch(update as { type: string }, { actor: index % 2 ? robot : ada, id: `n${index}` });
  return { log, thread };
}

async function shape(thread: Thread<typeof tally>, range: Parameters<typeof thread.history>[0]) {
  return (await thread.history(range)).map((entry) => (entry.kind === "commit" ? entry.commit.id : `not ${entry.refusal.id}`));
}

const add = (by: number) => ({ type: "add", by });

describe("history", () => {
  it("lists commits in order, from after a version, as many as asked", async () => {
    const { thread } = await started([1, 2, 3, 4, 5].map(add));
    expect(await shape(thread, undefined)).toEqual(["n0", "n1", "n2", "n3", "n4"]);
    expect(await shape(thread, { after: 3 })).toEqual(["n3", "n4"]);
    expect(await shape(thread, { after: 1, limit: 2 })).toEqual(["n1", "n2"]);
    expect(await shape(thread, { after: 5 })).toEqual([]);
  });

  it("puts refusals where they happened when asked for them", async () => {
    const { thread } = await started([add(101), add(1), add(102), add(103), add(2), add(104)]);
    expect(await shape(thread, {})).toEqual(["n1", "n4"]);
    expect(await shape(thread, { rejections: true })).toEqual(["not n0", "n1", "not n2", "not n3", "n4", "not n5"]);
  });

  it("gives each entry in exactly one page", async () => {
    const { thread } = await started([add(101), add(1), add(102), add(2), add(103), add(3), add(4), add(104)]);
    const whole = await shape(thread, { rejections: true });
    for (const limit of [1, 2, 3, 10]) {
      const pages: string[] = [];
      for (let after = 0; ;) {
        const page = await thread.history({ after, limit, rejections: true });
        pages.push(...page.map((entry) => (entry.kind === "commit" ? entry.commit.id : `not ${entry.refusal.id}`)));
        const commits = page.filter(({ kind }) => kind === "commit").length;
        after += commits;
        if (commits < limit) break;
      }
      expect(pages).toEqual(whole);
    }
  });
});

describe("stateAt", () => {
  it("gives every version as it was, whatever snapshots there are", async () => {
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

  it("refuses a version that there is not", async () => {
    const { thread } = await started([add(1)]);
    for (const version of [-1, 2, 0.5, Number.NaN]) await expect(thread.stateAt(version)).rejects.toThrow(/versions 0 to 1/);
  });
});
