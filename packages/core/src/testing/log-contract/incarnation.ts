// The log contract of thread ids that are used again, of finding branches, and of how many
// snapshots are kept. (Long because it is a list: each case stands alone.)

import type { Log } from "../../thread/log/log.ts";
import { expectEqual, expectRejects, expectTrue } from "../shared/contract.ts";
import type { LogCase } from "./log-contract.ts";
import { ada, commits, committed, later, newThread, refused, snapshotOf, unchanged } from "./samples.ts";

async function incarnationOf(log: Log, threadId = "t"): Promise<string> {
  return (await log.info(threadId))?.incarnation ?? "";
}

/** Appends versions 1 to `head` of a new thread "t". Resolves with its incarnation. */
async function begin(log: Log, head: number): Promise<string> {
  await log.create(newThread("t"));
  const incarnation = await incarnationOf(log);
  expectEqual("append", await log.append("t", 0, [...commits(1, head), refused(head, "r")], incarnation), {
    status: "appended",
  });
  return incarnation;
}

/** A call that names the incarnation `gone` sees nothing and changes nothing. */
async function expectGone(log: Log, gone: string): Promise<void> {
  for (const expected of [0, 2, 3])
    for (const entry of [
      committed(expected + 1, "late"),
      unchanged(expected, "late"),
      refused(expected, "late"),
      committed(expected + 1, "c1"),
    ])
      expectEqual(`append at ${expected}`, await log.append("t", expected, [entry], gone), { status: "replaced" });
  expectEqual("read", await log.read("t", {}, gone), []);
  expectEqual(
    "read of an actor, newest first",
    await log.read("t", { actor: ada, order: "descending", limit: 5 }, gone),
    [],
  );
  expectEqual("read of types", await log.read("t", { types: ["add"] }, gone), []);
  expectEqual("receipt", await log.receipt("t", ada, "c1", gone), undefined);
  expectEqual("refusals", await log.refusals("t", {}, gone), []);
  expectEqual("snapshot", await log.snapshotAt("t", 2, gone), undefined);
  await expectRejects("saveSnapshot", log.saveSnapshot("t", snapshotOf(2), gone));
  await expectRejects("compact", log.compact("t", snapshotOf(2), gone));
}

