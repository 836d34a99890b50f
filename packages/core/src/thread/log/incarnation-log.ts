// The log as one open thread sees it: calls with its own id reach this thread only, never another
// one that has its id since.
//
// Invariant: once the thread is deleted from the log, every write to it, and every read that finds
// nothing, throws `replaced`. A read that found something found it in this thread: an incarnation
// does not come back.

import { OpstateError } from "../../error.ts";
import type { Log, ThreadInfo } from "./log.ts";

/**
 * Calls with other ids, such as a branch's, are passed on. `onReplaced` is called before the call
 * rejects, maybe more than once.
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
    if (id === threadId && info?.incarnation !== incarnation) throw replaced();
    return info;
  }

  function replaced(): OpstateError {
    const error = new OpstateError(
      "replaced",
      `Thread "${threadId}" was deleted. A thread that has its id now is another one. This one is closed: open it again with openThread.`,
    );
    onReplaced(error);
    return error;
  }

  async function assertExists(id: string): Promise<void> {
    if (id === threadId) checked(id, await log.info(id));
  }

  /**
   * The result of a read. When it is empty, the thread itself may be deleted.
   */
  async function found<T>(id: string, result: T, empty: boolean): Promise<T> {
    if (empty) await assertExists(id);
    return result;
  }

  /** When a write fails, the reason may be that the thread is deleted. */
  async function written<T>(id: string, write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      await assertExists(id);
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
      if (appended.status === "replaced" && id === threadId) throw replaced();
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
