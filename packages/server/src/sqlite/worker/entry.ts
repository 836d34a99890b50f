// The thread that has the database of a SQLite log.
//
//   requests, many in a message ──> localStore ──> heads and answers, many in a message
//
// Invariants:
// - Calls begin in the order in which they were sent.
// - It ends by itself when its log is closed, with every call answered before.

import { parentPort, workerData } from "node:worker_threads";
import type { CallOptions } from "@opstate/core/log";
import { localStore } from "../database/local-store.ts";
import { openFile } from "../database/open-file.ts";
import type { StoreCalls, StoreOptions } from "../database/store.ts";
import { faultOf } from "./fault.ts";
import type { Answer, Answers, Request, Started } from "./messages.ts";

type Port = NonNullable<typeof parentPort>;
/** What the other side sends is of the types that are given here. */
type Calls = Readonly<Record<string, (call: CallOptions, ...args: readonly unknown[]) => Promise<unknown>>>;

if (parentPort !== null) start(parentPort, workerData as StoreOptions);

function start(port: Port, options: StoreOptions): void {
  let outbox: Answers = { heads: [], answers: [] };

  /** What one turn says goes in one message. */
  function willPost(): Answers {
    if (outbox.heads.length + outbox.answers.length === 0) queueMicrotask(post);
    return outbox;
  }

  function post(): void {
    const sent = outbox;
    outbox = { heads: [], answers: [] };
    port.postMessage(sent);
  }

  let store: StoreCalls;
  try {
    const database = openFile(options.path, options.lockTimeout);
    store = localStore(options, database, (threadId, head) => willPost().heads.push([threadId, head]));
  } catch (error) {
    port.postMessage({ isOpen: false, fault: faultOf(error) } satisfies Started);
    port.close();
    return;
  }

  const running = new Map<number, { readonly signal: Signal; readonly done: Promise<void> }>();

  async function run([id, name, args = [], deadline]: Request, signal: Signal): Promise<void> {
    const others = name === "close" ? [...running.values()].map(({ done }) => done) : [];
    let answer: Answer;
    try {
      answer = [id, true, await (store as unknown as Calls)[name]?.({ deadline, signal }, ...args)];
    } catch (error) {
      answer = [id, false, faultOf(error)];
    }
    await Promise.all(others);
    running.delete(id);
    willPost().answers.push(answer);
    if (name === "close") queueMicrotask(() => port.close());
  }

  port.on("message", (requests: readonly Request[]) => {
    for (const request of requests) {
      const [id, name] = request;
      if (name === "abort") running.get(id)?.signal.abort();
      else {
        const signal = new Signal();
        running.set(id, { signal, done: Promise.resolve() });
        running.set(id, { signal, done: run(request, signal) });
      }
    }
  });
  port.postMessage({ isOpen: true } satisfies Started);
}

/** Cheaper than an AbortController, since it has no listeners. */
class Signal {
  aborted = false;
  abort(): void {
    this.aborted = true;
  }
  addEventListener(): void {}
  removeEventListener(): void {}
}
