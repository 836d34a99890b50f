// One log over several: threads are spread over databases by their ids.
//
//   spreadLog({ logs: { a, b } })
//        thread "t1"  ── made where hashing prefers: a ──┐   stays there, whatever is added later
//        its branches ── in a too ───────────────────────┘
//        the list     ── of all, merged by time
//
// Invariant: a call of one thread goes to one log. None waits for another, but one that looks for
// an id that the preferred log does not have.

import { defined } from "@opstate/core";
import { createLog, type FullLog, type LogAdapter, type WatchedLog } from "@opstate/core/log";
import type { Ownership } from "../log/ownership.ts";
import { mergedList } from "./merged-list.ts";
import { Places } from "./places.ts";
import { spreadOwnership, type OwnedLog } from "./spread-ownership.ts";
import { spreadThread } from "./spread-thread.ts";

export interface SpreadLogOptions<L extends WatchedLog = WatchedLog> {
  /**
   * The logs by their names, which decide where a new thread is made. Keep a log's name, and keep a
   * log as long as it has threads. One that is added gets its share of the new threads.
   */
  readonly logs: Readonly<Record<string, L>>;
}

/** The log, and who owns a thread, where all of its logs know that. */
export type SpreadLog<L extends WatchedLog> = WatchedLog & Pick<L, keyof L & "ownership">;

/**
 * A log whose threads are spread over several: each is made in one of them by the hash of its id,
 * and stays there with its branches. Closing it closes them. Throws a RangeError without any.
 *
 * An id is looked for in every log before a thread is made. Two servers that make one at the same
 * moment agree where, but for a branch that is given the id of a thread: ids of branches begin with
 * their parent's unless you give others.
 *
 * @example
 * ```ts
 * import { memoryLog, openThread } from "@opstate/core";
 * import { spreadLog } from "@opstate/server";
 *
 * const log = spreadLog({ logs: { one: memoryLog(), two: memoryLog() } });
 * const thread = await openThread({ definition: board, log, threadId: "launch" });
 * await thread.dispatch(board.op.addCard({ title: "Invitations" }), { actor: { kind: "user", id: "ada" } });
 * (await log.info("launch"))?.version; // 1
 * ```
 */
export function spreadLog<L extends WatchedLog>({ logs }: SpreadLogOptions<L>): SpreadLog<L> {
  const byName = new Map<string, L>(Object.entries(logs));
  if (byName.size === 0) throw new RangeError("`logs` must have a log: spreadLog({ logs: { one: log } }).");
  const places = new Places<L>(byName);
  const { all } = places;

  const adapter: LogAdapter & Required<Pick<LogAdapter, "watch">> = {
    limits: {
      entries: Math.min(...all.map(({ limits }) => limits.entries)),
      bytes: Math.min(...all.map(({ limits }) => limits.bytes)),
    },
    ...defined({ finder: finderOf(places) }),
    thread: (threadId, incarnation) => spreadThread(places, threadId, incarnation),
    threads: (range, call) => mergedList(byName, range, call),

    watch(threadId, onHead) {
      let holder: L | undefined;
      const ends = all.map((log) =>
        log.watch(threadId, (version, incarnation) => {
          // The other logs say that they have none.
          if (incarnation === "" && holder !== log) return;
          holder = incarnation === "" ? undefined : log;
          onHead(version, incarnation);
        }),
      );
      return () => ends.forEach((end) => end());
    },

    async close() {
      await Promise.all(all.map((log) => log.close()));
    },
  };
  const log: WatchedLog & { readonly ownership?: Ownership } = {
    ...createLog(adapter),
    ...(areOwned(places) && { ownership: spreadOwnership(places) }),
  };
  return log as SpreadLog<L>;
}

/** Undefined where a log finds nothing by itself: then all commits are read. */
function finderOf<L extends FullLog>(places: Places<L>): LogAdapter["finder"] {
  if (places.all.some(({ finder }) => finder === undefined)) return undefined;
  return {
    async find(thread, filter, range, call) {
      const log = (await places.of(thread.threadId, thread.incarnation, call)) ?? places.preferred(thread.threadId);
      return log.finder?.find(thread, filter, range, call) ?? { items: [] };
    },
  };
}

function areOwned(places: Places<FullLog>): places is Places<OwnedLog> {
  return places.all.every((log) => "ownership" in log);
}
