// The log contract can fail: each of these logs breaks one promise, and the case that is about it
// says so. A log of the port before passes what it can keep.

import { defined, type Log, memoryLog } from "@opstate/core";
import { createLog, type LogAdapter, type ThreadLog } from "@opstate/core/log";
import { logContract } from "@opstate/core/testing";
import { describe, expect, it } from "vitest";

type Options = { readonly refusalsPerActor: number };

async function failures(open: (options: Options) => Log | LogAdapter): Promise<readonly string[]> {
  const cases = logContract({
    async open(options) {
      const log = open(options);
      return { log, reopen: async () => log, beside: async () => log };
    },
  });
  const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));
  return cases.filter((_, index) => outcomes[index]?.status === "rejected").map(({ name }) => name);
}

/** A memory log whose handles are changed. */
function changed(
  change: (handle: ThreadLog, log: LogAdapter, threadId: string, incarnation?: string) => Partial<ThreadLog>,
  adapter: (log: LogAdapter) => Partial<LogAdapter> = () => ({}),
) {
  return (options: Options) => {
    const memory: LogAdapter = memoryLog(options);
    return createLog({
      ...memory,
      ...adapter(memory),
      thread(threadId, incarnation) {
        const handle = memory.thread(threadId, incarnation);
        return { ...handle, ...change(handle, memory, threadId, incarnation) };
      },
    });
  };
}

