// The threads of this server. Each is opened once in the process, shared by all requests, and
// closed when it is idle.
//
// Invariants:
// - Two requests that open the same thread at the same time get the same Thread. So there is one
//   authority for it in this process.
// - A thread that is being deleted or closed is opened again only after that is done.
// - A thread that another process deleted is closed as soon as that is known.
// - An orphan branch is treated as if it did not exist.
// - A tree is deleted children first. When a deletion fails on the way, what is left stays under
//   its owner's rights, and the next deletion finishes it.
//
// (Long because opening, closing and deleting share two maps, and their order is the invariant.)

import { type AnyDefinition, defined, type Log, openThread, OpstateError } from "@opstate/core";
import type { ThreadPage } from "@opstate/core/log";
import { Problem } from "../http/problem.ts";
import { sliceOf } from "../log/list-page.ts";
import { createServedThread, type OpenedThread, type ServedThread } from "./served-thread.ts";
import { branchesToDelete, rootOf } from "./thread-tree.ts";

export type { ServedThread };

export interface Threads {
  /** The thread. Throws a Problem when there is none. */
  get(threadId: string): Promise<ServedThread>;
  /** The thread, created when there is none. Throws a Problem when it has another definition. */
  getOrCreate(threadId: string, definition: string): Promise<ServedThread & { readonly created: boolean }>;
  /**
   * One page of all threads except branches. Throws a RangeError when `after` is not the `next` of
   * a page.
   */
  list(range: { readonly after?: string; readonly limit: number }): Promise<ThreadPage>;
  /**
   * The id of the thread whose rights apply: the root of an attached branch, otherwise the thread
   * itself, whether or not it exists. Throws a Problem when the thread was replaced by another one
   * of the same name.
   */
  rightsOwner(threadId: string): Promise<string>;
  /**
   * Deletes the thread with its branches and the orphans of its name. Throws a Problem when there
   * is no such thread, or none of the given incarnation.
   */
  delete(threadId: string, incarnation?: string): Promise<void>;
  /** Finishes queued writes and deletions. Nothing opens afterwards. */
  close(): Promise<void>;
}

export interface ThreadsOptions {
  readonly definitions: ReadonlyMap<string, AnyDefinition>;
  readonly log: Log;
  /**
   * Milliseconds. A thread that is unused for one to two times as long is closed. Infinity keeps
   * every thread open.
   */
  readonly idleTime: number;
  /** How many of the newest commits stay when a history is compacted; undefined keeps all. */
  readonly compact: { readonly keep: number } | undefined;
  /** Gets errors that happen outside of a request. */
  readonly onError: (error: unknown) => void;
}

