// One log over several keeps the log contract, and what is special to it: a thread stays where it
// was made, with its branches, and the list is one.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryLog } from "@opstate/core";
import { createLog, type FullLog } from "@opstate/core/log";
import { logContract } from "@opstate/core/testing";
import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { spreadLog } from "../../src/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { entry, newThread } from "../support/entries.ts";

const directory = mkdtempSync(join(tmpdir(), "opstate-spread-"));
let files = 0;

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("the log contract, on two logs in memory", () => {
  const cases = logContract({
    async open(options) {
      const log = spreadLog({ logs: { a: memoryLog(options), b: memoryLog(options) } });
      return { log, reopen: async () => log, beside: async () => ({ ...log, close: async () => undefined }) };
    },
  });
  it.each(cases)("$name", ({ run }) => run());
});

describe("the log contract, on three SQLite files", () => {
  const cases = logContract({
    async open(options) {
      const base = join(directory, `log-${(files += 1)}`);
      const open = () => {
        // Starting a thread for each of these files would take most of the time.
        const file = (name: string) => sqliteLog({ path: `${base}-${name}.sqlite`, worker: false, ...options });
        const [a, b, c] = ["a", "b", "c"].map(file);
        if (a === undefined || b === undefined || c === undefined) throw new Error("three files");
        return spreadLog({ logs: { a, b, c } });
      };
      let log = open();
      return {
        log,
        async reopen() {
          await log.close();
          log = open();
          return log;
        },
        beside: async () => open(),
        dispose: () => log.close(),
      };
    },
  });
  it.each(cases)("$name", ({ run }) => run());
});

const at = (second: number) => new Date(second * 1_000).toISOString();
const ids = async (log: FullLog) => (await log.list()).map(({ threadId }) => threadId);
const root = (threadId: string) => {
  const { threadId: _, ...made } = newThread(threadId);
  return made;
};

describe("a thread", () => {
  it("is made in each log about as often", async () => {
    const [a, b] = [memoryLog(), memoryLog()];
    const log = spreadLog({ logs: { a, b } });
    for (let n = 0; n < 200; n++) await log.create(newThread(`thread ${n}`));
    const counts = [(await ids(a)).length, (await ids(b)).length];
    expect(counts[0]).toBeGreaterThan(60);
    expect(counts[1]).toBeGreaterThan(60);
  });

  it("stays where it was made when a log is added, and its branches are made there", async () => {
    const [a, b, c] = [memoryLog(), memoryLog(), memoryLog()];
    const one = spreadLog({ logs: { a } });
    const names = Array.from({ length: 30 }, (_, n) => `thread ${n}`);
    for (const name of names) await one.create(newThread(name));
    const grown = spreadLog({ logs: { a, b, c } });
    for (const name of names) {
      const { incarnation = "" } = (await grown.info(name)) ?? {};
      expect(await grown.append(name, 0, [entry(1)], incarnation)).toMatchObject({ status: "appended" });
      const parent = { threadId: name, version: 1, incarnation };
      const branch = await grown.thread(`${name}~x`, `${name}~x`).create({ ...root(`${name}~x`), parent });
      expect(branch.status).toBe("created");
    }
    expect([await ids(b), await ids(c)]).toEqual([[], []]);
    expect((await ids(a)).length).toBe(60);
    await grown.create(newThread("x1"));
    for (let n = 2; (await ids(b)).length === 0 || (await ids(c)).length === 0; n++)
      await grown.create(newThread(`x${n}`));
  });

  it("is not made twice, wherever the id is", async () => {
    const [a, b] = [memoryLog(), memoryLog()];
    const log = spreadLog({ logs: { a, b } });
    for (const [other, id] of [
      [a, "in a"],
      [b, "in b"],
    ] as const) {
      await other.create(newThread(id));
      expect(await log.create(newThread(id))).toBe(false);
      const parent = { threadId: "in a", version: 0, incarnation: (await a.info("in a"))?.incarnation ?? "" };
      expect((await log.thread(id, "another").create({ ...root(id), parent })).status).toBe("taken");
    }
    expect((await ids(log)).toSorted()).toEqual(["in a", "in b"]);
  });

  it("that another process made elsewhere under a name that was free again is the one there is", async () => {
    const [a, b] = [memoryLog(), memoryLog()];
    const log = spreadLog({ logs: { a, b } });
    await a.create(newThread("t"));
    const first = (await log.info("t"))?.incarnation ?? "";
    await a.delete("t");
    await b.create({ ...newThread("t"), state: { count: 9 } });
    expect((await log.load("t"))?.snapshot.state).toEqual({ count: 9 });
    expect(await log.thread("t", first).info()).toBeUndefined();
    expect(await log.append("t", 0, [entry(1)], first)).toEqual({ status: "replaced" });
  });

  it("is followed where it is, also under a name that is given again in another log", async () => {
    const [a, b] = [memoryLog(), memoryLog()];
    const log = spreadLog({ logs: { a, b } });
    await a.create(newThread("t"));
    const heads: (readonly [number, boolean])[] = [];
    const end = log.watch("t", (version, incarnation) => heads.push([version, incarnation === ""]));
    await vi.waitUntil(() => heads.length === 1);
    await log.append("t", 0, [entry(1)]);
    await vi.waitUntil(() => heads.length === 2);
    await log.delete("t");
    await vi.waitUntil(() => heads.length === 3);
    await b.create(newThread("t"));
    await vi.waitUntil(() => heads.length === 4);
    expect(heads.map(([version, isGone]) => (isGone ? "gone" : version))).toEqual([0, 1, "gone", 0]);
    end();
  });
});

