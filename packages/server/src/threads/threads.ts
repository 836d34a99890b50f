// The threads of this server. Each is opened once in the process, shared by all requests, and
// closed when it is idle.
//
// Invariants:
// - Two requests that open the same thread at the same time get the same Thread. So there is one
//   authority for it in this process.
// - A thread that is being deleted or closed is opened again only after that is done.
// - A thread that another process deleted is closed as soon as that is known.
// - An orphan branch is treated as if it did not exist.
// - In one turn of the event loop at most one thread begins to open.
// - A tree is deleted in one step. Orphans that an earlier release left are deleted with the name.
//
// (Long because opening, closing and deleting share two maps, and their order is the invariant.)

import {
  type AnyDefinition,
  defined,
  openThread,
  type OpenThreadOptions,
  OpstateError,
  type Thread,
} from "@opstate/core";
import type { FullLog, ThreadPage } from "@opstate/core/log";
import { reach } from "@opstate/core/thread";
import { Problem } from "../http/problem.ts";
import { sliceOf } from "../log/list-page.ts";
import { REVOCATIONS_ID } from "../log/own-thread.ts";
import { ServedThread } from "./served-thread.ts";
import { SharedTurns } from "./shared-turns.ts";
import { orphansOf, rootOf } from "./thread-tree.ts";

export interface ThreadsOptions {
  readonly definitions: ReadonlyMap<string, AnyDefinition>;
  readonly log: FullLog;
  /**
   * How threads are opened: the log object that all who open them in this process share, and the
   * options of `openThread`.
   */
  readonly opening: Omit<OpenThreadOptions<AnyDefinition>, "definition" | "threadId" | "onError">;
  /**
   * Milliseconds. A thread that is unused for one to two times as long is closed. Infinity keeps
   * every thread open.
   */
  readonly idleTime: number;
  /** A thread whose writes go to the node that owns it; default: the thread. */
  readonly own?: ((thread: Thread) => Thread) | undefined;
  /** Called with each thread that is opened for requests. */
  readonly onServed?: ((served: ServedThread) => void) | undefined;
  /** Gets errors that happen outside of a request. */
  readonly onError: (error: unknown) => void;
}

type Opening = Promise<ServedThread | undefined>;

