// The calls of the port before, on handles. Each is a thin wrapper, and stays for one version.

import { defined } from "../../../defined.ts";
import { OpstateError } from "../../../error.ts";
import type { LogAdapter } from "../adapter.ts";
import { findCommits } from "../find-commits.ts";
import type { Log } from "../log.ts";
import { allItems } from "../pages.ts";
import { randomId } from "../../random-id.ts";

/** The calls that go to the handle of a thread, or to the list. */
export type OldCalls = Required<Omit<Log, "watch" | "close">>;

const ALL = { limit: Infinity, bytes: Infinity };

/** `adapter` is checked already. */
export function oldCalls(adapter: Pick<LogAdapter, "thread" | "threads" | "finder">): OldCalls {
  const { thread: of, threads } = adapter;
  return {
    /** The parent need not be there. */
    async create({ threadId, ...thread }) {
      const created = await of(threadId, randomId()).create({ ...thread, checkParent: false });
      return created.status === "created";
    },

    info: (threadId) => of(threadId).info(),

    async load(threadId) {
      const loaded = await of(threadId).load(ALL);
      return loaded && { info: loaded.info, snapshot: loaded.snapshot, commits: loaded.commits };
    },

    async append(threadId, version, entries, incarnation) {
      const result = await of(threadId, incarnation).append({ version }, entries);
      if (result.status !== "expired" && result.status !== "fenced") return result;
      throw new OpstateError(
        "log_unavailable",
        `The append to thread "${threadId}" is ${result.status}, which this call cannot say. Use the handle: log.thread(id).append.`,
      );
    },
    receipt: (threadId, actor, id, incarnation) => of(threadId, incarnation).receipt(actor, id),

    async read(threadId, { limit, runId, actor, types, ...span }, incarnation) {
      if (limit !== undefined && limit <= 0) return [];
      const range = { ...span, bytes: Infinity, limit: limit ?? Infinity };
      const isFiltered = runId !== undefined || actor !== undefined || types !== undefined;
      const page = isFiltered
        ? findCommits(adapter, { threadId, incarnation }, defined({ runId, actor, types }), range)
        : of(threadId, incarnation).commits(range);
      return (await page).items;
    },

    async refusals(threadId, { limit = Infinity } = {}, incarnation) {
      if (limit <= 0) return [];
      return (await of(threadId, incarnation).refusals({ limit, bytes: Infinity })).items.toReversed();
    },

    saveSnapshot: (threadId, snapshot, incarnation) => of(threadId, incarnation).saveSnapshot(snapshot),
    snapshotAt: (threadId, version, incarnation) => of(threadId, incarnation).snapshotAt(version),
    compact: (threadId, snapshot, incarnation) => of(threadId, incarnation).compact(snapshot),

    list: (range = {}) => allItems((page) => threads({ ...range, ...ALL, ...page })),

    async page({ parent, after, limit }) {
      const { items, next } = await threads({ limit, ...defined({ parent, cursor: after }) });
      return { threads: items, ...defined({ next }) };
    },

    /** The thread alone: its branches stay, as orphans. */
    async delete(threadId, incarnation) {
      const deleted = await of(threadId, incarnation).delete({ branches: "keep" });
      return deleted.status === "deleted" && deleted.count > 0;
    },
  };
}