/** What is planted, and the cases that must find it. */
const planted: Readonly<Record<string, readonly [open: (options: Options) => Log | LogAdapter, ...cases: RegExp[]]>> = {
  "an incarnation that is not kept": [
    changed((_, log, threadId) => ({
      create: (thread) => log.thread(threadId, `drawn ${Math.random()}`).create(thread),
    })),
    /in the incarnation that is given/,
  ],
  "a repeated create that looks like another's": [
    changed((handle) => ({
      async create(thread) {
        const before = await handle.info();
        return before === undefined ? handle.create(thread) : { status: "taken", info: before };
      },
    })),
    /in the incarnation that is given/,
  ],
  "a deleted thread that is made again": [
    changed((handle, log, threadId) => ({
      async create(thread) {
        const created = await handle.create(thread);
        return created.status === "deleted" ? log.thread(threadId, "another one").create(thread) : created;
      },
    })),
    /never creates it again/,
  ],
  "a parent that is looked at by its id alone": [
    changed((handle, log) => ({
      async create(thread) {
        const parent = thread.parent && (await log.thread(thread.parent.threadId).info());
        if (thread.parent !== undefined && parent === undefined) return { status: "no_parent" };
        return handle.create({ ...thread, checkParent: false });
      },
    })),
    /in the incarnation that is named/,
  ],
  "a parent that is looked at before the branch is stored": [
    changed((handle, log) => ({
      async create(thread) {
        const { parent } = thread;
        if (parent !== undefined && (await log.thread(parent.threadId, parent.incarnation).info()) === undefined)
          return { status: "no_parent" };
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
        return handle.create({ ...thread, checkParent: false });
      },
    })),
    /leaves no branch whose parent is deleted/,
  ],
  "a deletion that forgets the branches of branches": [
    changed((handle, log, threadId) => ({
      async delete(options) {
        const branches = (await log.threads({ parent: threadId })).items;
        let deleted = await handle.delete({ branches: "keep" });
        if (options?.branches === "keep" || deleted.status === "unknown") return deleted;
        for (const branch of branches) {
          const { status } = await log.thread(branch.threadId, branch.incarnation).delete({ branches: "keep" });
          if (status === "deleted") deleted = { status, count: deleted.count + 1 };
        }
        return deleted;
      },
    })),
    /deletes a thread with its branches, and theirs/,
  ],
  "a deletion that removes the branches of an earlier thread": [
    changed((handle, log, threadId) => ({
      async delete(options, call) {
        const deleted = await handle.delete(options, call);
        if (options?.branches === "keep" || deleted.status === "unknown") return deleted;
        for (const branch of (await log.threads({ parent: threadId })).items)
          await log.thread(branch.threadId, branch.incarnation).delete();
        return deleted;
      },
    })),
    /deletes a thread with its branches, and theirs/,
  ],
  "a page without a limit of bytes": [
    changed((handle) => ({ commits: (range) => handle.commits({ ...range, bytes: Infinity }) })),
    /reads commits in pages/,
  ],
  "a page that ends before its first item": [
    changed((handle) => ({
      async commits(range = {}) {
        const page = await handle.commits(range);
        return range.bytes === 1 ? { items: [], ...(page.next !== undefined && { next: page.next }) } : page;
      },
    })),
    /reads commits in pages/,
  ],
  "a page that never says that there is more": [
    changed((handle) => ({ refusals: async (...range) => ({ items: (await handle.refusals(...range)).items }) })),
    /reads refusals and receipts in pages/,
  ],
  "a finder that misses the last of a page": [
    changed(
      () => ({}),
      ({ finder }) => ({
        ...(finder && {
          finder: {
            async find(...search) {
              const page = await finder.find(...search);
              return page.next === undefined ? page : { ...page, items: page.items.slice(0, -1) };
            },
          },
        }),
      }),
    ),
    /finds commits in pages/,
  ],
  "a load without its rest": [
    changed((handle) => ({
      async load(...range) {
        const loaded = await handle.load(...range);
        if (loaded === undefined) return undefined;
        const { info, snapshot, commits } = loaded;
        return { info, snapshot, commits };
      },
    })),
    /loads the first page/,
  ],
  "calls that know no end": [
    (options) => {
      const memory = memoryLog(options);
      const thread: LogAdapter["thread"] = (...of) => {
        const { info, ...handle } = memory.thread(...of);
        return { ...handle, info: () => info() };
      };
      return { ...memory, thread };
    },
    /does nothing in a call that is over/,
  ],
  "an append that accepts more than the limits": [
    changed(
      () => ({}),
      () => ({ limits: { entries: 10, bytes: 500 } }),
    ),
    /declares how much/,
  ],
  "receipts that are dropped without a floor": [
    changed((handle) => ({
      append: (head, entries) =>
        handle.append(
          head,
          entries.map((entry) => defined({ ...entry, basedOn: undefined })),
        ),
    })),
    /refuses what is based on a version whose receipts are dropped/,
  ],
  "receipts that end by themselves": [
    changed((handle) => ({
      async append(...given) {
        const appended = await handle.append(...given);
        const info = await handle.info();
        if (info !== undefined) await handle.dropReceipts(info.version).catch(() => undefined);
        return appended;
      },
    })),
    /keeps receipts for ever/,
  ],
  "ids that are folded": [
    changed((handle, log, threadId, incarnation) => ({
      ...log.thread(threadId.normalize("NFC").trim(), incarnation),
      receipts: handle.receipts,
    })),
    /keeps ids apart/,
  ],
  "ids with half of a pair": [
    (options) => {
      const memory = memoryLog(options);
      const fixed = (id: string) => id.replace(/\p{Cs}/gu, "\ufffd");
      return { ...memory, thread: (id: string, incarnation?: string) => memory.thread(fixed(id), incarnation) };
    },
    /refuses ids with half/,
  ],
};

describe("the log contract", () => {
  it.each(Object.entries(planted))("finds %s", async (_, [open, ...cases]) => {
    const found = await failures(open);
    for (const name of cases) expect(found).toEqual(expect.arrayContaining([expect.stringMatching(name)]));
  });

  it("is kept by a log of the port before, in what that could keep", async () => {
    const open = (options: Options): Log => {
      const log = memoryLog(options);
      return {
        create: (thread) => log.create(thread),
        info: (threadId) => log.info(threadId),
        load: (threadId) => log.load(threadId),
        append: (...call) => log.append(...call),
        receipt: (...call) => log.receipt(...call),
        read: (...call) => log.read(...call),
        refusals: (...call) => log.refusals(...call),
        saveSnapshot: (...call) => log.saveSnapshot(...call),
        snapshotAt: (...call) => log.snapshotAt(...call),
        compact: (...call) => log.compact(...call),
        list: (range) => log.list(range),
        delete: (...call) => log.delete(...call),
        close: () => log.close(),
      };
    };
    // It has no `watch`.
    expect((await failures(open)).filter((name) => !/watcher/.test(name))).toEqual([]);
  });
});
