// The threads of this server: each is opened once in the process, shared by everyone who uses it, and let go when nobody does.
//
// Invariants: two who open the same thread at the same time get the same Thread, so there is one authority for it here; nobody opens a
// thread that is being deleted or let go before that is done; a thread that another process deleted is let go as soon as that is known.

import { type AnyDefinition, type Log, openThread, OpstateError, type ThreadInfo } from "@opstate/core";
import { Problem } from "./http/problem.ts";
import { createServedThread, type OpenedThread, type ServedThread } from "./served-thread.ts";

export type { ServedThread };

export interface Threads {
  /** The thread, or a Problem when there is none. */
  get(threadId: string): Promise<ServedThread>;
  /** The thread, made first when there is none. A Problem when it exists with another definition. */
  getOrCreate(threadId: string, definition: string): Promise<ServedThread & { readonly created: boolean }>;
  /** All but branches, which are listed with their parents. */
  list(): Promise<readonly ThreadInfo[]>;
  /** The thread whose rights hold for this one: a branch's parent, else the thread itself, be it there or not. */
  ruledBy(threadId: string): Promise<string>;
  /** With its branches. */
  delete(threadId: string): Promise<void>;
  /** Finishes queued writes and deletions; nothing opens afterwards. */
  close(): Promise<void>;
}

export interface ThreadsOptions {
  readonly definitions: ReadonlyMap<string, AnyDefinition>;
  readonly log: Log;
  /** Milliseconds: a thread that nobody used for one to two times as long is let go. Infinity: never. */
  readonly idleTime: number;
  /** How many of the newest commits of a thread stay when its history is compacted; undefined: all. */
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
      throw new Problem("unknown_definition", `There is no definition "${name}" here; known are ${[...definitions.keys()].join(", ")}.`);
    return definition;
  }

  async function openWith(threadId: string, definition: AnyDefinition): Promise<OpenedThread> {
    return createServedThread(await openThread({ definition, log, threadId, onError, ...(compact && { compact }) }));
  }

  async function openStored(threadId: string): Promise<OpenedThread | undefined> {
    const info = await log.info(threadId);
    if (!info) return undefined;
    const definition = definitions.get(info.definition);
    if (definition) return openWith(threadId, definition);
    throw new OpstateError(
      "definition_mismatch",
      `Thread "${threadId}" holds a "${info.definition}", which this server has no definition for.`,
    );
  }

  /** Remembers the opening while it runs and, when there is a thread, until it leaves. */
  function share<T extends OpenedThread | undefined>(threadId: string, open: () => Promise<T>): Promise<T> {
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
      // Another process deleted it: whoever asks next gets what has the name now, and so do its readers, who come again.
      thread.onClose((reason) => {
        if (reason && opened.get(threadId) === opening) void leave(threadId, async () => {});
      });
    }
  }

  async function find(threadId: string): Promise<OpenedThread | undefined> {
    // Looked up in one turn with what follows: a deletion may begin in any other.
    for (let end = leaving.get(threadId); end; end = leaving.get(threadId)) await end;
    const served = await (opened.get(threadId) ?? share(threadId, () => openStored(threadId)));
    served?.touch();
    return served;
  }

  /** Closes the thread, then does what is last; whoever asks for the thread from now on waits for that. */
  function leave<T>(threadId: string, last: () => Promise<T>): Promise<T> {
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

  function mustBeOpen(): void {
    if (closed) throw new Problem("closing", "The server is closing.");
  }

  function watch(): void {
    if (closed || timer !== undefined || idleTime === Infinity) return;
    timer = setInterval(() => void letGo().catch(onError), idleTime);
    timer.unref();
  }

  function unwatch(): void {
    clearInterval(timer);
    timer = undefined;
  }

  async function letGo(): Promise<void> {
    if (opened.size === 0) unwatch();
    const ends = [...opened].map(async ([threadId, opening]) => {
      const served = await opening.catch(() => undefined);
      if (served?.isIdle() && opened.get(threadId) === opening) await leave(threadId, async () => {});
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
        const served = found ?? (await share(threadId, () => openWith(threadId, definition)));
        if (served.thread.definition.name !== name) {
          throw new Problem("definition_differs", `Thread "${threadId}" holds a "${served.thread.definition.name}", not a "${name}".`);
        }
        return { ...served, created: !found };
      }
    },

    list: () => log.list({ parent: null }),

    async ruledBy(threadId) {
      const served = await opened.get(threadId)?.catch(() => undefined);
      const parent = served ? served.thread.parent : (await log.info(threadId))?.parent;
      return parent?.threadId ?? threadId;
    },

    async delete(threadId) {
      mustBeOpen();
      const was = await leave(threadId, () => log.delete(threadId));
      const branches = await log.list({ parent: threadId });
      await Promise.all(branches.map((branch) => leave(branch.threadId, () => log.delete(branch.threadId))));
      if (!was) throw new Problem("unknown_thread", `There is no thread "${threadId}".`);
    },

    async close() {
      closed = true;
      unwatch();
      const ends = [...opened.keys()].map((threadId) => leave(threadId, async () => {}));
      await Promise.all([...ends, ...leaving.values()]);
    },
  };
}
