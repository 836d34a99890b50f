// The log contract of the beginning and the end of a thread: creation and deletion that can be
// repeated after a lost answer, branches that are there with their parent or not at all, and the
// deletion of a whole tree.

import type { LogAdapter, NewThread } from "../../thread/log/adapter.ts";
import { allItems } from "../../thread/log/pages.ts";
import type { ThreadParent } from "../../thread/log/stored.ts";
import { defined } from "../../defined.ts";
import { expectEqual, expectRejects, expectTrue } from "../shared/contract.ts";
import type { PortCase } from "./log-contract.ts";
import { AT, commits, committed, snapshotOf } from "./samples.ts";

export function made(state: unknown = { count: 0 }, parent?: ThreadParent): NewThread {
  return { definition: "counter", definitionVersion: 1, state, at: AT, ...defined({ parent }) };
}

/** Creates it, and expects that it is new. */
async function create(log: LogAdapter, threadId: string, incarnation: string, parent?: ThreadParent): Promise<void> {
  const { status } = await log.thread(threadId, incarnation).create(made({ of: threadId }, parent));
  expectEqual(`create ${threadId}`, status, "created");
}

async function idsOf(log: LogAdapter, parent?: string | null): Promise<readonly string[]> {
  const all = await allItems((page) => log.threads({ ...page, ...defined({ parent }) }));
  return all.map(({ threadId }) => threadId);
}

const parentOf = (threadId: string, incarnation: string): ThreadParent => ({ threadId, version: 0, incarnation });

