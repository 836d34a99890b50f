// The calls of one thread on their way to its owner: this process, or another node.
//
//   push -> queued -> who owns it? ── this node ──> local(), in order
//             ^                    └─ another  ──> one request for all that are queued, in order
//             └── not the owner any more, or not reached: the same calls, with the same ids
//
// Invariants:
// - Calls are done in the order in which they were pushed; those that may take long are not waited
//   for, as in the authority's own queue.
// - A call is answered by its owner, or rejects when none was reached in time. One that was sent
//   again has one effect: it has its id from the beginning.
// - What was forwarded to this node is never pushed here: there is one hop.

import { setTimeout as delay } from "node:timers/promises";
import { OpstateError } from "@opstate/core";
import type { Owner } from "../log/ownership.ts";
import { type Call, type CallResult, mayTakeLong, thrown } from "./calls.ts";
import type { Forwarder } from "./forwarder.ts";
import type { Owners, RoutedThread } from "./owners.ts";

/** Calls of one request, and their bytes, about. */
const CALLS_LIMIT = 256;
const BYTES_LIMIT = 1024 * 1024;
/** Milliseconds between two attempts to reach an owner. */
const PAUSE = 25;
const LONG_PAUSE = 200;

interface QueuedCall {
  readonly call: Call;
  readonly bytes: number;
  readonly local: () => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** When the first attempt failed. */
  failedAt: number | undefined;
}

export interface CallQueueOptions {
  readonly thread: RoutedThread;
  readonly owners: Owners;
  readonly forwarder: Forwarder;
  /** Milliseconds for the answer to a request; those that may take long have `longTimeout`. */
  readonly timeout: number;
  readonly longTimeout: number;
  /** Milliseconds from the first failure until a call fails. */
  readonly patience: number;
  readonly onIdle: () => void;
}

export class CallQueue {
  readonly #options: CallQueueOptions;
  #queued: QueuedCall[] = [];
  #isRunning = false;
  #failures = 0;
  /** Requests that are not waited for. */
  #away = 0;

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  push(call: Call, local: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const bytes = JSON.stringify(call).length;
      this.#queued.push({ call, bytes, local, resolve, reject, failedAt: undefined });
      this.#start();
    });
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
      if (this.#queued.length > 0) this.#start();
      else if (this.#away === 0) this.#options.onIdle();
    });
  }

  async #run(): Promise<void> {
    const { owners, thread } = this.#options;
    // What is submitted in the same turn shares the first request.
    await Promise.resolve();
    while (this.#queued.length > 0) {
      let owner: Owner | undefined;
      try {
        owner = await owners.ownerOf(thread);
      } catch (error) {
        for (const { reject } of this.#queued.splice(0)) reject(error);
        return;
      }
      if (owner === undefined || owners.isOwn(owner)) {
        for (const queued of this.#queued.splice(0)) void this.#locally(queued, owner);
        continue;
      }
      const batch = this.#take();
      const [first] = batch;
      if (first !== undefined && mayTakeLong(first.call)) void this.#aside(owner, batch);
      else await this.#deliver(owner, batch, this.#options.timeout);
    }
  }

  /** All that wait, up to the first that may take long, and that one alone when it comes first. */
  #take(): readonly QueuedCall[] {
    let bytes = 0;
    const end = this.#queued.findIndex((queued, index) => {
      bytes += queued.bytes;
      return index > 0 && (index === CALLS_LIMIT || bytes > BYTES_LIMIT || mayTakeLong(queued.call));
    });
    const first = this.#queued[0];
    if (first !== undefined && mayTakeLong(first.call)) return this.#queued.splice(0, 1);
    return this.#queued.splice(0, end === -1 ? this.#queued.length : end);
  }

  async #locally(queued: QueuedCall, owner: Owner | undefined): Promise<void> {
    try {
      queued.resolve(await queued.local());
    } catch (error) {
      if (!isNotOwner(error)) return queued.reject(error);
      this.#options.owners.forget(this.#options.thread, owner);
      this.#again([queued]);
    }
  }

  async #aside(owner: Owner, batch: readonly QueuedCall[]): Promise<void> {
    this.#away += 1;
    await this.#deliver(owner, batch, this.#options.longTimeout);
    this.#away -= 1;
    if (this.#away === 0 && !this.#isRunning && this.#queued.length === 0) this.#options.onIdle();
  }

  async #deliver(owner: Owner, batch: readonly QueuedCall[], timeout: number): Promise<void> {
    const { owners, thread, forwarder } = this.#options;
    const calls = batch.map(({ call }) => call);
    const answer = await forwarder.send(owner, thread, calls, timeout);
    switch (answer.kind) {
      case "results": {
        this.#failures = 0;
        const again = batch.filter((queued, index) => !take(queued, answer.results[index]));
        if (again.length === 0) return;
        owners.forget(thread, owner);
        return this.#again(again);
      }
      case "refused": {
        const error = new OpstateError(
          "log_unavailable",
          `The server at ${owner.address}, which owns thread "${thread.threadId}", takes nothing from this one: ${answer.why} Give both the same \`node.secrets\`.`,
        );
        for (const { reject } of batch) reject(error);
        return;
      }
      case "not_owner":
      case "unreachable": {
        owners.forget(thread, owner);
        const now = performance.now();
        const late = batch.filter((queued) => now - (queued.failedAt ??= now) > this.#options.patience);
        const error = new OpstateError(
          "log_unavailable",
          `The server at ${owner.address}, which owns thread "${thread.threadId}", cannot be reached. It is not known whether the call was stored. Send it again with its id: it has one effect.`,
        );
        for (const { reject } of late) reject(error);
        this.#failures += 1;
        await delay(Math.min(LONG_PAUSE, PAUSE * this.#failures));
        return this.#again(batch.filter((queued) => !late.includes(queued)));
      }
    }
  }

  /** Before what was pushed since. */
  #again(batch: readonly QueuedCall[]): void {
    this.#queued.unshift(...batch);
    if (this.#queued.length > 0) this.#start();
  }
}

export function isNotOwner(error: unknown): boolean {
  return error instanceof OpstateError && error.code === "not_owner";
}

/** False when it is to be sent again. */
function take({ resolve, reject }: QueuedCall, answer: CallResult | undefined): boolean {
  if (answer === undefined || "notOwner" in answer) return false;
  if ("error" in answer) reject(thrown(answer.error));
  else resolve(answer.result);
  return true;
}
