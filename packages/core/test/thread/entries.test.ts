// A history that is read one entry after another, and no further than it is consumed.

import { type Commit, type Log, memoryLog, openThread, type Refusal } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, spied, tally } from "./tally.ts";

type Range = {
  readonly after: number;
  readonly before: number;
  readonly limit: number | undefined;
  readonly order: "ascending" | "descending";
};

/** The rule as the docs have it: a page of at most `limit` entries that ends with a commit. */
function pageOf(commits: readonly Commit[], refusals: readonly Refusal[], range: Range): readonly string[] {
  const { after, before, limit = Infinity, order } = range;
  const all = [
    ...commits.map(({ id, version }) => ({ id, version, isCommit: true })),
    ...refusals.map(({ id, version }) => ({ id, version, isCommit: false })),
  ]
    .filter(({ version, isCommit }) => (isCommit ? version > after : version >= after) && version < before)
    .toSorted((a, b) => a.version - b.version || Number(b.isCommit) - Number(a.isCommit));
  const list = order === "ascending" ? all : all.toReversed();
  if (list.length <= limit) return list.map(({ id }) => id);
  const first = list.findIndex(({ isCommit }) => isCommit);
  const ids = (part: typeof list) => part.map(({ id }) => id);
  if (limit === 0) return [];
  // No commit: the newest.
  if (first < 0) return ids(order === "ascending" ? list.slice(-limit) : list.slice(0, limit));
  if (first >= limit) {
    const lead = list.slice(0, first);
    const newest = order === "ascending" ? lead.slice(lead.length - (limit - 1)) : lead.slice(0, limit - 1);
    return [...ids(newest), ...ids(list.slice(first, first + 1))];
  }
  const page = list.slice(0, limit);
  return ids(page.slice(0, page.findLastIndex(({ isCommit }) => isCommit) + 1));
}

async function filled(updates: readonly number[], log: Log = memoryLog()) {
  const thread = await openThread({ definition: tally, log, threadId: "t" });
  for (const [index, by] of updates.entries())
    await thread.submit({ type: "add", by }, { actor: ada, id: `n${index}` });
  return thread;
}

describe("entries", () => {
  it("are those of the page, whatever its bounds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(1, 1, 101), { maxLength: 40, size: "max" }),
        fc.record({
          after: fc.integer({ min: 0, max: 12 }),
          before: fc.integer({ min: 1, max: 40 }),
          limit: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
          order: fc.constantFrom("ascending" as const, "descending" as const),
        }),
        async (updates, range) => {
          const log = memoryLog();
          const thread = await filled(updates, log);
          const { limit, ...bounds } = range;
          const given: string[] = [];
          const asked = { ...bounds, ...(limit === undefined ? {} : { limit }), rejections: true };
          for await (const entry of thread.entries(asked))
            given.push(entry.kind === "commit" ? entry.commit.id : entry.refusal.id);
          expect(given).toEqual(pageOf(await log.read("t", {}), await log.refusals("t"), range));
          const page = await thread.history(asked);
          expect(page.map((entry) => (entry.kind === "commit" ? entry.commit.id : entry.refusal.id))).toEqual(given);
        },
      ),
    );
  });

  it("are read as they are consumed", async () => {
    const store = memoryLog();
    await filled(
      Array.from({ length: 60 }, () => 1),
      store,
    );
    const log = spied(store);
    const thread = await openThread({ definition: tally, log, threadId: "t" });
    log.calls.length = 0;
    for await (const entry of thread.entries()) if (entry.kind === "commit" && entry.commit.version === 3) break;
    expect(log.calls.filter((call) => call.startsWith("read"))).toHaveLength(1);
  });

  it("end when no one reads them any more", async () => {
    const thread = await filled(Array.from({ length: 60 }, () => 1));
    const signal = { aborted: false, reason: new Error("left") };
    const read = async () => {
      for await (const entry of thread.entries({ signal })) signal.aborted = entry.kind === "commit";
    };
    await expect(read()).rejects.toBe(signal.reason);
  });
});