export const incarnationCases: Record<string, LogCase> = {
  async "accepts calls for the incarnation that the thread has"(log, { reopen }) {
    const own = await begin(log, 3);
    for (const open of [async () => log, reopen]) {
      const source = await open();
      expectEqual("read", (await source.read("t", { after: 1 }, own)).length, 2);
      expectEqual(
        "filtered",
        (await source.read("t", { actor: ada, types: ["add"], order: "descending", limit: 2 }, own)).length,
        2,
      );
      expectEqual("receipt", (await source.receipt("t", ada, "c1", own))?.id, "c1");
      expectEqual("refusals", (await source.refusals("t", { limit: 5 }, own)).length, 1);
      expectEqual("duplicate", (await source.append("t", 3, [committed(4, "c1")], own)).status, "duplicate");
      expectEqual("stale", await source.append("t", 2, [committed(3, "late")], own), { status: "stale", version: 3 });
      await source.saveSnapshot("t", snapshotOf(1), own);
      expectEqual("snapshot", await source.snapshotAt("t", 2, own), snapshotOf(1));
    }
    const again = await reopen();
    expectEqual("compact", await again.compact("t", snapshotOf(2), own), 2);
    expectEqual("append", await again.append("t", 3, [committed(4)], own), { status: "appended" });
    expectEqual(
      "a call without an incarnation is for the thread that exists",
      await again.append("t", 4, [committed(5)]),
      {
        status: "appended",
      },
    );
  },

  async "refuses calls for an earlier thread of the same name"(log, { reopen }) {
    const first = await begin(log, 3);
    await log.delete("t");
    await expectGone(log, first);
    const second = await begin(log, 2);
    for (const open of [async () => log, reopen]) {
      const source = await open();
      await expectGone(source, first);
      expectEqual("commits", (await source.read("t", {}, second)).length, 2);
      expectEqual("receipt of what came late", await source.receipt("t", ada, "late"), undefined);
      expectEqual("refusals", (await source.refusals("t")).length, 1);
      expectEqual("snapshot", await source.snapshotAt("t", 2), { ...snapshotOf(0), state: { count: 0 } });
      expectEqual("floor", (await source.info("t"))?.floor, 0);
    }
  },

  async "lets no call that was under way reach the next thread of the same name"(log) {
    for (let round = 0; round < 5; round++) {
      const first = await begin(log, 2);
      const late = ["a", "b", "c", "d"].map((id) => log.append("t", 2, [committed(3, id)], first));
      const deleted = log.delete("t");
      const later = ["e", "f"].map((id) => log.append("t", 2, [committed(3, id)], first));
      expectEqual("delete", await deleted, true);
      expectEqual("create", await log.create(newThread("t")), true);
      const second = await incarnationOf(log);
      const latest = ["g", "h"].map((id) => log.append("t", 0, [committed(1, id)], first));
      const own = log.append("t", 0, [committed(1, "own")], second);
      for (const appended of [...(await Promise.all(late)), ...(await Promise.all(later))])
        expectTrue(`an append was ${appended.status}`, ["appended", "stale", "replaced"].includes(appended.status));
      for (const appended of await Promise.all(latest))
        expectEqual("an append that came too late", appended, { status: "replaced" });
      expectEqual("the new thread's own", await own, { status: "appended" });
      expectEqual(
        "commits",
        (await log.read("t", {})).map(({ id }) => id),
        ["own"],
      );
      await log.delete("t");
    }
  },

  async "lists the branches of a thread, and the threads that are not branches"(log, { reopen }) {
    const names = ["t", "T", "t ", "'; --", "t~1", "\u00e9", "a\u0000b"];
    for (const [index, name] of names.entries()) await log.create({ ...newThread(`of ${name}`), at: later(index) });
    for (const round of [1, 2])
      for (const name of names)
        await log.create({
          ...newThread(`${name} branch ${round}`),
          at: later(round * names.length),
          parent: { threadId: name, version: round, incarnation: `the ${round}.` },
        });
    await log.create({ ...newThread("last"), at: later(3 * names.length) });
    await log.delete("t branch 1");
    await log.delete("of T");
    for (const open of [async () => log, reopen]) {
      const source = await open();
      const listed = async (parent: string | null) => (await source.list({ parent })).map(({ threadId }) => threadId);
      for (const name of names)
        expectEqual(
          `branches of "${name}"`,
          await listed(name),
          name === "t" ? ["t branch 2"] : [`${name} branch 1`, `${name} branch 2`],
        );
      expectEqual("branches of an unknown thread", await listed("unknown"), []);
      expectEqual("no branches", await listed(null), [
        ...names.filter((name) => name !== "T").map((name) => `of ${name}`),
        "last",
      ]);
      expectEqual("all", (await source.list()).length, 3 * names.length - 1);
      expectEqual("all of an empty range", (await source.list({})).length, 3 * names.length - 1);
      expectEqual("a branch", (await source.list({ parent: "T" }))[0], await source.info("T branch 1"));
    }
  },

  async "keeps few snapshots of a long thread, and one near every version"(log, { reopen }) {
    const [head, step] = [600, 3];
    await log.create(newThread("t", { count: 0 }));
    await log.append("t", 0, commits(1, head));
    const check = async (source: Log, newest: number, floor: number) => {
      const found = new Set<number>();
      for (let version = floor; version <= newest; version += step) {
        const snapshot = await source.snapshotAt("t", version);
        if (snapshot === undefined) throw new Error(`version ${version} has no snapshot at or before it`);
        expectEqual("the snapshot", snapshot, snapshotOf(snapshot.version));
        found.add(snapshot.version);
        const far = version - snapshot.version;
        expectTrue(
          `version ${version} of ${newest} is read from ${snapshot.version}: too far`,
          far < step || far * 4 <= newest - version || far * 4 <= newest - snapshot.version - far,
        );
      }
      expectTrue("the newest snapshot should stay", found.has(newest));
      return found.size;
    };
    for (let version = step; version <= head; version += step) {
      await log.saveSnapshot("t", snapshotOf(version));
      if (version % 150 === 0) await check(log, version, 0);
    }
    const again = await reopen();
    const kept = await check(again, head, 0);
    expectTrue(`${kept} of ${head / step} snapshots were kept`, kept < head / step / 3);
    await again.compact("t", snapshotOf(300));
    await again.saveSnapshot("t", snapshotOf(head));
    await check(again, head, 300);
    expectEqual("snapshot of the floor", await again.snapshotAt("t", 300), snapshotOf(300));
    expectEqual("below the floor", await again.snapshotAt("t", 299), undefined);
  },
};