export function createThreads({ definitions, log, idleTime, compact, onError }: ThreadsOptions): Threads {
  const opened = new Map<string, Promise<OpenedThread | undefined>>();
  /** Resolves, per thread that is being deleted or closed, when that is done. */
  const closings = new Map<string, Promise<void>>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let closed = false;

  function definitionOf(name: string): AnyDefinition {
    const definition = definitions.get(name);
    if (!definition)
      throw new Problem(
        "unknown_definition",
        `This server has no definition "${name}". It has: ${[...definitions.keys()].join(", ")}.`,
      );
    return definition;
  }

  async function openWith(threadId: string, definition: AnyDefinition): Promise<OpenedThread> {
    return createServedThread(await openThread({ definition, log, threadId, onError, ...defined({ compact }) }));
  }

  async function openStored(threadId: string): Promise<OpenedThread | undefined> {
    const info = await log.info(threadId);
    if (!info || (await rootOf(log, info)) === undefined) return undefined;
    const definition = definitions.get(info.definition);
    if (definition) return openWith(threadId, definition);
    throw new OpstateError(
      "definition_mismatch",
      `Thread "${threadId}" holds a "${info.definition}", but this server has no definition of that name. Add it to \`definitions\`.`,
    );
  }

  /** A new thread gets nothing of an orphan branch that had its name. */
  async function openNew(threadId: string, definition: AnyDefinition): Promise<OpenedThread> {
    const info = await log.info(threadId);
    if (info && (await rootOf(log, info)) === undefined) await deleteTree(threadId, info.incarnation, [threadId]);
    return openWith(threadId, definition);
  }

  /**
   * Deletes the thread (of the incarnation, if one is given) with its branches, and says whether it
   * existed. `ancestors` are the threads whose deletion waits for this one.
   */
  async function deleteTree(
    threadId: string,
    incarnation: string | undefined,
    ancestors: readonly string[],
  ): Promise<boolean> {
    const info = await log.info(threadId);
    const target = incarnation === undefined || incarnation === info?.incarnation ? info?.incarnation : undefined;
    await deleteBranches(threadId, target, ancestors);
    const existed = target !== undefined && (await log.delete(threadId, target));
    // Another process may have made a branch in the meantime.
    await deleteBranches(threadId, undefined, ancestors);
    return existed;
  }

  /** Waits for all deletions, then rejects with the first error if there was one. */
  async function deleteBranches(
    threadId: string,
    incarnation: string | undefined,
    ancestors: readonly string[],
  ): Promise<void> {
    const found = await branchesToDelete(log, threadId, incarnation);
    const branches = found.filter((branch) => !ancestors.includes(branch.threadId));
    const deletions = branches.map((branch) =>
      closeThen(branch.threadId, () =>
        deleteTree(branch.threadId, branch.incarnation, [...ancestors, branch.threadId]),
      ),
    );
    for (const result of await Promise.allSettled(deletions)) if (result.status === "rejected") throw result.reason;
  }

  /** Keeps the promise while it is pending and, if there is a thread, until that thread closes. */
  function openShared<T extends OpenedThread | undefined>(threadId: string, open: () => Promise<T>): Promise<T> {
    checkOpen();
    const opening = open();
    opened.set(threadId, opening);
    const remove = () => {
      if (opened.get(threadId) === opening) opened.delete(threadId);
    };
    opening.then((served) => (served ? onOpened(served) : remove()), remove);
    return opening;

    function onOpened({ thread }: OpenedThread): void {
      startIdleTimer();
      // A reason means that another process deleted the thread. The next request opens whatever has
      // the name then. Readers are disconnected, so that they connect again and get it too.
      thread.onClose((reason) => {
        if (reason) void closeThread(threadId, opening);
      });
    }
  }

  async function find(threadId: string): Promise<OpenedThread | undefined> {
    // No await may come between this loop and `opened.get`: a deletion could begin there.
    for (let closing = closings.get(threadId); closing; closing = closings.get(threadId)) await closing;
    const opening = opened.get(threadId) ?? openShared(threadId, () => openStored(threadId));
    const served = await opening;
    if (served?.thread.parent && (await rootOf(log, served.thread)) === undefined) {
      await closeThread(threadId, opening);
      return undefined;
    }
    served?.touch();
    return served;
  }

  /** Closes the thread, then runs `finish`. Requests for the thread wait until both are done. */
  function closeThen<T>(threadId: string, finish: () => Promise<T>): Promise<T> {
    const opening = opened.get(threadId);
    const earlier = closings.get(threadId);
    opened.delete(threadId);
    const result = (async () => {
      await earlier;
      // A thread that could not be opened need not be closed.
      const served = await opening?.catch(() => undefined);
      served?.feed.end();
      await served?.thread.close();
      return finish();
    })();
    const remove = () => {
      if (closings.get(threadId) === closing) closings.delete(threadId);
    };
    const closing: Promise<void> = result.then(remove, remove);
    closings.set(threadId, closing);
    return result;
  }

  /** Does nothing when another thread of the same name was opened since. */
  async function closeThread(threadId: string, opening: Promise<OpenedThread | undefined>): Promise<void> {
    if (opened.get(threadId) === opening) await closeThen(threadId, async () => {});
  }

  function checkOpen(): void {
    if (closed) throw new Problem("closing", "The server is closing.");
  }

  function startIdleTimer(): void {
    if (closed || timer !== undefined || idleTime === Infinity) return;
    timer = setInterval(() => void closeIdle().catch(onError), idleTime);
    timer.unref();
  }

  function stopIdleTimer(): void {
    clearInterval(timer);
    timer = undefined;
  }

  async function closeIdle(): Promise<void> {
    if (opened.size === 0) stopIdleTimer();
    const checks = [...opened].map(async ([threadId, opening]) => {
      const served = await opening.catch(() => undefined);
      if (served?.isIdle()) await closeThread(threadId, opening);
    });
    await Promise.all(checks);
  }

  return {
    async get(threadId) {
      const served = await find(threadId);
      if (!served) throw new Problem("unknown_thread", `There is no thread "${threadId}".`);
      return served;
    },

    async getOrCreate(threadId, name) {
      const definition = definitionOf(name);
      for (;;) {
        const found = await find(threadId);
        // Another request that found nothing may be creating or deleting it right now.
        if (!found && (opened.has(threadId) || closings.has(threadId))) continue;
        const served = found ?? (await openShared(threadId, () => openNew(threadId, definition)));
        if (served.thread.definition.name !== name) {
          throw new Problem(
            "definition_differs",
            `Thread "${threadId}" holds a "${served.thread.definition.name}", not a "${name}".`,
          );
        }
        // Orphans of the name belong to nobody. It changes nothing if this fails and they go later.
        if (!found) await deleteBranches(threadId, undefined, [threadId]).catch(onError);
        return { ...served, created: !found };
      }
    },

    list: (range) => (log.page ? log.page({ ...range, parent: null }) : sliceOf(log, range)),

    async rightsOwner(threadId) {
      const opening = opened.get(threadId);
      const served = await opening?.catch(() => undefined);
      // Read after the thread was opened: another incarnation means that the open thread is gone.
      const info = await log.info(threadId);
      if (opening && served && served.thread.incarnation !== info?.incarnation) {
        await closeThread(threadId, opening);
        if (info) throw new Problem("closing", "The thread was deleted and created again. Send the request again.");
      }
      return (info && (await rootOf(log, info))) ?? threadId;
    },

    async delete(threadId, incarnation) {
      checkOpen();
      const existed = await closeThen(threadId, async () => {
        const info = await log.info(threadId);
        const root = info && (await rootOf(log, info));
        return (await deleteTree(threadId, incarnation, [threadId])) && root !== undefined;
      });
      if (!existed) throw new Problem("unknown_thread", `There is no thread "${threadId}".`);
    },

    async close() {
      closed = true;
      stopIdleTimer();
      const ends = [...opened.keys()].map((threadId) => closeThen(threadId, async () => {}));
      await Promise.all([...ends, ...closings.values()]);
    },
  };
}
