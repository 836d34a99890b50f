// The last check before a storage, and the end of a call's time.
//
// Invariants:
// - An id with half of a surrogate pair is neither stored nor looked up.
// - A call that is over before it begins does nothing.

import { checkWellFormed } from "../id.ts";
import type { CommitFilter, Finder, LogAdapter, ThreadLog } from "./adapter.ts";
import { type CallOptions, withinCall } from "./call.ts";
import { fitsAppend } from "./entry-size.ts";
import type { Entry } from "./stored.ts";

/** The adapter, with calls that are checked: see `createLog`. */
export function guardedAdapter(adapter: LogAdapter): LogAdapter {
  const { limits, finder } = adapter;

  return {
    limits,
    ...(finder && { finder: guardedFinder(finder) }),

    thread(threadId, incarnation) {
      const thread = adapter.thread(threadId, incarnation);

      /** Asynchronous, so that a wrong id rejects. */
      async function run<T>(call: CallOptions | undefined, work: () => Promise<T>): Promise<T> {
        checkThread(threadId);
        return withinCall(call, work);
      }

      return {
        create: (made, call) =>
          run(call, async () => {
            if (incarnation === undefined || incarnation === "")
              throw new RangeError(
                `To create thread "${threadId}", give the handle an incarnation: a random text that no thread had.`,
              );
            checkWellFormed("An incarnation", incarnation);
            if (made.parent !== undefined) checkThread(made.parent.threadId);
            return thread.create(made, call);
          }),
        info: (call) => run(call, () => thread.info(call)),
        load: (range, call) => run(call, () => thread.load(range, call)),
        append: (head, entries, call) =>
          run(call, async () => {
            for (const entry of entries) checkEntry(entry);
            if (!fitsAppend(entries, limits))
              throw new RangeError(
                `${entries.length} entries are more than one append of this log takes: ${limits.entries} entries, ${limits.bytes} bytes. Cut them.`,
              );
            return thread.append(head, entries, call);
          }),
        receipt: (actor, id, call) =>
          run(call, async () => {
            checkActor(actor);
            checkWellFormed("A submission's id", id);
            return thread.receipt(actor, id, call);
          }),
        receipts: (range, call) => run(call, () => thread.receipts(range, call)),
        commits: (range, call) => run(call, () => thread.commits(range, call)),
        refusals: (range, call) => run(call, () => thread.refusals(range, call)),
        saveSnapshot: (snapshot, call) => run(call, () => thread.saveSnapshot(snapshot, call)),
        snapshotAt: (version, call) => run(call, () => thread.snapshotAt(version, call)),
        compact: (snapshot, call) => run(call, () => thread.compact(snapshot, call)),
        dropReceipts: (version, call) => run(call, () => thread.dropReceipts(version, call)),
        rewrite: (documents, call) =>
          run(call, async () => {
            for (const { actor, id } of documents.receipts ?? []) {
              checkActor(actor);
              checkWellFormed("A submission's id", id);
            }
            return thread.rewrite(documents, call);
          }),
        delete: (options, call) => run(call, () => thread.delete(options, call)),
      } satisfies ThreadLog;
    },

    async threads(range, call) {
      if (typeof range?.parent === "string") checkThread(range.parent);
      return withinCall(call, () => adapter.threads(range, call));
    },

    ...(adapter.watch && { watch: adapter.watch }),
    close: () => adapter.close(),
  };
}

function guardedFinder(finder: Finder): Finder {
  return {
    async find(thread, filter, range, call) {
      checkThread(thread.threadId);
      checkFilter(filter);
      return withinCall(call, () => finder.find(thread, filter, range, call));
    },
  };
}

export function checkThread(threadId: string): void {
  checkWellFormed("A thread id", threadId);
}

export function checkActor({ kind, id }: { readonly kind: string; readonly id: string }): void {
  checkWellFormed("An actor's kind", kind);
  checkWellFormed("An actor's id", id);
}

/** Throws an OpstateError (`invalid_id`) when an entry has an id that is not well-formed. */
export function checkEntry({ receipt, commit }: Entry): void {
  checkActor(receipt.actor);
  checkWellFormed("A submission's id", receipt.id);
  if (commit === undefined) return;
  const { id, actor, runId, toolCallId, operation } = commit;
  checkWellFormed("A commit's id", id);
  checkFilter({ actor, types: [operation.type], ...(runId === undefined ? {} : { runId }) });
  if (toolCallId !== undefined) checkWellFormed("A tool call's id", toolCallId);
}

/** The same check for a filter. */
export function checkFilter({ runId, actor, types = [] }: CommitFilter): void {
  if (runId !== undefined) checkWellFormed("A run's id", runId);
  if (actor !== undefined) checkActor(actor);
  for (const type of types) checkWellFormed("An operation's type", type);
}
