// Handles for a log that has the calls of the port before: all of it, or some put in the place of
// others. Where a call is a wrapper of the log's own handles, those are used.
//
// What such calls cannot do is done as it was before them: an id that is in use after a lost answer
// stays in use, a parent is looked at after its branch was stored, and a tree is deleted thread by
// thread.

import { defined } from "../../../defined.ts";
import { OpstateError } from "../../../error.ts";
import type { Created, Deleted, Finder, LogAdapter, NewThread, Page, PageOptions, ThreadLog } from "../adapter.ts";
import { withinCall } from "../call.ts";
import { utf8Bytes } from "../entry-size.ts";
import type { FullLog, Log } from "../log.ts";
import type { OldCalls } from "./old-calls.ts";
import { commitSpan, cursorNumber, cutPage, pageLimits } from "../pages.ts";
import type { ThreadInfo } from "../stored.ts";

/** `isWrapper`: the call of this name leads to the log's own handles. */
export function handlesOf(log: Log & Partial<LogAdapter>, isWrapper: (name: keyof OldCalls) => boolean): FullLog {
  const own = log.thread;

  function thread(threadId: string, incarnation?: string): ThreadLog {
    const handle = own !== undefined && isWrapper("info") ? own(threadId, incarnation) : undefined;
    const direct = (name: keyof OldCalls) => (isWrapper(name) ? handle : undefined);
    const isMeant = (info: ThreadInfo | undefined) => incarnation === undefined || info?.incarnation === incarnation;
    const here = async () => {
      const info = await log.info(threadId);
      return isMeant(info) ? info : undefined;
    };

    return {
      create: (made, call) =>
        direct("create")?.create(made, call) ?? withinCall(call, () => createOld(log, threadId, made)),
      info: (call) => direct("info")?.info(call) ?? withinCall(call, here),
      load: (range = {}, call) =>
        direct("load")?.load(range, call) ??
        withinCall(call, async () => {
          const stored = await log.load(threadId);
          return isMeant(stored?.info) ? stored : undefined;
        }),
      append: (head, entries, call) =>
        direct("append")?.append(head, entries, call) ??
        withinCall(call, () => log.append(threadId, head.version, entries, incarnation)),
      receipt: (actor, id, call) =>
        direct("receipt")?.receipt(actor, id, call) ??
        withinCall(call, () => log.receipt(threadId, actor, id, incarnation)),
      receipts: async (range, call) => {
        const found = direct("receipt");
        if (found === undefined) throw missing("list receipts");
        return found.receipts(range, call);
      },
      commits: (range = {}, call) =>
        direct("read")?.commits(range, call) ??
        withinCall(call, async () => {
          const { limit, bytes } = pageLimits(range);
          const found = await log.read(threadId, { ...commitSpan(range), ...upTo(limit) }, incarnation);
          return pageOf(found, { limit, bytes }, (commit) => String(commit.version));
        }),
      refusals: (range = {}, call) =>
        direct("refusals")?.refusals(range, call) ??
        withinCall(call, async () => {
          const { limit, bytes } = pageLimits(range);
          const from = cursorNumber(range.cursor ?? "0");
          const found = (await log.refusals(threadId, upTo(from + limit), incarnation)).toReversed().slice(from);
          const indexed = found.map((refusal, index) => ({ refusal, index }));
          const page = pageOf(indexed, { limit, bytes }, ({ index }) => String(from + index + 1));
          return { ...page, items: page.items.map(({ refusal }) => refusal) };
        }),
      saveSnapshot: (snapshot, call) =>
        direct("saveSnapshot")?.saveSnapshot(snapshot, call) ??
        withinCall(call, () => log.saveSnapshot(threadId, snapshot, incarnation)),
      snapshotAt: (version, call) =>
        direct("snapshotAt")?.snapshotAt(version, call) ??
        withinCall(call, () => log.snapshotAt(threadId, version, incarnation)),
      compact: (snapshot, call) =>
        direct("compact")?.compact(snapshot, call) ??
        withinCall(call, () => log.compact(threadId, snapshot, incarnation)),
      dropReceipts: async (version, call) => {
        const found = direct("append");
        if (found === undefined) throw missing("drop receipts");
        return found.dropReceipts(version, call);
      },
      rewrite: async (documents, call) => {
        const found = direct("append");
        if (found === undefined) throw missing("replace documents");
        return found.rewrite(documents, call);
      },
      delete: (options = {}, call) =>
        (isWrapper("list") ? direct("delete")?.delete(options, call) : undefined) ??
        withinCall(call, () => deleteOld(log, threadId, incarnation, options.branches !== "keep")),
    };
  }

  const findOld: Finder["find"] = ({ threadId, incarnation }, filter, range = {}, call) =>
    withinCall(call, async () => {
      const { limit, bytes } = pageLimits(range);
      const found = await log.read(threadId, { ...filter, ...commitSpan(range), ...upTo(limit) }, incarnation);
      return pageOf(found, { limit, bytes }, (commit) => String(commit.version));
    });

  const threads: LogAdapter["threads"] = (range = {}, call) => {
    if (isWrapper("list") && isWrapper("page") && log.threads !== undefined) return log.threads(range, call);
    return withinCall(call, () => listOld(log, range));
  };

  const finder = isWrapper("read") ? log.finder : { find: findOld };
  const limits = (isWrapper("append") ? log.limits : undefined) ?? { entries: Infinity, bytes: Infinity };
  return {
    // What else it can do.
    ...log,
    create: (made) => log.create(made),
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
    ...(log.page && { page: (range) => log.page!(range) }),
    delete: (...call) => log.delete(...call),
    limits,
    ...(finder && { finder }),
    thread,
    threads,
    ...(log.watch && { watch: (threadId, onHead) => log.watch!(threadId, onHead) }),
    close: () => log.close(),
  };
}

