// The log contract of pages: each ends at its limit or at its bytes, whichever comes first, and has
// one item at least; together they are the whole list.

import { defined } from "../../defined.ts";
import type { LogAdapter, Page, PageOptions } from "../../thread/log/adapter.ts";
import { utf8Bytes } from "../../thread/log/entry-size.ts";
import { findCommits } from "../../thread/log/find-commits.ts";
import { expectEqual, expectRejects, expectTrue } from "../shared/contract.ts";
import { made } from "./handles.ts";
import type { PortCase } from "./log-contract.ts";
import { ada, committed, later, refused, robot, snapshotOf, unchanged } from "./samples.ts";

type Read = (options: PageOptions) => Promise<Page<unknown>>;

/** All pages. Their items are `all`, and no page could be longer. */
async function expectPages(
  what: string,
  read: Read,
  all: readonly unknown[],
  options: { readonly limit?: number; readonly bytes?: number },
  sizeOf?: (item: unknown) => number,
): Promise<void> {
  const { limit = Infinity, bytes = Infinity } = options;
  const found: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ ...options, ...defined({ cursor }) });
    const place = `${what} ${JSON.stringify(options)} at ${found.length}`;
    expectTrue(`${place}: a page should have an item`, page.items.length > 0 || page.next === undefined);
    expectTrue(`${place}: ${page.items.length} items are too many`, page.items.length <= limit);
    const following = all[found.length + page.items.length];
    if (sizeOf !== undefined) {
      const size = page.items.reduce<number>((sum, item) => sum + sizeOf(item), 0);
      expectTrue(`${place}: ${size} bytes are too many`, size <= bytes || page.items.length === 1);
      if (page.items.length < limit && following !== undefined)
        expectTrue(`${place}: it ends too early`, size + sizeOf(following) > bytes);
    }
    found.push(...page.items);
    expectEqual(`${place}: whether it goes on`, page.next !== undefined, following !== undefined);
    expectTrue(`${place}: it does not end`, found.length <= all.length);
    cursor = page.next;
  } while (cursor !== undefined);
  expectEqual(`${what} ${JSON.stringify(options)}`, found, all);
}

const jsonBytes = (item: unknown) => utf8Bytes(JSON.stringify(item));
const LIMITS = [1, 2, 3, 7, 1_000];

/** Thread "t" with 20 commits of many sizes, one of them large, among other verdicts. */
async function filled(log: LogAdapter) {
  const own = log.thread("t", "of t");
  await own.create(made());
  const text = (version: number) => (version === 9 ? "y".repeat(20_000) : "\u00e9\u{1f600}x".repeat(version * 3));
  const entries = Array.from({ length: 20 }, (_, index) => {
    const version = index + 1;
    const operation = Object.assign({ type: version % 3 === 0 ? "move" : "add" }, { text: text(version) });
    return committed(version, `c${version}`, version % 2 === 0 ? robot : ada, {
      operation,
      runId: `run ${version % 2}`,
    });
  });
  const others = [
    refused(20, "r1"),
    refused(20, "r2", robot),
    unchanged(20, "u1"),
    refused(20, "r3"),
    refused(20, "r4", robot),
  ];
  await own.append({ version: 0 }, entries.slice(0, 12));
  await own.append({ version: 12 }, [...entries.slice(12), ...others]);
  return { own, commits: entries.flatMap(({ commit }) => commit ?? []), entries: [...entries, ...others] };
}