export const handleCases: Readonly<Record<string, PortCase>> = {
  async "creates a thread in the incarnation that is given, however often it is requested"(log, { reopen }) {
    const own = log.thread("t", "incarnation-1");
    const first = await own.create(made({ count: 7 }));
    expectEqual("first", first, {
      status: "created",
      info: {
        threadId: "t",
        definition: "counter",
        version: 0,
        floor: 0,
        createdAt: AT,
        incarnation: "incarnation-1",
      },
    });
    expectEqual("again", await own.create(made({ count: 8 })), first);
    await expectRejects("without an incarnation", log.thread("u").create(made()));
    await expectRejects("with an empty one", log.thread("u", "").create(made()));
    await expectRejects("with that of another thread", log.thread("u", "incarnation-1").create(made()));
    expectEqual("nothing was made", await idsOf(log), ["t"]);
    await own.append({ version: 0 }, [committed(1)]);
    for (const open of [async () => log, reopen]) {
      const source = await open();
      const again = await source.thread("t", "incarnation-1").create(made({ count: 9 }));
      expectEqual("later", again.status === "created" && again.info.version, 1);
      expectEqual("state", (await source.thread("t").snapshotAt(0))?.state, { count: 7 });
      expectEqual("list", await idsOf(source), ["t"]);
    }
  },

  async "says that the id is another thread's, whichever of many creates it first"(log, { beside }) {
    const others = [log, beside === undefined ? log : await beside()];
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        others[index % 2]!.thread("t", `incarnation-${index}`).create(made({ index })),
      ),
    );
    const info = await log.thread("t").info();
    expectEqual("made", outcomes.filter(({ status }) => status === "created").length, 1);
    for (const [index, outcome] of outcomes.entries()) {
      const isOwn = info?.incarnation === `incarnation-${index}`;
      expectEqual(`outcome ${index}`, outcome, { status: isOwn ? "created" : "taken", info });
    }
  },

  async "deletes a thread however often it is requested, and never creates it again"(log, { reopen }) {
    await create(log, "t", "first");
    await log.thread("t", "first").append({ version: 0 }, commits(1, 3));
    expectEqual("another", await log.thread("t", "another").delete(), { status: "unknown" });
    expectEqual("delete", await log.thread("t", "first").delete(), { status: "deleted", count: 1 });
    for (const open of [async () => log, reopen]) {
      const source = await open();
      expectEqual("again", await source.thread("t", "first").delete(), { status: "deleted", count: 0 });
      expectEqual("create again", await source.thread("t", "first").create(made()), { status: "deleted" });
      expectEqual("list", await idsOf(source), []);
      expectEqual("of no incarnation", await source.thread("t").delete(), { status: "unknown" });
    }
  },

  async "leaves the next thread of a name alone, whatever is done to the deleted one"(log, { reopen }) {
    await create(log, "t", "first");
    await log.thread("t", "first").append({ version: 0 }, commits(1, 3));
    await log.thread("t", "first").delete();
    const again = await reopen();
    await create(again, "t", "second");
    await again.thread("t", "second").append({ version: 0 }, commits(1, 2));
    expectEqual("beside the next", await again.thread("t", "first").create(made()), { status: "deleted" });
    expectEqual("delete beside it", await again.thread("t", "first").delete(), { status: "deleted", count: 0 });
    expectEqual("append", await again.thread("t", "first").append({ version: 2 }, [committed(3)]), {
      status: "replaced",
    });
    expectEqual("the next one", (await again.thread("t").info())?.version, 2);
    expectEqual("delete it", await again.thread("t").delete(), { status: "deleted", count: 1 });
  },

  async "reaches with a handle no other thread of the id"(log) {
    await create(log, "t", "first");
    const [own, other] = [log.thread("t", "first"), log.thread("t", "other")];
    await own.append({ version: 0 }, commits(1, 2));
    expectEqual("info", await other.info(), undefined);
    expectEqual("load", await other.load(), undefined);
    expectEqual("commits", (await other.commits()).items, []);
    expectEqual("receipts", (await other.receipts()).items, []);
    await expectRejects("saveSnapshot", other.saveSnapshot(snapshotOf(1)));
    await expectRejects("compact", other.compact(snapshotOf(1)));
    await expectRejects("dropReceipts", other.dropReceipts(1));
    await expectRejects("rewrite", other.rewrite({}));
    expectEqual("own", [(await own.info())?.version, (await own.load())?.commits.length], [2, 2]);
  },

  async "makes a branch only while its parent is there, in the incarnation that is named"(log, { reopen }) {
    const branch = log.thread("b", "of b");
    expectEqual("no parent", await branch.create(made({}, parentOf("t", "first"))), { status: "no_parent" });
    await create(log, "t", "first");
    for (const parent of [parentOf("t", "second"), parentOf("t", ""), parentOf("T", "first"), parentOf("u", "first")])
      expectEqual(JSON.stringify(parent), await branch.create(made({}, parent)), { status: "no_parent" });
    expectEqual("nothing was made", await idsOf(log), ["t"]);
    for (const open of [async () => log, reopen]) {
      const created = await (await open()).thread("b", "of b").create(made({}, parentOf("t", "first")));
      expectEqual("made", created.status === "created" && created.info.parent, parentOf("t", "first"));
    }
    const again = await reopen();
    await again.thread("t", "first").delete();
    expectEqual("gone with it", await again.thread("b", "of b").create(made({}, parentOf("t", "first"))), {
      status: "deleted",
    });
    await create(again, "t", "second");
    const late = again.thread("c", "of c");
    expectEqual("of the one before", await late.create(made({}, parentOf("t", "first"))), { status: "no_parent" });
    expectEqual(
      "unchecked",
      (await late.create({ ...made({}, parentOf("t", "first")), checkParent: false })).status,
      "created",
    );
  },

  async "deletes a thread with its branches, and theirs, in one step"(log, { reopen }) {
    await create(log, "t", "first");
    await create(log, "other", "of other");
    for (const [id, parent] of [
      ["a", "t"],
      ["b", "t"],
      ["a a", "a"],
      ["a b", "a"],
      ["a a a", "a a"],
      ["o", "other"],
    ] as const)
      await create(log, id, `of ${id}`, parentOf(parent, parent === "t" ? "first" : `of ${parent}`));
    // Of an earlier thread of the name.
    const orphan = { ...made({}, parentOf("t", "before")), checkParent: false };
    expectEqual("orphan", (await log.thread("orphan", "of orphan").create(orphan)).status, "created");
    await log.thread("a a", "of a a").append({ version: 0 }, commits(1, 3));
    expectEqual("delete", await log.thread("t", "first").delete(), { status: "deleted", count: 6 });
    for (const open of [async () => log, reopen]) {
      const source = await open();
      expectEqual("what is left", await idsOf(source), ["other", "o", "orphan"]);
      for (const id of ["t", "a", "a a", "a a a"]) expectEqual(id, await source.thread(id).info(), undefined);
      expectEqual("append", await source.thread("a a", "of a a").append({ version: 3 }, [committed(4)]), {
        status: "replaced",
      });
    }
    const again = await reopen();
    await create(again, "a a", "second");
    expectEqual("its id is free", (await again.thread("a a").commits()).items, []);
  },

  async "keeps the branches of a thread that is deleted without them"(log) {
    await create(log, "t", "first");
    await create(log, "b", "of b", parentOf("t", "first"));
    expectEqual("delete", await log.thread("t", "first").delete({ branches: "keep" }), { status: "deleted", count: 1 });
    expectEqual("left", await idsOf(log), ["b"]);
    expectEqual("its parent", (await log.thread("b").info())?.parent, parentOf("t", "first"));
  },

  async "leaves no branch whose parent is deleted at the same time"(log, { beside }) {
    const other = beside === undefined ? log : await beside();
    for (let round = 0; round < 12; round++) {
      const [root, name] = [`root ${round}`, `t${round}`];
      await create(log, name, root);
      await create(log, `${name} a`, `a ${round}`, parentOf(name, root));
      const branch = (source: LogAdapter, id: string, parent: ThreadParent) =>
        source.thread(`${name} ${id}`, `${id} ${round}`).create(made({}, parent));
      const work = [
        branch(log, "b", parentOf(name, root)),
        branch(other, "c", parentOf(name, root)),
        branch(other, "a a", parentOf(`${name} a`, `a ${round}`)),
      ];
      const deleted = (round % 2 === 0 ? other : log).thread(name, root).delete();
      const late = [branch(log, "d", parentOf(name, root)), branch(other, "e", parentOf(`${name} a`, `a ${round}`))];
      const outcomes = await Promise.all([...work, ...late]);
      expectEqual("delete", (await deleted).status, "deleted");
      expectTrue(
        `outcomes ${JSON.stringify(outcomes)}`,
        outcomes.every(({ status }) => status !== "taken"),
      );
      expectEqual(`left of round ${round}`, await idsOf(log), []);
    }
  },
};
