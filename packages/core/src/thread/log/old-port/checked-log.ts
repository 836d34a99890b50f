// The check of ids for a log that has the calls of the port before, and no handles.

import { checkWellFormed } from "../../id.ts";
import { checkActor, checkEntry, checkFilter, checkThread } from "../guarded-adapter.ts";
import type { Log } from "../log.ts";

/**
 * The log, with calls that do nothing and reject with an OpstateError (`invalid_id`) when an id is
 * not well-formed text. For authors of a log on a storage that cannot distinguish such ids.
 */
export function checkedLog<L extends Log>(log: L): L {
  return {
    ...log,

    async create(thread) {
      checkThread(thread.threadId);
      if (thread.parent !== undefined) checkThread(thread.parent.threadId);
      return log.create(thread);
    },

    async info(threadId) {
      checkThread(threadId);
      return log.info(threadId);
    },

    async load(threadId) {
      checkThread(threadId);
      return log.load(threadId);
    },

    async append(threadId, expectedVersion, entries, incarnation) {
      checkThread(threadId);
      for (const entry of entries) checkEntry(entry);
      return log.append(threadId, expectedVersion, entries, incarnation);
    },

    async receipt(threadId, actor, id, incarnation) {
      checkThread(threadId);
      checkActor(actor);
      checkWellFormed("A submission's id", id);
      return log.receipt(threadId, actor, id, incarnation);
    },

    async read(threadId, range, incarnation) {
      checkThread(threadId);
      checkFilter(range);
      return log.read(threadId, range, incarnation);
    },

    async refusals(threadId, range, incarnation) {
      checkThread(threadId);
      return log.refusals(threadId, range, incarnation);
    },

    async saveSnapshot(threadId, snapshot, incarnation) {
      checkThread(threadId);
      return log.saveSnapshot(threadId, snapshot, incarnation);
    },

    async snapshotAt(threadId, version, incarnation) {
      checkThread(threadId);
      return log.snapshotAt(threadId, version, incarnation);
    },

    async compact(threadId, snapshot, incarnation) {
      checkThread(threadId);
      return log.compact(threadId, snapshot, incarnation);
    },

    async list(range) {
      if (typeof range?.parent === "string") checkThread(range.parent);
      return log.list(range);
    },

    async delete(threadId, incarnation) {
      checkThread(threadId);
      return log.delete(threadId, incarnation);
    },
  };
}
