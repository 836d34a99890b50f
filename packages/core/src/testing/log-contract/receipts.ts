// The log contract of receipts that are forgotten: what is older than they are has no effect.

import type { LogAdapter, ThreadLog } from "../../thread/log/adapter.ts";
import type { Entry } from "../../thread/log/stored.ts";
import { expectEqual, expectRejects } from "../shared/contract.ts";
import { made } from "./handles.ts";
import type { PortCase } from "./log-contract.ts";
import { ada, commits, committed, refused, unchanged } from "./samples.ts";

function basedOn(version: number, entry: Entry): Entry {
  return { ...entry, basedOn: version };
}

export const receiptCases: Readonly<Record<string, PortCase>> = {
  async "replaces documents, and adds none"(log, { reopen }) {
    const own = log.thread("t", "of t");
    await own.create(made());
    await own.append({ version: 0 }, [...commits(1, 2), refused(2, "r2")]);
    const [first, second] = (await own.commits()).items;
    if (first === undefined || second === undefined) throw new Error("The log has no commits.");
    const blank = { ...first, sentence: "erased" };
    const known = await own.receipt(ada, "r2");
    if (known === undefined) throw new Error("The log has no receipt.");
    await own.rewrite({
      commits: [blank, { ...second, version: 9 }],
      snapshots: [
        { version: 0, state: "erased", definitionVersion: 1 },
        { version: 1, state: "added", definitionVersion: 1 },
      ],
      receipts: [
        { ...known, hash: "erased" },
        { ...known, id: "unknown" },
      ],
    });
    await expectRejects("of no thread", log.thread("nobody").rewrite({}));
    for (const open of [async () => log, reopen]) {
      const thread = (await open()).thread("t", "of t");
      expectEqual("commits", (await thread.commits()).items, [blank, second]);
      expectEqual("snapshot", await thread.snapshotAt(2), { version: 0, state: "erased", definitionVersion: 1 });
      expectEqual("receipt", (await thread.receipt(ada, "r2"))?.hash, "erased");
      expectEqual("unknown", await thread.receipt(ada, "unknown"), undefined);
      expectEqual("head", (await thread.info())?.version, 2);
    }
  },

  async "keeps receipts for ever when none are dropped"(log, { reopen }) {
    const own = log.thread("t", "of t");
    await own.create(made());
    await own.append({ version: 0 }, commits(1, 5));
    expectEqual("based on the beginning", await own.append({ version: 5 }, [basedOn(0, committed(6))]), {
      status: "appended",
    });
    const info = await (await reopen()).thread("t").info();
    expectEqual("floor", info?.receiptFloor, undefined);
  },

  async "drops receipts up to a version"(log, { reopen }) {
    const own = await withoutReceipts(log);
    expectEqual("drop fewer", await own.dropReceipts(2), 4);
    await expectRejects("beyond the head", own.dropReceipts(9));
    await expectRejects("of no thread", log.thread("nobody").dropReceipts(0));
    for (const open of [async () => log, reopen]) {
      const thread = (await open()).thread("t", "of t");
      expectEqual("info", (await thread.info())?.receiptFloor, 4);
      for (const id of ["c1", "c4", "u4"]) expectEqual(id, await thread.receipt(ada, id), undefined);
      for (const id of ["c5", "c8"]) expectEqual(id, (await thread.receipt(ada, id))?.id, id);
      expectEqual("commits", (await thread.commits()).items.length, 8);
    }
  },

  async "refuses what is based on a version whose receipts are dropped"(log, { reopen }) {
    await withoutReceipts(log);
    const expired = { status: "expired", receiptFloor: 4 };
    for (const open of [async () => log, reopen]) {
      const thread = (await open()).thread("t", "of t");
      for (const [at, id] of [
        [0, "c1"],
        [3, "c4"],
        [3, "new"],
      ] as const) {
        expectEqual(`${id} at ${at}`, await thread.append({ version: 8 }, [basedOn(at, committed(9, id))]), expired);
        expectEqual("behind", await thread.append({ version: 7 }, [basedOn(at, committed(8, id))]), expired);
        expectEqual(
          "in a batch",
          await thread.append({ version: 8 }, [committed(9, "first"), basedOn(at, committed(10, id))]),
          expired,
        );
        expectEqual("refused", await thread.append({ version: 8 }, [basedOn(at, refused(8, id))]), expired);
      }
      expectEqual("known", (await thread.append({ version: 8 }, [basedOn(0, committed(9, "c5"))])).status, "duplicate");
      expectEqual("head", (await thread.info())?.version, 8);
    }
  },

  async "accepts what is based on a later version, or is new for certain"(log, { reopen }) {
    await withoutReceipts(log);
    const own = (await reopen()).thread("t", "of t");
    expectEqual("based on the floor", await own.append({ version: 8 }, [basedOn(4, committed(9))]), {
      status: "appended",
    });
    expectEqual("new for certain", await own.append({ version: 9 }, [committed(10)]), { status: "appended" });
    expectEqual("stale", await own.append({ version: 8 }, [basedOn(4, committed(9, "late"))]), {
      status: "stale",
      version: 10,
    });
  },
};

/** A thread at version 8 whose receipts are dropped up to version 4. */
async function withoutReceipts(log: LogAdapter): Promise<ThreadLog> {
  const own = log.thread("t", "of t");
  await own.create(made());
  await own.append({ version: 0 }, [...commits(1, 4), unchanged(4, "u4"), refused(4, "r4"), ...commits(5, 8)]);
  expectEqual("drop", await own.dropReceipts(4), 4);
  return own;
}