export class Threads {
  readonly #definitions: ThreadsOptions["definitions"];
  readonly #log: FullLog;
  readonly #idleTime: number;
  readonly #opening: ThreadsOptions["opening"];
  readonly #onError: (error: unknown) => void;
  readonly #own: (thread: Thread) => Thread;
  readonly #onServed: ThreadsOptions["onServed"];
  /** Other nodes write its threads: a read asks the log first. */
  readonly #readsNow: boolean;
  /** Of work for readers. */
  readonly turns = new SharedTurns();
  readonly #opened = new Map<string, Opening>();
  /** Resolves, per thread that is being deleted or closed, when that is done. */
  readonly #closings = new Map<string, Promise<void>>();
  /** The turn of the event loop in which the newest thread is opened. */
  #turn: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor({ definitions, log, opening, idleTime, onError, onServed, own }: ThreadsOptions) {
    this.#definitions = definitions;
    this.#log = log;
    this.#idleTime = idleTime;
    this.#opening = opening;
    this.#onError = onError;
    this.#onServed = onServed;
    this.#own = own ?? ((thread) => thread);
    this.#readsNow = own !== undefined;
  }

  /** The thread. Throws a Problem when there is none. */
  async get(threadId: string): Promise<ServedThread> {
    const served = await this.#find(threadId);
    if (!served) throw new Problem("unknown_thread", `There is no thread "${threadId}".`);
    return served;
  }

  /**
   * The thread, which shows what the log holds now, when other nodes write it too or `minVersion`
   * is newer than what it shows. Throws a Problem when there is no such thread or version.
   */
  async getToRead(threadId: string, minVersion = 0): Promise<ServedThread> {
    const served = await this.get(threadId);
    const { thread, local } = served;
    if (!this.#readsNow && minVersion <= thread.version) return served;
    await this.#readHead(local);
    if (thread.version < minVersion)
      throw new Problem("unknown_version", `The thread has the versions 0 to ${thread.version}, not ${minVersion}.`);
    return served;
  }

  /** Shows what the log holds now. Throws a Problem when the log cannot be read so far. */
  async #readHead(thread: Thread): Promise<void> {
    const head = (await this.#log.thread(thread.threadId, thread.incarnation).info())?.version ?? 0;
    await reach(thread, head);
    if (thread.version < head)
      throw new Problem("log_unavailable", "The log could not be read up to its newest version.");
  }

  /** The thread, created when there is none. Throws a Problem when it has another definition. */
  async getOrCreate(
    threadId: string,
    name: string,
  ): Promise<{ readonly served: ServedThread; readonly created: boolean }> {
    const definition = this.#definitionOf(name);
    for (;;) {
      const found = await this.#find(threadId);
      // Another request that found nothing may be creating or deleting it right now.
      if (!found && (this.#opened.has(threadId) || this.#closings.has(threadId))) continue;
      const served = found ?? (await this.#openShared(threadId, () => this.#openNew(threadId, definition)));
      if (served.thread.definition.name !== name) {
        throw new Problem(
          "definition_differs",
          `Thread "${threadId}" holds a "${served.thread.definition.name}", not a "${name}".`,
        );
      }
      // Orphans are invisible. It changes nothing if this fails and they are deleted later.
      if (!found) await this.#deleteOrphans(threadId).catch(this.#onError);
      return { served, created: !found };
    }
  }

  /** The thread once more, for a caller in this process, who closes it. */
  async open(threadId: string): Promise<Thread> {
    const served = await this.#find(threadId);
    if (!served) throw new OpstateError("unknown_thread", `This server has no thread "${threadId}".`);
    return this.#openBeside(threadId, served.thread.definition);
  }

  /** The same, created when there is none. */
  async openAs(threadId: string, definition: AnyDefinition): Promise<Thread> {
    if (this.#definitions.get(definition.name) !== definition)
      throw new OpstateError(
        "definition_mismatch",
        `This server has no such definition "${definition.name}". Give one of its \`definitions\`: ${[...this.#definitions.keys()].join(", ")}.`,
      );
    const { thread } = (await this.#find(threadId)) ?? (await this.getOrCreate(threadId, definition.name)).served;
    if (thread.definition !== definition)
      throw new OpstateError(
        "definition_mismatch",
        `Thread "${threadId}" holds a "${thread.definition.name}", not a "${definition.name}".`,
      );
    return this.#openBeside(threadId, definition);
  }

  /**
   * One page of all threads except branches. Throws a RangeError when `after` is not the `next` of
   * a page.
   */
  async list(range: { readonly after?: string; readonly limit: number }): Promise<ThreadPage> {
    const page = await (this.#log.page ? this.#log.page({ ...range, parent: null }) : sliceOf(this.#log, range));
    return { ...page, threads: page.threads.filter(({ threadId }) => threadId !== REVOCATIONS_ID) };
  }

  /** A page of a thread's branches, in the order in which they were made. */
  async branches(
    parent: Thread,
    { after, limit }: { readonly after?: string; readonly limit: number },
  ): Promise<ThreadPage> {
    const range = { parent: parent.threadId, limit, ...defined({ cursor: after }) };
    const { items, next } = await this.#log.threads(range);
    const own = items.filter((info) => info.parent?.incarnation === parent.incarnation);
    return { threads: own, ...defined({ next }) };
  }

  /**
   * The id of the thread whose rights apply: the root of an attached branch, otherwise the thread
   * itself, whether or not it exists. Throws a Problem when the thread was replaced by another one
   * of the same name.
   */
  async rightsOwner(threadId: string): Promise<string> {
    const opening = this.#opened.get(threadId);
    const served = await opening?.catch(() => undefined);
    // Read after the thread was opened: another incarnation means that the open thread is gone.
    const info = await this.#log.info(threadId);
    if (opening && served && served.thread.incarnation !== info?.incarnation) {
      await this.#closeThread(threadId, opening);
      if (info) throw new Problem("closing", "The thread was deleted and created again. Send the request again.");
    }
    return (info && (await rootOf(this.#log, info))) ?? threadId;
  }

  /**
   * Deletes the thread with its branches and the orphans of its name. Throws a Problem when there
   * is no such thread, or none of the given incarnation.
   */
  async delete(threadId: string, incarnation?: string): Promise<void> {
    this.#checkOpen();
    const existed = await this.#closeThen(threadId, async () => {
      const info = await this.#log.info(threadId);
      const root = info && (await rootOf(this.#log, info));
      return (await this.#deleteTree(threadId, incarnation)) && root !== undefined;
    });
    if (!existed) throw new Problem("unknown_thread", `There is no thread "${threadId}".`);
  }

  /** Finishes queued writes and deletions. Nothing opens afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopIdleTimer();
    const ends = [...this.#opened.keys()].map((threadId) => this.#closeThen(threadId, async () => {}));
    await Promise.all([...ends, ...this.#closings.values()]);
  }

  #definitionOf(name: string): AnyDefinition {
    const definition = this.#definitions.get(name);
    if (!definition)
      throw new Problem(
        "unknown_definition",
        `This server has no definition "${name}". It has: ${[...this.#definitions.keys()].join(", ")}.`,
      );
    return definition;
  }

  async #openWith(threadId: string, definition: AnyDefinition): Promise<ServedThread> {
    await this.#nextTurn();
    const thread = await openThread({ ...this.#opening, definition, threadId, onError: this.#onError });
    const served = new ServedThread(this.#own(thread), this.turns, thread, () => this.#readHead(thread));
    this.#onServed?.(served);
    return served;
  }

  /** It has the same authority: that belongs to the log. */
  async #openBeside(threadId: string, definition: AnyDefinition): Promise<Thread> {
    const { log, observe } = this.#opening;
    return this.#own(await openThread({ definition, log, threadId, onError: this.#onError, ...defined({ observe }) }));
  }

  /** One turn for each thread, so that a request for hundreds of them holds up no other request. */
  #nextTurn(): Promise<void> {
    this.#turn = this.#turn.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#turn;
  }

  async #openStored(threadId: string): Promise<ServedThread | undefined> {
    const info = await this.#log.info(threadId);
    if (!info || (await rootOf(this.#log, info)) === undefined) return undefined;
    const definition = this.#definitions.get(info.definition);
    if (definition) return this.#openWith(threadId, definition);
    throw new OpstateError(
      "definition_mismatch",
      `Thread "${threadId}" holds a "${info.definition}", but this server has no definition of that name. Add it to \`definitions\`.`,
    );
  }

  /** A new thread gets nothing of an orphan branch that had its name. */
  async #openNew(threadId: string, definition: AnyDefinition): Promise<ServedThread> {
    const info = await this.#log.info(threadId);
    if (info && (await rootOf(this.#log, info)) === undefined) await this.#deleteTree(threadId, info.incarnation);
    return this.#openWith(threadId, definition);
  }

  /**
   * Deletes the thread (of the incarnation, if one is given) with its branches, in one step of the
   * log, and says whether it existed. The log notifies those who have one of them open.
   */
  async #deleteTree(threadId: string, incarnation: string | undefined): Promise<boolean> {
    const target = incarnation ?? (await this.#log.info(threadId))?.incarnation;
    const deleted = target === undefined ? undefined : await this.#log.thread(threadId, target).delete();
    await this.#deleteOrphans(threadId);
    return deleted?.status === "deleted" && deleted.count > 0;
  }

  /**
   * Branches of earlier threads of this name, as earlier releases left them. Waits for all
   * deletions, then rejects with the first error if there was one.
   */
  async #deleteOrphans(threadId: string): Promise<void> {
    const orphans = await orphansOf(this.#log, threadId);
    const deletions = orphans.map((orphan) =>
      this.#closeThen(orphan.threadId, () => this.#log.thread(orphan.threadId, orphan.incarnation).delete()),
    );
    for (const result of await Promise.allSettled(deletions)) if (result.status === "rejected") throw result.reason;
  }

  /** Keeps the promise while it is pending and, if there is a thread, until that thread closes. */
  #openShared<T extends ServedThread | undefined>(threadId: string, open: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    const opening = open();
    this.#opened.set(threadId, opening);
    const remove = () => {
      if (this.#opened.get(threadId) === opening) this.#opened.delete(threadId);
    };
    opening.then((served) => (served ? this.#onOpened(served, opening) : remove()), remove);
    return opening;
  }

  #onOpened({ thread }: ServedThread, opening: Opening): void {
    this.#startIdleTimer();
    // A reason means that another process deleted the thread. The next request opens whatever has
    // the name then. Readers are disconnected, so that they connect again and get it too.
    thread.onClose((reason) => {
      if (reason) void this.#closeThread(thread.threadId, opening);
    });
  }

  async #find(threadId: string): Promise<ServedThread | undefined> {
    // No await may come between this loop and `opened.get`: a deletion could begin there.
    for (let closing = this.#closings.get(threadId); closing; closing = this.#closings.get(threadId)) await closing;
    const opening = this.#opened.get(threadId) ?? this.#openShared(threadId, () => this.#openStored(threadId));
    const served = await opening;
    if (served?.thread.parent && (await rootOf(this.#log, served.thread)) === undefined) {
      await this.#closeThread(threadId, opening);
      return undefined;
    }
    served?.touch();
    return served;
  }

  /** Closes the thread, then runs `finish`. Requests for the thread wait until both are done. */
  #closeThen<T>(threadId: string, finish: () => Promise<T>): Promise<T> {
    const opening = this.#opened.get(threadId);
    const earlier = this.#closings.get(threadId);
    this.#opened.delete(threadId);
    const result = (async () => {
      await earlier;
      // A thread that could not be opened need not be closed.
      const served = await opening?.catch(() => undefined);
      served?.end();
      await served?.thread.close();
      return finish();
    })();
    const remove = () => {
      if (this.#closings.get(threadId) === closing) this.#closings.delete(threadId);
    };
    const closing: Promise<void> = result.then(remove, remove);
    this.#closings.set(threadId, closing);
    return result;
  }

  /** Does nothing when another thread of the same name was opened since. */
  async #closeThread(threadId: string, opening: Opening): Promise<void> {
    if (this.#opened.get(threadId) === opening) await this.#closeThen(threadId, async () => {});
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Problem("closing", "The server is closing.");
  }

  #startIdleTimer(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#idleTime === Infinity) return;
    this.#timer = setInterval(() => void this.#closeIdle().catch(this.#onError), this.#idleTime);
    this.#timer.unref();
  }

  #stopIdleTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #closeIdle(): Promise<void> {
    if (this.#opened.size === 0) this.#stopIdleTimer();
    const checks = [...this.#opened].map(async ([threadId, opening]) => {
      const served = await opening.catch(() => undefined);
      if (served?.isIdle()) await this.#closeThread(threadId, opening);
    });
    await Promise.all(checks);
  }
}
