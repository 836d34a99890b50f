// Reads one thread of a log as it was at one version, with all that belongs to it.

import { type Actor, type Commit, OpstateError } from "@opstate/core";
import { isMerge, itemsOfPages, type Receipt, receiptKey, type ThreadInfo, type ThreadLog } from "@opstate/core/log";
import { sameActor } from "@opstate/core/thread";

/** The receipts of a thread at a version, by what they belong to. */
export interface Receipts {
  /** By the version of their verdict, above the floor. */
  readonly accepted: Map<number, Receipt[]>;
  /** By `receiptKey`. */
  readonly refused: Map<string, Receipt>;
}

/**
 * Puts the receipts above the floor into `kept`, to be paired with their commits, and yields the
 * others. Accepted ones of a later version are left out; refusals are all kept.
 */
export async function* readReceipts(
  thread: ThreadLog,
  { version, floor }: ThreadInfo,
  kept: Receipts,
): AsyncGenerator<Receipt, void> {
  for await (const receipt of itemsOfPages((range) => thread.receipts(range))) {
    const { outcome } = receipt;
    if (!outcome.accepted) kept.refused.set(receiptKey(receipt.actor, receipt.id), receipt);
    else if (outcome.version <= floor) yield receipt;
    else if (outcome.version <= version)
      kept.accepted.set(outcome.version, [...(kept.accepted.get(outcome.version) ?? []), receipt]);
  }
}

/** A merge is known by an id of opstate's own, the same for all who merge. */
const OPSTATE: Actor = { kind: "system", id: "opstate" };

/** The receipt of a commit, among those of its version; undefined when it has none. */
export function receiptOfCommit(commit: Commit, receipts: readonly Receipt[]): Receipt | undefined {
  const owner = isMerge(commit.operation) ? OPSTATE : commit.actor;
  return receipts.find(({ actor, id }) => id === commit.id && sameActor(actor, owner));
}

/** The versions of the stored snapshots, newest first. */
export async function* snapshotsOf(thread: ThreadLog, { version, floor }: ThreadInfo) {
  for (let at = version; at >= floor;) {
    const snapshot = await thread.snapshotAt(at);
    if (snapshot === undefined) return;
    yield snapshot;
    at = snapshot.version - 1;
  }
}

export function damaged(threadId: string, what: string): OpstateError {
  return new OpstateError(
    "corrupt_log",
    `Thread "${threadId}" ${what}. Run "opstate log check" for all that is wrong.`,
  );
}
