// The threads of this server: each is opened once in the process and shared by everyone who uses it.
//
// Invariant: two who open the same thread at the same time get the same Thread, so there is one authority for it here.

import { type AnyDefinition, type Log, openThread, OpstateError, type Thread, type ThreadInfo } from "@opstate/core";
import { Problem } from "./http/problem.ts";
import { createThreadFeed, type ThreadFeed } from "./thread-feed.ts";

export interface ServedThread {
  readonly thread: Thread;
  readonly feed: ThreadFeed;
}

export interface Threads {
  /** The thread, or a Problem when there is none. */
  get(threadId: string): Promise<ServedThread>;
  /** The thread, made first when there is none. A Problem when it exists with another definition. */
  getOrCreate(threadId: string, definition: string): Promise<ServedThread & { readonly created: boolean }>;
  list(): Promise<readonly ThreadInfo[]>;
  delete(threadId: string): Promise<void>;
  /** Finishes queued writes; nothing opens afterwards. */
  close(): Promise<void>;
}

export function createThreads(definitions: ReadonlyMap<string, AnyDefinition>, log: Log): Threads {
  const opened = new Map<string, Promise<ServedThread | undefined>>();
  let closed = false;

  function definitionOf(name: string): AnyDefinition {
    const definition = definitions.get(name);
    if (!definition)
      throw new Problem("unknown_definition", `There is no definition "${name}" here; known are ${[...definitions.keys()].join(", ")}.`);
    return definition;
  }

  async function openWith(threadId: string, definition: AnyDefinition): Promise<ServedThread> {
    const thread: Thread = await openThread({ definition, log, threadId });
    return { thread, feed: createThreadFeed(thread) };
  }

  async function openStored(threadId: string): Promise<ServedThread | undefined> {
    const info = await log.info(threadId);
    if (!info) return undefined;
    const definition = definitions.get(info.definition);
    if (definition) return openWith(threadId, definition);
    throw new OpstateError(
      "definition_mismatch",
      `Thread "${threadId}" holds a "${info.definition}", which this server has no definition for.`,
    );
  }

  /** Remembers the opening while it runs and, when there is a thread, from then on. */
  function share(threadId: string, open: () => Promise<ServedThread | undefined>): Promise<ServedThread | undefined> {
    if (closed) throw new Problem("closing", "The server is closing.");
    const opening = open();
    opened.set(threadId, opening);
    const forget = () => {
      if (opened.get(threadId) === opening) opened.delete(threadId);
    };
    opening.then((served) => served ?? forget(), forget);
    return opening;
  }

  function find(threadId: string): Promise<ServedThread | undefined> {
    return opened.get(threadId) ?? share(threadId, () => openStored(threadId));
  }

  return {
    async get(threadId) {
      const served = await find(threadId);
      if (!served) throw new Problem("unknown_thread", `There is no thread "${threadId}".`);
      return served;
    },

    async getOrCreate(threadId, name) {
      const definition = definitionOf(name);
      const found = await find(threadId);
      const served = found ?? (await (opened.get(threadId) ?? share(threadId, () => openWith(threadId, definition))));
      if (!served) throw new Problem("unknown_thread", `Thread "${threadId}" was deleted meanwhile.`);
      if (served.thread.definition.name !== name) {
        throw new Problem("definition_differs", `Thread "${threadId}" holds a "${served.thread.definition.name}", not a "${name}".`);
      }
      return { ...served, created: !found };
    },

    list: () => log.list(),

    async delete(threadId) {
      const served = await find(threadId);
      opened.delete(threadId);
      served?.feed.end();
      await served?.thread.close();
      if (!(await log.delete(threadId))) throw new Problem("unknown_thread", `There is no thread "${threadId}".`);
    },

    async close() {
      closed = true;
      const all = await Promise.allSettled(opened.values());
      opened.clear();
      await Promise.all(all.flatMap((result) => (result.status === "fulfilled" && result.value ? [result.value.thread.close()] : [])));
    },
  };
}
