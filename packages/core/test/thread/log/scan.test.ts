// Reading a log in parts: which commits it gives, and how much each call of the log requests.

import { type Actor, type Commit, memoryLog } from "@opstate/core";
import type { FullLog } from "@opstate/core/log";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PAGE, readBetween, readCommits, readPages, readParts, scanBackwards } from "../../../src/thread/log/scan.ts";
import { Pace } from "../../../src/thread/pace.ts";

const ada: Actor = { kind: "user", id: "ada" };
const AT = "2026-01-01T00:00:00.000Z";

/** A log of one thread with so many commits, each of about so many characters. */
async function logOf(count: number, size = 1): Promise<FullLog> {
  const log = memoryLog();
  await log.create({ threadId: "t", definition: "d", definitionVersion: 1, state: {}, at: AT });
  for (let version = 1; version <= count; version += 1) {
    const commit: Commit = {
      version,
      id: `c${version}`,
      operation: { type: version % 3 === 0 ? "third" : "other" },
      actor: ada,
      at: AT,
      patches: [{ op: "replace", path: "/text", value: "x".repeat(size) }],
      inverse: [],
      definitionVersion: 1,
    };
    await log.append("t", version - 1, [
      { receipt: { actor: ada, id: commit.id, hash: "", outcome: { accepted: true, version } }, commit },
    ]);
  }
  return log;
}

/** The log, and how many commits each of its calls requested. */
function counted(log: FullLog): { readonly log: FullLog; readonly limits: (number | undefined)[] } {
  const limits: (number | undefined)[] = [];
  const thread: FullLog["thread"] = (...which) => {
    const handle = log.thread(...which);
    const commits: typeof handle.commits = (range, call) => {
      limits.push(range?.limit);
      return handle.commits(range, call);
    };
    return { ...handle, commits };
  };
  return { log: { ...log, thread }, limits };
}

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const part of parts) found.push(part);
  return found;
}

const versions = (commits: readonly Commit[]) => commits.map(({ version }) => version);

describe("reading in parts", () => {
  it("gives the commits of a range and no others, in parts that are never empty", async () => {
    const log = await logOf(90);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          after: fc.integer({ min: 0, max: 95 }),
          before: fc.integer({ min: 0, max: 95 }),
          limit: fc.integer({ min: 0, max: 95 }),
          order: fc.constantFrom("ascending" as const, "descending" as const),
          isFiltered: fc.boolean(),
        }),
        async ({ after, before, limit, order, isFiltered }) => {
          const wanted = Array.from({ length: 90 }, (_, index) => index + 1).filter(
            (version) => version > after && version < before && (!isFiltered || version % 3 === 0),
          );
          const expected = (order === "ascending" ? wanted : wanted.toReversed()).slice(0, limit);
          const filter = isFiltered ? { types: ["third"] } : {};
          const parts = await all(readParts(log, "t", { after, before, limit, order, ...filter }));
          expect(versions(parts.flat())).toEqual(expected);
          expect(parts.filter((part) => part.length === 0)).toEqual([]);
        },
      ),
    );
  });

  it("begins small and grows, so that what is near costs little and all of it few calls", async () => {
    const { log, limits } = counted(await logOf(3_000));
    expect(versions(await all(readCommits(log, "t", {})))).toHaveLength(3_000);
    expect(limits).toEqual([16, 64, 256, PAGE, PAGE, PAGE]);
  });

  it("stays small where commits are large", async () => {
    const { log, limits } = counted(await logOf(60, 40_000));
    await all(readCommits(log, "t", {}));
    expect(Math.max(...limits.slice(1).map(Number))).toBeLessThan(10);
  });

  it("requests no more than is left of the limit", async () => {
    const { log, limits } = counted(await logOf(300));
    expect(await all(readCommits(log, "t", { limit: 30 }))).toHaveLength(30);
    expect(limits).toEqual([16, 14]);
  });

  it("reads nothing of the log for a range without versions", async () => {
    const { log, limits } = counted(await logOf(5));
    expect(await all(readPages(log, "t", { after: 3, before: 4 }))).toEqual([]);
    expect(await all(scanBackwards(log, "t", 3, 3))).toEqual([]);
    expect(limits).toEqual([]);
  });

  it("lets others run between two parts when its turn is over", async () => {
    let [now, turns] = [0, 0];
    const scheduler = {
      now: () => (now += 3),
      yield: async () => void (turns += 1),
    };
    await all(readCommits(await logOf(300), "t", {}, new Pace(scheduler)));
    expect(turns).toBeGreaterThan(0);
  });

  it("ends with the reason of a signal that is aborted, before the next part", async () => {
    const { log, limits } = counted(await logOf(300));
    const abort = new AbortController();
    const pace = new Pace({ now: () => 0, yield: async () => undefined }, abort.signal);
    const read = async () => {
      for await (const part of readParts(log, "t", {}, pace)) if (part.length > 0) abort.abort(new Error("enough"));
    };
    await expect(read()).rejects.toThrow("enough");
    expect(limits).toEqual([16]);
  });
});

describe("scanning backwards", () => {
  it("gives what is after a version, newest first", async () => {
    expect(versions(await all(scanBackwards(await logOf(40), "t", 30, 10)))).toEqual(
      Array.from({ length: 20 }, (_, index) => 30 - index),
    );
  });

  it("ends at the first version that the log does not have", async () => {
    const log = await logOf(40);
    const holes: FullLog = {
      ...log,
      thread: (...which) => {
        const handle = log.thread(...which);
        return {
          ...handle,
          async commits(range, call) {
            const page = await handle.commits(range, call);
            return { ...page, items: page.items.filter(({ version }) => version !== 25) };
          },
        };
      },
    };
    expect(versions(await readBetween(holes, "t", 10, 30))).toEqual([26, 27, 28, 29, 30]);
  });
});