/** It mints its own incarnation, so what `info` says is what was made. */
async function createOld(log: Log, threadId: string, { checkParent = true, ...made }: NewThread): Promise<Created> {
  const isNew = await log.create({ threadId, ...made });
  const info = await log.info(threadId);
  if (info === undefined) return { status: "deleted" };
  if (!isNew) return { status: "taken", info };
  const { parent } = made;
  if (!checkParent || parent === undefined || (await log.info(parent.threadId))?.incarnation === parent.incarnation)
    return { status: "created", info };
  // A deletion of the parent meanwhile may not have seen the new branch.
  await log.delete(threadId, info.incarnation);
  return { status: "no_parent" };
}

async function deleteOld(
  log: Log,
  threadId: string,
  incarnation: string | undefined,
  isTree: boolean,
): Promise<Deleted> {
  const info = await log.info(threadId);
  const target = incarnation ?? info?.incarnation;
  let count = 0;
  const deleteBranches = async () => {
    const branches = isTree && target !== undefined ? await log.list({ parent: threadId }) : [];
    for (const branch of branches) {
      if (branch.parent?.incarnation !== target) continue;
      const deleted = await deleteOld(log, branch.threadId, branch.incarnation, true);
      count += deleted.status === "deleted" ? deleted.count : 0;
    }
  };
  // When it fails on the way, what is left still has its parent.
  await deleteBranches();
  if (target !== undefined && (await log.delete(threadId, target))) count += 1;
  // One may have been made meanwhile.
  await deleteBranches();
  return count > 0 ? { status: "deleted", count } : { status: "unknown" };
}

async function listOld(log: Log, range: PageOptions & { readonly parent?: string | null }): Promise<Page<ThreadInfo>> {
  const { limit, bytes } = pageLimits(range);
  const { parent, cursor } = range;
  // Without `page`, the place in the whole list. It moves when threads are deleted meanwhile.
  if (log.page === undefined || (limit === Infinity && cursor === undefined)) {
    const from = cursorNumber(cursor ?? "0");
    const found = (await log.list(defined({ parent }))).slice(from);
    const indexed = found.map((info, index) => ({ info, index }));
    const page = pageOf(indexed, { limit, bytes }, ({ index }) => String(from + index + 1));
    return { ...page, items: page.items.map(({ info }) => info) };
  }
  const page = await log.page({
    limit: Math.min(limit, Number.MAX_SAFE_INTEGER),
    ...defined({ parent, after: cursor }),
  });
  return { items: page.threads, ...defined({ next: page.next }) };
}

/** What is one more than the limit says that there is a next page. */
function upTo(limit: number): { readonly limit?: number } {
  return limit === Infinity ? {} : { limit: limit + 1 };
}

function pageOf<Item>(
  found: readonly Item[],
  limits: { readonly limit: number; readonly bytes: number },
  cursor: (last: Item) => string,
): Page<Item> {
  const bytes = (item: Item) => (limits.bytes === Infinity ? 0 : utf8Bytes(JSON.stringify(item)));
  return cutPage(found, limits, { bytes, item: (item) => item, cursor });
}

function missing(what: string): OpstateError {
  return new OpstateError(
    "log_unavailable",
    `This log cannot ${what}: it has no handles of threads. Let its adapter implement LogAdapter.`,
  );
}
