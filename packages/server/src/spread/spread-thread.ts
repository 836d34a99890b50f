// The handle of a thread that is in one of several logs: each call goes to the log that has it.
//
// Invariants:
// - A branch is made in the log of its parent, so that the parent is checked in the same step.
// - An id that another log has is taken.

import type { CallOptions, Created, FullLog, NewThread, ThreadLog } from "@opstate/core/log";
import type { Places } from "./places.ts";

export function spreadThread<L extends FullLog>(
  places: Places<L>,
  threadId: string,
  incarnation: string | undefined,
): ThreadLog {
  const handleIn = (log: L): ThreadLog => log.thread(threadId, incarnation);

  /** What is nowhere is requested where it would be: that log says that it is not there. */
  function run<T>(call: CallOptions | undefined, work: (own: ThreadLog) => Promise<T>): Promise<T> {
    const known = places.known(incarnation);
    if (known !== undefined) return work(handleIn(known));
    const found = places.of(threadId, incarnation, call);
    return found.then((log) => work(handleIn(log ?? places.preferred(threadId))));
  }

  /** As it is now, however long the thread is looked for. */
  const kept = <T>(value: T): T => (places.known(incarnation) === undefined ? structuredClone(value) : value);

  async function create(given: NewThread, call?: CallOptions): Promise<Created> {
    const made = structuredClone(given);
    const { parent } = made;
    const [there, above] = await Promise.all([
      places.find(threadId, undefined, call),
      parent && places.find(parent.threadId, undefined, call),
    ]);
    const wanted = above?.log ?? there?.log ?? places.preferred(parent?.threadId ?? threadId);
    // A log knows the incarnations that it has given.
    const log = places.known(incarnation) ?? wanted;
    if (there !== undefined && there.log !== log) return { status: "taken", info: there.info };
    const created = await handleIn(log).create(made, call);
    if (created.status === "created") places.remember(created.info.incarnation, log);
    return created;
  }

  return {
    create,
    info: (call) => run(call, (own) => own.info(call)),
    load: (range, call) => run(call, (own) => own.load(range, call)),
    append(head, given, call) {
      const entries = kept(given);
      return run(call, (own) => own.append(head, entries, call));
    },
    receipt: (actor, id, call) => run(call, (own) => own.receipt(actor, id, call)),
    receipts: (range, call) => run(call, (own) => own.receipts(range, call)),
    commits: (range, call) => run(call, (own) => own.commits(range, call)),
    refusals: (range, call) => run(call, (own) => own.refusals(range, call)),
    saveSnapshot(given, call) {
      const snapshot = kept(given);
      return run(call, (own) => own.saveSnapshot(snapshot, call));
    },
    snapshotAt: (version, call) => run(call, (own) => own.snapshotAt(version, call)),
    compact(given, call) {
      const snapshot = kept(given);
      return run(call, (own) => own.compact(snapshot, call));
    },
    dropReceipts: (version, call) => run(call, (own) => own.dropReceipts(version, call)),
    rewrite(given, call) {
      const documents = kept(given);
      return run(call, (own) => own.rewrite(documents, call));
    },
    delete: (options, call) => run(call, (own) => own.delete(options, call)),
  };
}