describe("a log that is away", () => {
  const away = new Error("The database is away.");
  /** Two logs, and what takes the first one away. */
  function spread() {
    const [a, b] = [memoryLog(), memoryLog()];
    let isAway = false;
    const taken = createLog({
      ...a,
      thread(threadId, incarnation) {
        const handle = a.thread(threadId, incarnation);
        return { ...handle, info: (call) => (isAway ? Promise.reject(away) : handle.info(call)) };
      },
    });
    return { a, b, log: spreadLog({ logs: { a: { ...taken, watch: a.watch }, b } }), takeAway: () => (isAway = true) };
  }

  it("holds up no thread of the others, wherever it would be made today", async () => {
    const { b, log, takeAway } = spread();
    const names = Array.from({ length: 20 }, (_, n) => `t${n}`);
    for (const name of names) await b.create(newThread(name));
    takeAway();
    for (const name of names) expect((await log.info(name))?.threadId).toBe(name);
  });

  it("is no reason to say that a thread is not there, or to make it elsewhere", async () => {
    const { a, b, log, takeAway } = spread();
    for (let n = 0; n < 20; n++) await a.create(newThread(`t${n}`));
    takeAway();
    for (let n = 0; n < 20; n++) {
      await expect(log.info(`t${n}`)).rejects.toThrow(away);
      await expect(log.create(newThread(`t${n}`))).rejects.toThrow(away);
    }
    expect(await ids(b)).toEqual([]);
  });
});

describe("the list", () => {
  it("has in its pages what was there all the time, once and in order, whatever comes and goes", async () => {
    const made = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    const later = fc.array(
      fc.oneof(
        fc.record({ makes: fc.constantFrom("a", "b", "c") }),
        fc.record({ deletes: fc.integer({ min: 0, max: 20 }) }),
      ),
      { maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(
        made,
        fc.array(fc.record({ limit: fc.integer({ min: 1, max: 5 }), acts: later }), { minLength: 1, maxLength: 12 }),
        async (first, rounds) => {
          const logs = { a: memoryLog(), b: memoryLog(), c: memoryLog() };
          const log = spreadLog({ logs });
          let second = 0;
          const all: string[] = [];
          const gone = new Set<string>();
          const make = async (name: "a" | "b" | "c") => {
            const id = `t${all.length}`;
            await logs[name].create({ ...newThread(id), at: at(++second) });
            all.push(id);
          };
          for (const name of first) await make(name);
          const atFirst = new Set(all);
          const read: string[] = [];
          let cursor: string | undefined;
          for (let round = 0; ; round++) {
            const { limit = 3, acts = [] } = rounds[round] ?? {};
            const page = await log.threads({ limit, ...(cursor !== undefined && { cursor }) });
            expect(page.items.length).toBeLessThanOrEqual(limit);
            read.push(...page.items.map(({ threadId }) => threadId));
            cursor = page.next;
            if (cursor === undefined) break;
            expect(page.items.length).toBeGreaterThan(0);
            for (const act of acts) {
              if ("makes" in act) await make(act.makes);
              else {
                const id = all[act.deletes];
                if (id === undefined || gone.has(id)) continue;
                gone.add(id);
                await log.delete(id);
              }
            }
          }
          const order = read.map((id) => Number(id.slice(1)));
          expect(order).toEqual([...new Set(order)].toSorted((x, y) => x - y));
          const missing = [...atFirst].filter((id) => !gone.has(id) && !read.includes(id));
          expect(missing).toEqual([]);
        },
      ),
      { numRuns: runs(200, 5_000) },
    );
  });

  it("refuses the cursor of another list", async () => {
    const log = spreadLog({ logs: { a: memoryLog() } });
    for (const cursor of ["", "x", "1", "[]", '{"b":{}}', '{"a":{"cursor":1}}'])
      await expect(log.threads({ cursor })).rejects.toThrow(RangeError);
  });
});

it("needs a log", () => {
  expect(() => spreadLog({ logs: {} })).toThrow("`logs` must have a log");
});
