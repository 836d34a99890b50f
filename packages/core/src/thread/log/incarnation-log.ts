// The log as one open thread sees it: what is said of its own id means this thread, and never
// another one that has the name since.
//
// Invariant: once the thread is gone from the log, every write to it, and every read that finds
// nothing, throws `replaced`. A read that found something was this thread's: an incarnation does
// not come back.

import { OpstateError } from "../../error.ts";
import type { Log, ThreadInfo } from "./log.ts";

/**
 * Other ids, such as a branch's, mean what they mean to the log. `onReplaced` hears of it before
 * whoever asked does, maybe more than once.
 */
export function incarnationLog(
  log: Log,
  { threadId, incarnation }: Pick<ThreadInfo, "threadId" | "incarnation">,
  onReplaced: (error: OpstateError) => void = () => undefined,
): Log {
  function of(id: string, named: string | undefined): string | undefined {
    return id === threadId ? incarnation : named;
  }

  function checked<T extends Pick<ThreadInfo, "incarnation"> | undefined>(id: string, info: T): T {
    if (id === threadId && info?.incarnation !== incarnation) throw gone();
    return info;
  }

  function gone(): OpstateError {
    const error = new OpstateError(
      "replaced",
      `Thread "${threadId}" was deleted; what has its name now, if anything does, is another thread. This one is closed: open it again with openThread.`,
    );
    onReplaced(error);
    return error;
  }

  async function mustBeThere(id: string): Promise<void> {
    if (id === threadId) checked(id, await log.info(id));
  }

  /**
   * `read` was done. When it found nothing, that may be because there is nothing of this thread any
   * more.
   */
  async function found<T>(id: string, result: T, empty: boolean): Promise<T> {
    if (empty) await mustBeThere(id);
    return result;
  }

  /** Of a write that failed: why. */
  async function written<T>(id: string, write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      await mustBeThere(id);
      throw error;
    }
  }

  return {
    create: (thread) => log.create(thread),
    info: async (id) => checked(id, await log.info(id)),

    async load(id) {
      const stored = await log.load(id);
      checked(id, stored?.info);
      return stored;
    },

    async append(id, expectedVersion, entries, named) {
      const appended = await log.append(id, expectedVersion, entries, of(id, named));
      if (appended.status === "replaced" && id === threadId) throw gone();
      return appended;
    },

    async receipt(id, actor, submission, named) {
      const receipt = await log.receipt(id, actor, submission, of(id, named));
      return found(id, receipt, receipt === undefined);
    },

    async read(id, range, named) {
      const commits = await log.read(id, range, of(id, named));
      return found(id, commits, commits.length === 0);
    },

    async refusals(id, range, named) {
      const refusals = await log.refusals(id, range, of(id, named));
      return found(id, refusals, refusals.length === 0);
    },

    async snapshotAt(id, version, named) {
      const snapshot = await log.snapshotAt(id, version, of(id, named));
      return found(id, snapshot, snapshot === undefined);
    },

    saveSnapshot: (id, snapshot, named) => written(id, log.saveSnapshot(id, snapshot, of(id, named))),
    compact: (id, snapshot, named) => written(id, log.compact(id, snapshot, of(id, named))),
    list: (range) => log.list(range),
    delete: (id, named) => log.delete(id, of(id, named)),
    close: () => log.close(),
  };
}
