// The log as one open thread sees it: calls with its own id reach this thread only, never another
// one that has its id since.
//
// Invariant: once the thread is deleted from the log, every write to it, and every read that finds
// nothing, throws `replaced`. A read that found something found it in this thread: an incarnation
// does not come back.

import { OpstateError } from "../../error.ts";
import type { LogAdapter, ThreadLog } from "./adapter.ts";
import { fullLog, withOldCalls } from "./create-log.ts";
import type { FullLog, Log } from "./log.ts";
import type { ThreadInfo } from "./stored.ts";

/**
 * Calls with other ids, such as a branch's, are passed on. `onReplaced` is called before the call
 * rejects, maybe more than once.
 */
export function incarnationLog(
  given: Log | LogAdapter,
  own: Pick<ThreadInfo, "threadId" | "incarnation">,
  onReplaced: (error: OpstateError) => void = () => undefined,
): FullLog {
  const log = fullLog(given);
  const { finder } = log;

  function replaced(): OpstateError {
    const error = new OpstateError(
      "replaced",
      `Thread "${own.threadId}" was deleted. A thread that has its id now is another one. This one is closed: open it again with openThread.`,
    );
    onReplaced(error);
    return error;
  }

  const handle = ownThread(log.thread(own.threadId, own.incarnation), replaced);
  const isOwn = (threadId: string) => threadId === own.threadId;
  const { watch: _, ...rest } = log;
  return withOldCalls({
    ...rest,
    thread: (threadId, incarnation) =>
      isOwn(threadId)
        ? {
            ...handle,
            // Another one of the id, to be refused: the id is in use.
            create: (...call) => log.thread(threadId, incarnation).create(...call),
          }
        : log.thread(threadId, incarnation),
    ...(finder && {
      finder: {
        async find(thread, ...search) {
          if (!isOwn(thread.threadId)) return finder.find(thread, ...search);
          const page = await finder.find(own, ...search);
          if (page.items.length === 0 && (await log.thread(own.threadId, own.incarnation).info()) === undefined)
            throw replaced();
          return page;
        },
      },
    }),
  });
}

/** The handle, which throws when the thread is not there. */
function ownThread(handle: ThreadLog, replaced: () => OpstateError): ThreadLog {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;

  async function check(): Promise<void> {
    if ((await handle.info()) === undefined) throw replaced();
  }

  function begin(): Promise<void> {
    waiting = undefined;
    running = check().finally(() => (running = undefined));
    return running;
  }

  /** One check for all calls that come while another one is under way: it begins after them. */
  function assertExists(): Promise<void> {
    waiting ??= (running ?? Promise.resolve()).then(begin, (error: unknown) => {
      waiting = undefined;
      throw error;
    });
    return waiting;
  }

  /** The result of a read. When it is empty, the thread itself may be deleted. */
  async function found<T>(result: T, isEmpty: (result: T) => boolean): Promise<T> {
    if (isEmpty(result)) await assertExists();
    return result;
  }

  /** When a write fails, the reason may be that the thread is deleted. */
  async function written<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      await assertExists();
      throw error;
    }
  }

  const isMissing = (result: unknown) => result === undefined;
  const isEmpty = ({ items }: { readonly items: readonly unknown[] }) => items.length === 0;

  async function present<T>(read: Promise<T>): Promise<T> {
    const result = await read;
    if (result === undefined) throw replaced();
    return result;
  }

  return {
    ...handle,
    info: (call) => present(handle.info(call)),
    load: (range, call) => present(handle.load(range, call)),
    async append(head, entries, call) {
      const appended = await handle.append(head, entries, call);
      if (appended.status === "replaced") throw replaced();
      return appended;
    },
    receipt: async (...call) => found(await handle.receipt(...call), isMissing),
    receipts: async (...call) => found(await handle.receipts(...call), isEmpty),
    commits: async (...call) => found(await handle.commits(...call), isEmpty),
    refusals: async (...call) => found(await handle.refusals(...call), isEmpty),
    snapshotAt: async (...call) => found(await handle.snapshotAt(...call), isMissing),
    saveSnapshot: (...call) => written(handle.saveSnapshot(...call)),
    compact: (...call) => written(handle.compact(...call)),
    dropReceipts: (...call) => written(handle.dropReceipts(...call)),
    rewrite: (...call) => written(handle.rewrite(...call)),
  };
}
