// The log contract of compaction: the history below the floor is removed for good, its ids and
// verdicts stay, and no reader sees half of a compaction. And of branches: their starting version.
// (Long because it is a list: each case stands alone.)

import type { Entry, Log } from "../../thread/log/log.ts";
import { expectEqual, expectRejects, expectTrue } from "../shared/contract.ts";
import type { LogCase } from "./log-contract.ts";
import { ada, commits, committed, newThread, refused, robot, snapshotOf, unchanged } from "./samples.ts";

declare function setTimeout(callback: () => void): unknown;

/** Thread "t" with versions 1 to 10, snapshots of 3, 6 and 8, and other verdicts among them. */
async function appendTen(log: Log): Promise<readonly Entry[]> {
  const entries = [
    ...commits(1, 4),
    refused(4, "refused early"),
    unchanged(4, "unchanged early"),
    committed(5, "c5", robot),
    ...commits(6, 9),
    unchanged(9, "unchanged late", robot),
    refused(9, "refused late", robot),
    committed(10),
  ];
  await log.create(newThread("t"));
  await log.append("t", 0, entries);
  for (const version of [3, 6, 8]) await log.saveSnapshot("t", snapshotOf(version));
  return entries;
}

async function versionsOf(log: Log): Promise<readonly number[]> {
  return (await log.read("t", {})).map(({ version }) => version);
}

/** Every method that returns a floor returns the same one. */
async function expectFloor(log: Log, floor: number, head: number): Promise<void> {
  const after = Array.from({ length: head - floor }, (_, index) => floor + 1 + index);
  const info = await log.info("t");
  expectEqual("floor and head", [info?.floor, info?.version], [floor, head]);
  expectEqual("listed", (await log.list()).find(({ threadId }) => threadId === "t")?.floor, floor);
  expectEqual("commits", await versionsOf(log), after);
  expectEqual(
    "commits, newest first",
    (await log.read("t", { order: "descending" })).map(({ version }) => version),
    after.toReversed(),
  );
  const stored = await log.load("t");
  expectEqual("loaded info", stored?.info, info);
  expectTrue("the snapshot that is loaded should not be below the floor", (stored?.snapshot.version ?? -1) >= floor);
  expectEqual("snapshot of the floor", await log.snapshotAt("t", floor), snapshotOf(floor));
  for (let version = 0; version < floor; version++)
    expectEqual(`snapshot at ${version}`, await log.snapshotAt("t", version), undefined);
}

/** Waits for the next task, so that a log which answers reads at once can go on too. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** One load is consistent: the snapshot, then every commit up to the head. */
async function expectConsistentLoad(log: Log): Promise<number> {
  const stored = await log.load("t");
  if (stored === undefined) throw new Error("the thread is gone");
  const { info, snapshot } = stored;
  expectTrue(`a snapshot of ${snapshot.version} below the floor ${info.floor}`, snapshot.version >= info.floor);
  expectEqual("the state of the snapshot", snapshot, snapshotOf(snapshot.version));
  expectEqual(
    "the commits after it",
    stored.commits.map(({ version }) => version),
    Array.from({ length: info.version - snapshot.version }, (_, index) => snapshot.version + 1 + index),
  );
  return info.version;
}

