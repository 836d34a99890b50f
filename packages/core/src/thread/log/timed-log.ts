// A log whose calls end in time: each has a deadline, whatever the storage does.
//
// Invariants:
// - A call that brings an earlier deadline keeps it, and its signal.
// - It is the same log otherwise: `watch` and `close` are its own.

import type { CallOptions } from "./call.ts";
import { withinCall } from "./call.ts";
import type { LogAdapter, ThreadLog } from "./adapter.ts";
import { fullLog, withOldCalls } from "./create-log.ts";
import type { FullLog, Log } from "./log.ts";

/**
 * The log, with calls that reject with an OpstateError `timed_out` when they take longer. What the
 * storage does then it may still do. `timeout`: milliseconds, called for each call; Infinity for no
 * limit of its own.
 */
export function timedLog(given: Log | LogAdapter, timeout: () => number): FullLog {
  const log = fullLog(given);
  const { finder } = log;

  /** The log may wait for longer than its caller does, so both have the deadline. */
  function timed<T>(given: CallOptions | undefined, run: (call: CallOptions | undefined) => Promise<T>): Promise<T> {
    const call = limited(given, timeout());
    return withinCall(call, () => run(call));
  }

  function thread(threadId: string, incarnation?: string): ThreadLog {
    const handle = log.thread(threadId, incarnation);
    return {
      create: (made, options) => timed(options, (call) => handle.create(made, call)),
      info: (options) => timed(options, (call) => handle.info(call)),
      load: (range, options) => timed(options, (call) => handle.load(range, call)),
      append: (head, entries, options) => timed(options, (call) => handle.append(head, entries, call)),
      receipt: (actor, id, options) => timed(options, (call) => handle.receipt(actor, id, call)),
      receipts: (range, options) => timed(options, (call) => handle.receipts(range, call)),
      commits: (range, options) => timed(options, (call) => handle.commits(range, call)),
      refusals: (range, options) => timed(options, (call) => handle.refusals(range, call)),
      saveSnapshot: (snapshot, options) => timed(options, (call) => handle.saveSnapshot(snapshot, call)),
      snapshotAt: (version, options) => timed(options, (call) => handle.snapshotAt(version, call)),
      compact: (snapshot, options) => timed(options, (call) => handle.compact(snapshot, call)),
      dropReceipts: (version, options) => timed(options, (call) => handle.dropReceipts(version, call)),
      rewrite: (documents, options) => timed(options, (call) => handle.rewrite(documents, call)),
      delete: (which, options) => timed(options, (call) => handle.delete(which, call)),
    };
  }

  return withOldCalls({
    ...log,
    thread,
    threads: (range, options) => timed(options, (call) => log.threads(range, call)),
    ...(finder && {
      finder: {
        find: (of, filter, range, options) => timed(options, (call) => finder.find(of, filter, range, call)),
      },
    }),
  });
}

function limited(call: CallOptions | undefined, timeout: number): CallOptions | undefined {
  if (timeout === Infinity) return call;
  return { ...call, deadline: Math.min(call?.deadline ?? Infinity, Date.now() + timeout) };
}
