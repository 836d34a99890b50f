// The calls of a SQLite log, done by a thread of its own, so that no query, lock or flush stops the
// thread of the caller.
//
//   call ─> outbox ─ one message a turn ─> entry.ts ─> answers, heads ─> promises, `onHead`
//                                            | ended
//                                            v
//               what was sent rejects, the next call starts a thread again
//
// Invariants:
// - It holds the process as long as a call has no answer or a thread is being closed, no longer.
// - A call that was sent to a thread that ended rejects: it is not known whether it was done.
// - What was sent later is neither lost nor done twice.
// - When no thread can be started at all, calls are done in this one.

import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { OpstateError } from "@opstate/core";
import type { CallOptions } from "@opstate/core/log";
import { localStore } from "../database/local-store.ts";
import type { StoreCalls, StoreOptions, OnHead } from "../database/store.ts";
import { errorOf } from "./fault.ts";
import type { Answer, Answers, CallName, Request, Started } from "./messages.ts";
import { startWorker } from "./start-worker.ts";

type AnyCalls = Readonly<
  Record<CallName, (call: CallOptions | undefined, ...args: readonly unknown[]) => Promise<unknown>>
>;

interface Pending {
  readonly request: readonly [number, CallName, readonly unknown[], number | undefined];
  readonly call: CallOptions | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
}

class WorkerStore {
  readonly #options: StoreOptions;
  readonly #onHead: OnHead;
  /** The file, open in this thread until the other one has it. */
  #spare: DatabaseSync | undefined;
  /** In the place of a thread. */
  #local: AnyCalls | undefined;
  #worker: Worker | undefined;
  /** Why the thread ended, if it said so. */
  #fault: unknown;
  #lastId = 0;
  #outbox: Request[] = [];
  readonly #pending = new Map<number, Pending>();
  readonly #watched = new Set<string>();
  #closing: Promise<void> | undefined;
  #onExit: (() => void) | undefined;

  /** `spare`: the file, opened and with its tables. It is closed by the store. */
  constructor(options: StoreOptions, spare: DatabaseSync, onHead: OnHead) {
    this.#options = options;
    this.#spare = spare;
    this.#onHead = onHead;
    this.#start();
  }

