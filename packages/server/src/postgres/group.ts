// The appends that share one transaction, and which of their refusals are stored.

import { type AppendResult, type CallOptions, checkCall } from "@opstate/core/log";
import type { Append } from "./plan-appends.ts";
import type { StoredEntry } from "./receipts.ts";

/**
 * Entries per transaction. A larger group gains little, and other writers of the thread would wait.
 */
const GROUP_LIMIT = 1_024;

export interface QueuedAppend extends Append {
  readonly call: CallOptions;
  resolve(appended: AppendResult): void;
  reject(error: unknown): void;
}

/**
 * Takes the next group from the queue. Appends whose call is over are rejected. Nothing is stored
 * of them.
 */
export function takeGroup(queue: QueuedAppend[]): readonly QueuedAppend[] {
  const left = queue.filter(({ call, reject }) => {
    try {
      checkCall(call);
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  });
  queue.splice(0, queue.length, ...left);
  let entries = 0;
  const end = queue.findIndex((queued, index) => (entries += queued.entries.length) > GROUP_LIMIT && index > 0);
  return queue.splice(0, end === -1 ? queue.length : end);
}

/** The refusals of one group that are kept: per actor, the newest up to the limit. */
export function newestRefusals(entries: readonly StoredEntry[], limit: number): ReadonlySet<StoredEntry> {
  const counts = new Map<string, number>();
  const newest = entries.toReversed().filter((entry) => {
    if (entry.refusal === null) return false;
    const actor = `${entry.actorKind}"${entry.actorId}`;
    counts.set(actor, (counts.get(actor) ?? 0) + 1);
    return (counts.get(actor) ?? 0) <= limit;
  });
  return new Set(newest.toReversed());
}

/** Numbers the refusals in order; null for accepted entries. */
export function refusalPositions(entries: readonly StoredEntry[]): readonly (number | null)[] {
  let position = 0;
  return entries.map(({ refusal }) => (refusal === null ? null : (position += 1)));
}
