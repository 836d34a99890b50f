// The log of a store, wherever its database is.

import type { Commit } from "@opstate/core";
import { type AppendLimits, createLog, type LogAdapter, type WatchedLog } from "@opstate/core/log";
import type { StoreCalls } from "./database/store.ts";
import { pageOf, threadLog } from "./thread-log.ts";
import type { WatchedHeads } from "./watched-heads.ts";

export function storeLog(store: StoreCalls, heads: WatchedHeads, limits: AppendLimits): WatchedLog {
  const adapter: LogAdapter & Required<Pick<LogAdapter, "finder" | "watch">> = {
    limits,
    thread: (threadId, incarnation) => threadLog(store, threadId, incarnation),

    finder: {
      find: async ({ threadId, incarnation }, filter, range = {}, call) =>
        pageOf<Commit>(await store.find(call, { threadId, incarnation }, filter, range)),
    },

    threads: async (range = {}, call) => store.threads(call, range),

    watch: (threadId, onHead) => heads.watch(store, threadId, onHead),

    async close() {
      heads.end();
      await store.close(undefined);
    },
  };
  return createLog(adapter);
}
