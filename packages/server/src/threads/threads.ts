// The threads of this server: each is opened once in the process, shared by everyone who uses it,
// and let go when nobody does.
//
// Invariants: two who open the same thread at the same time get the same Thread, so there is one
// authority for it here; nobody opens a thread that is being deleted or let go before that is done;
// a thread that another process deleted is let go as soon as that is known; a branch that has lost
// its parent is as if it were not there; a tree is deleted children first, so that whatever fails
// on the way leaves the rest under its owner's rights, and the next deletion finishes it.

import { type AnyDefinition, type Log, openThread, OpstateError, type ThreadPage } from "@opstate/core";
import { sliceOf } from "../log/list-page.ts";
import { Problem } from "../http/problem.ts";
import { createServedThread, type OpenedThread, type ServedThread } from "./served-thread.ts";
import { branchesToGo, rootOf } from "./thread-tree.ts";

export type { ServedThread };

export interface Threads {
  /** The thread, or a Problem when there is none. */
  get(threadId: string): Promise<ServedThread>;
  /**
   * The thread, made first when there is none. A Problem when it exists with another definition.
   */
  getOrCreate(threadId: string, definition: string): Promise<ServedThread & { readonly created: boolean }>;
  /**
   * A page of all but branches, which are listed with their parents. A RangeError for what is no
   * `next` of a page.
   */
  list(range: { readonly after?: string; readonly limit: number }): Promise<ThreadPage>;
  /**
   * The thread whose rights hold for this one: that at the root of a branch that stands, else the
   * thread itself, be it there or not. A Problem when the name was found to be another thread's
   * now.
   */
  ruledBy(threadId: string): Promise<string>;
  /**
   * With its branches, and those that are left of earlier ones of its name. A Problem when there is
   * none, of the incarnation if one is given.
   */
  delete(threadId: string, incarnation?: string): Promise<void>;
  /** Finishes queued writes and deletions; nothing opens afterwards. */
  close(): Promise<void>;
}

export interface ThreadsOptions {
  readonly definitions: ReadonlyMap<string, AnyDefinition>;
  readonly log: Log;
  /**
   * Milliseconds: a thread that nobody used for one to two times as long is let go. Infinity:
   * never.
   */
  readonly idleTime: number;
  /**
   * How many of the newest commits of a thread stay when its history is compacted; undefined: all.
   */
  readonly compact: { readonly keep: number } | undefined;
  /** Hears of what failed beside the requests. */
  readonly onError: (error: unknown) => void;
}