export const compactionCases: Record<string, LogCase> = {
  async "removes the history up to a version, and nothing after it"(log, { reopen }) {
    await appendTen(log);
    expectEqual("the floor before", (await log.info("t"))?.floor, 0);
    expectEqual("compact", await log.compact("t", snapshotOf(6)), 6);
    await expectFloor(log, 6, 10);
    const again = await reopen();
    await expectFloor(again, 6, 10);
    expectEqual("snapshot that was loaded", (await again.load("t"))?.snapshot.version, 8);
    expectEqual("next", await again.append("t", 10, commits(11, 12)), { status: "appended" });
    expectEqual("stale", await again.append("t", 6, [committed(7, "late")]), { status: "stale", version: 12 });
    expectEqual("compact further", await again.compact("t", snapshotOf(9)), 9);
    await expectFloor(again, 9, 12);
  },

  async "stores the snapshot of the floor, also when there is one already"(log, { reopen }) {
    await appendTen(log);
    for (const version of [5, 8, 10]) {
      const state = { count: version, of: "the floor" };
      const compacted = log.compact("t", { version, state, definitionVersion: 3 });
      state.of = "a later change";
      expectEqual("compact", await compacted, version);
      const snapshot = { version, state: { count: version, of: "the floor" }, definitionVersion: 3 };
      expectEqual("snapshot of the floor", await log.snapshotAt("t", version), snapshot);
    }
    const again = await reopen();
    const stored = await again.load("t");
    expectEqual(
      "nothing but a snapshot",
      [stored?.snapshot.version, stored?.commits, stored?.info.version],
      [10, [], 10],
    );
    expectEqual("next", await again.append("t", 10, [committed(11)]), { status: "appended" });
    expectEqual("read", await versionsOf(again), [11]);
  },

  async "returns the verdict of every id after compaction, accepted or refused"(log, { reopen }) {
    const entries = await appendTen(log);
    await log.compact("t", snapshotOf(10));
    for (const open of [async () => log, reopen]) {
      const source = await open();
      for (const { receipt } of entries) {
        const { actor, id } = receipt;
        expectEqual(`receipt of ${id}`, await source.receipt("t", actor, id), receipt);
        for (const hash of [receipt.hash, "of another operation"]) {
          const again: Entry = {
            receipt: { actor, id, hash, outcome: { accepted: true, version: 11 } },
            commit: committed(11, id, actor).commit!,
          };
          expectEqual(`append of ${id} again`, await source.append("t", 10, [again]), { status: "duplicate", receipt });
          expectEqual(`append of ${id} again, behind`, await source.append("t", 4, [again]), {
            status: "duplicate",
            receipt,
          });
        }
      }
      expectEqual(
        "refusals",
        (await source.refusals("t")).map(({ id }) => id),
        ["refused early", "refused late"],
      );
      expectEqual("another actor's id", await source.receipt("t", robot, "c1"), undefined);
    }
  },

  async "changes nothing when the floor is as high or higher"(log, { reopen }) {
    await appendTen(log);
    expectEqual("to version 0", await log.compact("t", { ...snapshotOf(0), state: "another" }), 0);
    expectEqual("version 0", await log.snapshotAt("t", 0), snapshotOf(0));
    await log.compact("t", snapshotOf(7));
    for (const version of [7, 6, 0]) {
      expectEqual(
        `again to ${version}`,
        await log.compact("t", { version, state: "another", definitionVersion: 9 }),
        7,
      );
      await expectFloor(log, 7, 10);
    }
    await expectFloor(await reopen(), 7, 10);
  },

  async "rejects a compaction beyond the head or of an unknown thread"(log) {
    await appendTen(log);
    await expectRejects("beyond the head", log.compact("t", snapshotOf(11)));
    await expectRejects("an unknown thread", log.compact("nobody", snapshotOf(0)));
    expectEqual("floor", (await log.info("t"))?.floor, 0);
    expectEqual("commits", (await versionsOf(log)).length, 10);
    expectEqual("snapshot", (await log.load("t"))?.snapshot, snapshotOf(8));
  },

  async "stores no snapshot below the floor"(log, { reopen }) {
    await appendTen(log);
    await log.compact("t", snapshotOf(7));
    await log.saveSnapshot("t", snapshotOf(5));
    await log.saveSnapshot("t", snapshotOf(9));
    await expectRejects("of an unknown thread", log.saveSnapshot("nobody", snapshotOf(0)));
    for (const open of [async () => log, reopen]) {
      const source = await open();
      await expectFloor(source, 7, 10);
      expectEqual("a newer one", await source.snapshotAt("t", 10), snapshotOf(9));
    }
  },

  async "does not change other threads"(log) {
    await appendTen(log);
    await log.create(newThread("other"));
    await log.append("other", 0, commits(1, 10));
    await log.saveSnapshot("other", snapshotOf(4));
    await log.compact("t", snapshotOf(9));
    expectEqual("commits", (await log.read("other", {})).length, 10);
    expectEqual(
      "snapshots",
      [await log.snapshotAt("other", 3), await log.snapshotAt("other", 9)],
      [snapshotOf(0), snapshotOf(4)],
    );
    expectEqual("floor", (await log.info("other"))?.floor, 0);
  },

  async "reads a complete thread at any time while it is compacted and appended to"(log, { reopen }) {
    await log.create(newThread("t"));
    await log.append("t", 0, commits(1, 700));
    for (const version of [200, 400, 600]) await log.saveSnapshot("t", snapshotOf(version));
    const work = { done: false };
    const write = async () => {
      for (let head = 700; head < 740; head += 2)
        expectEqual("append", await log.append("t", head, commits(head + 1, head + 2)), { status: "appended" });
    };
    const compact = async () => {
      for (const version of [150, 400, 650, 690])
        expectEqual("compact", await log.compact("t", snapshotOf(version)), version);
    };
    const look = async () => {
      for (let looks = 0; !work.done || looks < 5; looks++) {
        await nextTask();
        await expectConsistentLoad(log);
        const { 0: first, length } = await versionsOf(log);
        const floor = (await log.info("t"))?.floor ?? -1;
        expectTrue(
          "what is read should begin above the floor",
          first !== undefined && first - 1 <= floor && length >= 700 - floor,
        );
        const back = (await log.read("t", { order: "descending", actor: ada })).map(({ version }) => version);
        expectTrue(
          "what is found should have no gap",
          back.every((version, index) => index === 0 || version === (back[index - 1] ?? 0) - 1),
        );
      }
    };
    const looking = look();
    await Promise.all([write(), compact()]).finally(() => (work.done = true));
    await looking;
    for (const open of [async () => log, reopen]) {
      const source = await open();
      expectEqual("head", await expectConsistentLoad(source), 740);
      await expectFloor(source, 690, 740);
      for (const id of ["c1", "c150", "c690", "c740"])
        expectEqual(`receipt of ${id}`, (await source.receipt("t", ada, id))?.id, id);
    }
  },

  async "ends at the highest floor of several simultaneous compactions"(log) {
    await appendTen(log);
    const floors = await Promise.all([4, 9, 2, 9, 6].map((version) => log.compact("t", snapshotOf(version))));
    for (const [index, version] of [4, 9, 2, 9, 6].entries())
      expectTrue(
        "a compaction should resolve to a floor that it reached",
        (floors[index] ?? -1) >= version && (floors[index] ?? 10) <= 9,
      );
    await expectFloor(log, 9, 10);
  },

  async "deletes a compacted thread with everything it had"(log, { reopen }) {
    const entries = await appendTen(log);
    await log.compact("t", snapshotOf(6));
    expectEqual("delete", await log.delete("t"), true);
    expectEqual("create again", await log.create(newThread("t")), true);
    for (const open of [async () => log, reopen]) {
      const source = await open();
      await expectFloor(source, 0, 0);
      for (const { receipt } of entries)
        expectEqual(`receipt of ${receipt.id}`, await source.receipt("t", receipt.actor, receipt.id), undefined);
      expectEqual("refusals", await source.refusals("t"), []);
    }
  },

  async "keeps where a branch began"(log, { reopen }) {
    const parent = { threadId: "t\u0000 '\ud83d\udc4d", version: 7, incarnation: "of the parent" };
    const given = { ...parent };
    const created = log.create({ ...newThread("branch"), parent: given });
    given.version = 8;
    expectEqual("create", await created, true);
    await log.create(newThread("t"));
    await log.append("branch", 0, commits(1, 3));
    await log.compact("branch", snapshotOf(2));
    for (const open of [async () => log, reopen]) {
      const source = await open();
      for (let round = 0; round < 2; round++) {
        const info = await source.info("branch");
        expectEqual("parent", info?.parent, parent);
        if (info?.parent !== undefined) Object.assign(info.parent, { version: 99 });
      }
      expectEqual("loaded", (await source.load("branch"))?.info.parent, parent);
      expectEqual("listed", (await source.list()).find(({ threadId }) => threadId === "branch")?.parent, parent);
      const root = await source.info("t");
      expectTrue("a thread of its own should have no parent", root !== undefined && !("parent" in root));
    }
  },
};