export const pageCases: Readonly<Record<string, PortCase>> = {
  async "reads commits in pages that end at a limit or at bytes, in both orders"(log, { reopen }) {
    const { commits } = await filled(log);
    for (const opened of [async () => log, reopen]) {
      const own = (await opened()).thread("t", "of t");
      for (const order of ["ascending", "descending"] as const) {
        const all = order === "ascending" ? commits : commits.toReversed();
        const read: Read = (options) => own.commits({ ...options, order });
        const between: Read = (options) => own.commits({ ...options, order, after: 4, before: 17 });
        const open: Read = (options) => own.commits({ ...options, order, before: Infinity });
        await expectPages(`${order} before Infinity`, open, all, { limit: 7 });
        for (const limit of LIMITS) {
          await expectPages(order, read, all, { limit }, jsonBytes);
          await expectPages(
            `${order} between`,
            between,
            all.filter(({ version }) => version > 4 && version < 17),
            { limit },
          );
        }
        for (const bytes of [1, 1_000, 3_000, 20_000, 25_000])
          for (const limit of [2, 1_000]) await expectPages(order, read, all, { bytes, limit }, jsonBytes);
      }
    }
  },

  async "finds commits in pages that end at a limit or at bytes"(log) {
    const { commits } = await filled(log);
    const filters = [{ types: ["move"] }, { actor: robot }, { runId: "run 1" }, { types: ["move", "add"] }];
    for (const filter of filters) {
      const { types, actor, runId } = defined({ types: undefined, actor: undefined, runId: undefined, ...filter });
      const all = commits.filter(
        (commit) =>
          (types === undefined || types.includes(commit.operation.type)) &&
          (actor === undefined || commit.actor.id === actor.id) &&
          (runId === undefined || commit.runId === runId),
      );
      for (const order of ["ascending", "descending"] as const) {
        const read: Read = (options) =>
          findCommits(log, { threadId: "t", incarnation: "of t" }, filter, { ...options, order });
        const wanted = order === "ascending" ? all : all.toReversed();
        for (const limit of LIMITS) await expectPages(JSON.stringify(filter), read, wanted, { limit });
        for (const bytes of [1, 1_500, 25_000])
          await expectPages(JSON.stringify(filter), read, wanted, { bytes }, jsonBytes);
      }
    }
  },

  async "reads refusals and receipts in pages"(log, { reopen }) {
    const { entries } = await filled(log);
    const refusals = entries.flatMap(({ receipt }) => (receipt.outcome.accepted ? [] : [receipt.outcome.refusal]));
    for (const open of [async () => log, reopen]) {
      const own = (await open()).thread("t", "of t");
      const all = (await own.receipts()).items;
      const byId = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).toSorted();
      expectEqual("receipts", byId(all.map(({ id }) => id)), byId(entries.map(({ receipt }) => receipt.id)));
      for (const receipt of all)
        expectEqual(`receipt ${receipt.id}`, await own.receipt(receipt.actor, receipt.id), receipt);
      for (const options of [...LIMITS.map((limit) => ({ limit })), { limit: 5, bytes: 1 }]) {
        const most = "bytes" in options ? { limit: 1 } : {};
        await expectPages("receipts", (given) => own.receipts(given), all, { ...options, ...most });
        await expectPages("refusals", (given) => own.refusals(given), refusals.toReversed(), { ...options, ...most });
      }
      expectEqual("one byte", (await own.receipts({ bytes: 1 })).items.length, 1);
      expectEqual("one byte", (await own.refusals({ bytes: 1 })).items.length, 1);
    }
  },

  async "lists threads and branches in pages"(log, { reopen }) {
    for (let index = 0; index < 9; index++)
      await log.thread(`t${index}`, `of t${index}`).create({ ...made(), at: later(index) });
    for (let index = 0; index < 4; index++)
      await log
        .thread(`b${index}`, `of b${index}`)
        .create({ ...made({}, { threadId: "t3", version: 0, incarnation: "of t3" }), at: later(9 + index) });
    for (const open of [async () => log, reopen]) {
      const source = await open();
      const all = (await source.threads()).items;
      expectEqual("all", all.length, 13);
      for (const [parent, wanted] of [
        [undefined, all],
        [null, all.slice(0, 9)],
        ["t3", all.slice(9)],
        ["t4", []],
      ] as const) {
        const read: Read = (options) => source.threads({ ...options, ...defined({ parent }) });
        for (const limit of LIMITS) await expectPages(`of ${parent}`, read, wanted, { limit });
      }
      expectEqual("one byte", (await source.threads({ bytes: 1 })).items.length, 1);
    }
  },

  async "loads the first page of what follows the newest snapshot, and says how to go on"(log) {
    const { own, commits } = await filled(log);
    await own.saveSnapshot(snapshotOf(5));
    expectEqual("all", (await own.load())?.commits, commits.slice(5));
    expectEqual("nothing more", (await own.load())?.next, undefined);
    for (const options of [{ limit: 4 }, { bytes: 1 }]) {
      const loaded = await own.load(options);
      expectEqual("snapshot", loaded?.snapshot, snapshotOf(5));
      expectEqual("head", loaded?.info.version, 20);
      const count = loaded?.commits.length ?? 0;
      expectEqual("commits", loaded?.commits, commits.slice(5, 5 + (options.limit ?? 1)));
      const rest = await own.commits({ after: 5, ...defined({ cursor: loaded?.next }) });
      expectEqual("the rest", rest.items, commits.slice(5 + count));
    }
  },

  async "refuses a limit that no page has, and a cursor that is none of its own"(log) {
    const { own } = await filled(log);
    for (const options of [{ limit: 0 }, { limit: -1 }, { limit: 1.5 }, { bytes: 0 }, { bytes: Number.NaN }]) {
      await expectRejects(`commits ${JSON.stringify(options)}`, own.commits(options));
      await expectRejects(`refusals ${JSON.stringify(options)}`, own.refusals(options));
      await expectRejects(`threads ${JSON.stringify(options)}`, log.threads(options));
    }
    for (const cursor of ["", "x", "-1", "1.5"]) {
      await expectRejects(`commits after "${cursor}"`, own.commits({ cursor }));
      await expectRejects(`threads after "${cursor}"`, log.threads({ cursor }));
    }
  },
};
