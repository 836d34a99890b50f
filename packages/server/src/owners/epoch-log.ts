// The log as a node writes it: each append to a thread that the node owned says in which epoch.
//
// Invariant: an append keeps the epoch of the last time that the node owned the thread, also after
// another node became the owner. So what waited meanwhile is fenced, not stored.

import { defined } from "@opstate/core";
import { createLog, type FullLog } from "@opstate/core/log";

export function epochLog(log: FullLog, epochOf: (incarnation: string) => number | undefined): FullLog {
  return createLog({
    ...log,
    thread(threadId, incarnation) {
      const handle = log.thread(threadId, incarnation);
      if (incarnation === undefined) return handle;
      return {
        ...handle,
        append: (head, entries, call) =>
          handle.append({ ...defined({ epoch: epochOf(incarnation) }), ...head }, entries, call),
      };
    },
  });
}