export function createThreads({ definitions, log, idleTime, compact, onError }: ThreadsOptions): Threads {
  const opened = new Map<string, Promise<OpenedThread | undefined>>();
  /** The end of each thread that is being deleted or let go. */
  const leaving = new Map<string, Promise<void>>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let closed = false;

  function definitionOf(name: string): AnyDefinition {
    const definition = definitions.get(name);
    if (!definition)
      throw new Problem(
        "unknown_definition",
        `There is no definition "${name}" here; known are ${[...definitions.keys()].join(", ")}.`,
      );
    return definition;
  }

  async function openWith(threadId: string, definition: AnyDefinition): Promise<OpenedThread> {
    return createServedThread(await openThread({ definition, log, threadId, onError, ...(compact && { compact }) }));
  }

  async function openStored(threadId: string): Promise<OpenedThread | undefined> {
    const info = await log.info(threadId);
    if (!info || (await rootOf(log, info)) === undefined) return undefined;
    const definition = definitions.get(info.definition);
    if (definition) return openWith(threadId, definition);
    throw new OpstateError(
      "definition_mismatch",
      `Thread "${threadId}" holds a "${info.definition}", which this server has no definition for.`,
    );
  }

  /**
   * Whoever makes a thread of a name gets nothing of a branch that had it and has lost its parent.
   */
  async function openNew(threadId: string, definition: AnyDefinition): Promise<OpenedThread> {
    const info = await log.info(threadId);
    if (info && (await rootOf(log, info)) === undefined) await deleteTree(threadId, info.incarnation, [threadId]);
    return openWith(threadId, definition);
  }

  /**
   * Deletes the thread, of the incarnation if one is given, with its branches. `above` are those
   * that wait for it.
   */
  async function deleteTree(
    threadId: string,
    incarnation: string | undefined,
    above: readonly string[],
  ): Promise<boolean> {
    const info = await log.info(threadId);
    const going = incarnation === undefined || incarnation === info?.incarnation ? info?.incarnation : undefined;
    await deleteBranches(threadId, going, above);
    const was = going !== undefined && (await log.delete(threadId, going));
    // Another process may have made one until then.
    await deleteBranches(threadId, undefined, above);
    return was;
  }

  /** Resolves or rejects when nothing of it goes on. */
  async function deleteBranches(threadId: string, going: string | undefined, above: readonly string[]): Promise<void> {
    const branches = (await branchesToGo(log, threadId, going)).filter((branch) => !above.includes(branch.threadId));
    const ends = branches.map((branch) =>
      closeThen(branch.threadId, () => deleteTree(branch.threadId, branch.incarnation, [...above, branch.threadId])),
    );
    for (const end of await Promise.allSettled(ends)) if (end.status === "rejected") throw end.reason;
  }

  /** Remembers the opening while it runs and, when there is a thread, until it leaves. */
  function openShared<T extends OpenedThread | undefined>(threadId: string, open: () => Promise<T>): Promise<T> {
    mustBeOpen();
    const opening = open();
    opened.set(threadId, opening);
    const forget = () => {
      if (opened.get(threadId) === opening) opened.delete(threadId);
    };
    opening.then((served) => (served ? keep(served) : forget()), forget);
    return opening;

    function keep({ thread }: OpenedThread): void {
      watch();
      // Another process deleted it: whoever asks next gets what has the name now, and so do its
      // readers, who come again.
      thread.onClose((reason) => {
        if (reason) void closeThread(threadId, opening);
      });
    }
  }

  async function find(threadId: string): Promise<OpenedThread | undefined> {
    // Looked up in one turn with what follows: a deletion may begin in any other.
    for (let end = leaving.get(threadId); end; end = leaving.get(threadId)) await end;
    const opening = opened.get(threadId) ?? openShared(threadId, () => openStored(threadId));
    const served = await opening;
    if (served?.thread.parent && (await rootOf(log, served.thread)) === undefined) {
      await closeThread(threadId, opening);
      return undefined;
    }
    served?.touch();
    return served;
  }

  /**
   * Closes the thread, then does what is last; whoever asks for the thread from now on waits for
   * that.
   */
  function closeThen<T>(threadId: string, last: () => Promise<T>): Promise<T> {
    const opening = opened.get(threadId);
    const earlier = leaving.get(threadId);
    opened.delete(threadId);
    const left = (async () => {
      await earlier;
      // What could not be opened need not be closed.
      const served = await opening?.catch(() => undefined);
      served?.feed.end();
      await served?.thread.close();
      return last();
    })();
    const forget = () => {
      if (leaving.get(threadId) === end) leaving.delete(threadId);
    };
    const end: Promise<void> = left.then(forget, forget);
    leaving.set(threadId, end);
    return left;
  }

  /** Of what has its name since, nothing. */
  async function closeThread(threadId: string, opening: Promise<OpenedThread | undefined>): Promise<void> {
    if (opened.get(threadId) === opening) await closeThen(threadId, async () => {});
  }

  function mustBeOpen(): void {
    if (closed) throw new Problem("closing", "The server is closing.");
  }

  function watch(): void {
    if (closed || timer !== undefined || idleTime === Infinity) return;
    timer = setInterval(() => void closeIdle().catch(onError), idleTime);
    timer.unref();
  }

  function unwatch(): void {
    clearInterval(timer);
    timer = undefined;
  }

  async function closeIdle(): Promise<void> {
    if (opened.size === 0) unwatch();
    const ends = [...opened].map(async ([threadId, opening]) => {
      const served = await opening.catch(() => undefined);
      if (served?.isIdle()) await closeThread(threadId, opening);
    });
    await Promise.all(ends);
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
        // Another who found nothing may be making it, or unmaking it.
        if (!found && (opened.has(threadId) || leaving.has(threadId))) continue;
        const served = found ?? (await openShared(threadId, () => openNew(threadId, definition)));
        if (served.thread.definition.name !== name) {
          throw new Problem(
            "definition_differs",
            `Thread "${threadId}" holds a "${served.thread.definition.name}", not a "${name}".`,
          );
        }
        // What is left of earlier threads of the name is nobody's: whether it goes now or later
        // changes nothing.
        if (!found) await deleteBranches(threadId, undefined, [threadId]).catch(onError);
        return { ...served, created: !found };
      }
    },

    list: (range) => (log.page ? log.page({ ...range, parent: null }) : sliceOf(log, range)),

    async ruledBy(threadId) {
      const opening = opened.get(threadId);
      const served = await opening?.catch(() => undefined);
      // Read after it was opened: another incarnation means that what is open is gone.
      const info = await log.info(threadId);
      if (opening && served && served.thread.incarnation !== info?.incarnation) {
        await closeThread(threadId, opening);
        if (info) throw new Problem("closing", "The thread was deleted and made again meanwhile; try again.");
      }
      return (info && (await rootOf(log, info))) ?? threadId;
    },

    async delete(threadId, incarnation) {
      mustBeOpen();
      const was = await closeThen(threadId, async () => {
        const info = await log.info(threadId);
        const root = info && (await rootOf(log, info));
        return (await deleteTree(threadId, incarnation, [threadId])) && root !== undefined;
      });
      if (!was) throw new Problem("unknown_thread", `There is no thread "${threadId}".`);
    },

    async close() {
      closed = true;
      unwatch();
      const ends = [...opened.keys()].map((threadId) => closeThen(threadId, async () => {}));
      await Promise.all([...ends, ...leaving.values()]);
    },
  };
}