  call(name: CallName, call: CallOptions | undefined, args: readonly unknown[]): Promise<unknown> {
    if (this.#closing !== undefined)
      return Promise.reject(new OpstateError("closed", `The log "${this.#options.path}" is closed.`));
    if (name === "watch") this.#watched.add(String(args[0]));
    if (name === "unwatch") this.#watched.delete(String(args[0]));
    return this.#send(name, call, args);
  }

  /** What was sent is done first. Later calls reject. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#local === undefined && this.#worker === undefined) return;
    const exit = new Promise<void>((resolve) => (this.#onExit = resolve));
    this.#worker?.ref();
    // A thread that ends meanwhile is closed too.
    await this.#send("close", undefined, []).catch(() => undefined);
    if (this.#worker !== undefined) await exit;
    this.#spare?.close();
  }

  #send(name: CallName, call: CallOptions | undefined, args: readonly unknown[]): Promise<unknown> {
    if (this.#local === undefined && this.#worker === undefined) this.#start();
    if (this.#local !== undefined) return this.#local[name](call, ...args);
    if (this.#worker === undefined) return Promise.reject(this.#lost());
    return new Promise((resolve, reject) => {
      const id = (this.#lastId += 1);
      const signal = call?.signal;
      const onAbort = () => {
        signal?.removeEventListener("abort", onAbort);
        this.#post([id, "abort"]);
      };
      signal?.addEventListener("abort", onAbort);
      const request = [id, name, args, call?.deadline] as const;
      this.#pending.set(id, { request, call, resolve, reject, onAbort });
      if (this.#pending.size === 1) this.#worker?.ref();
      this.#post(request);
    });
  }

  #post(request: Request): void {
    if (this.#outbox.push(request) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const requests = this.#outbox;
    this.#outbox = [];
    this.#worker?.postMessage(requests);
  }

  /** A thread that ended before it had the file is not tried again. */
  #ended(): void {
    this.#worker = undefined;
    this.#onExit?.();
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare === undefined) this.#rejectSent();
    else this.#doHere(spare);
  }

  /** What was not sent yet goes to the next thread, and so do the watched threads. */
  #rejectSent(): void {
    const waiting = new Set(this.#outbox.map(([id]) => id));
    const sent = [...this.#pending.keys()].filter((id) => !waiting.has(id));
    for (const id of sent) this.#take(id)?.reject(this.#lost());
    if (waiting.size > 0 || (this.#watched.size > 0 && this.#closing === undefined)) this.#start();
  }

  #doHere(database: DatabaseSync): void {
    process.emitWarning(
      `The SQLite log "${this.#options.path}" has no thread of its own, so its queries stop others: ${reasonOf(this.#fault)}`,
      { code: "OPSTATE_NO_WORKER" },
    );
    this.#outbox = [];
    // Typed by the calls that were made of it.
    const local = localStore(this.#options, database, this.#onHead) as unknown as AnyCalls;
    this.#local = local;
    for (const id of [...this.#pending.keys()]) {
      const { request, call, resolve, reject } = this.#take(id) ?? {};
      if (request && resolve && reject) local[request[1]](call, ...request[2]).then(resolve, reject);
    }
  }

  #lost(): OpstateError {
    const { path } = this.#options;
    return new OpstateError(
      "log_unavailable",
      `The thread that has the SQLite log "${path}" ended: ${reasonOf(this.#fault)}. If the call was a write, it is not known whether it was stored. Send it again with the same id: it has one effect.`,
      { cause: this.#fault },
    );
  }

  #start(): void {
    let worker: Worker;
    try {
      worker = startWorker(this.#options);
    } catch (error) {
      this.#fault = error;
      this.#ended();
      return;
    }
    if (this.#pending.size === 0 && this.#closing === undefined) worker.unref();
    this.#worker = worker;
    this.#fault = undefined;
    worker.on("message", (message: Answers | Started) => {
      if ("isOpen" in message) this.#started(message);
      else this.#answered(message);
    });
    worker.on("error", (error) => {
      this.#fault = error;
    });
    worker.on("exit", () => this.#ended());
    for (const threadId of this.#watched) void this.#send("watch", undefined, [threadId]).catch(() => undefined);
  }

  #started(message: Started): void {
    if (!message.isOpen) {
      this.#fault = errorOf(message.fault);
      return;
    }
    this.#spare?.close();
    this.#spare = undefined;
  }

  #answered({ heads, answers }: Answers): void {
    for (const [threadId, head] of heads) this.#onHead(threadId, head);
    for (const answer of answers) this.#resolve(answer);
    if (this.#pending.size === 0 && this.#closing === undefined) this.#worker?.unref();
  }

  #resolve([id, isDone, value]: Answer): void {
    const pending = this.#take(id);
    if (isDone) pending?.resolve(value);
    else pending?.reject(errorOf(value));
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending) pending.call?.signal?.removeEventListener("abort", pending.onAbort);
    return pending;
  }
}

function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : "it was ended from outside";
}

/** `spare`: the file, opened and with its tables. It is closed by the store. */
export function workerStore(options: StoreOptions, spare: DatabaseSync, onHead: OnHead): StoreCalls {
  const thread = new WorkerStore(options, spare, onHead);

  /** The other side calls the method of that name, and sends what it returns. */
  function remote<N extends CallName>(name: N): StoreCalls[N] {
    const send = (call: CallOptions | undefined, ...args: readonly unknown[]) => thread.call(name, call, args);
    return send as StoreCalls[N];
  }

  return {
    create: remote("create"),
    info: remote("info"),
    load: remote("load"),
    append: remote("append"),
    receipt: remote("receipt"),
    receipts: remote("receipts"),
    find: remote("find"),
    refusals: remote("refusals"),
    saveSnapshot: remote("saveSnapshot"),
    snapshotAt: remote("snapshotAt"),
    compact: remote("compact"),
    dropReceipts: remote("dropReceipts"),
    rewrite: remote("rewrite"),
    delete: remote("delete"),
    threads: remote("threads"),
    swept: remote("swept"),
    watch: remote("watch"),
    unwatch: remote("unwatch"),
    close: () => thread.close(),
  };
}
