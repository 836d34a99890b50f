// Long work takes turns with everything else in the process: after 8 ms of it, others run first.
//
// Awaiting a resolved promise yields to nothing else. Timers, sockets and rendering wait until
// the event loop comes round.

declare const performance: { now(): number };
declare const MessageChannel:
  | (new () => {
      readonly port1: { addEventListener(type: "message", listener: () => void): void; start(): void; close(): void };
      readonly port2: { postMessage(message: unknown): void };
    })
  | undefined;
declare function setTimeout(callback: () => void): unknown;

/** How a caller says that a result is not wanted any more: as the platforms' AbortSignal. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** Throws the reason of a signal that is aborted. */
export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal?.aborted === true) throw signal.reason;
}

/** How a thread knows that its work takes long, and lets others run. */
export interface Scheduler {
  /** Milliseconds since some fixed time. */
  now(): number;
  /** Resolves when everything else that was ready has had its turn. */
  yield(): Promise<void>;
}

/** By the event loop, in every host. */
export const eventLoop: Scheduler = {
  now: () => performance.now(),
  yield: () =>
    new Promise((resolve) => {
      // A timer waits for a millisecond at least, and in a page soon for four.
      if (typeof MessageChannel === "undefined") {
        setTimeout(resolve);
        return;
      }
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => {
        port1.close();
        resolve();
      });
      port1.start();
      port2.postMessage(undefined);
    }),
};

/** Milliseconds of work between two turns of others. */
const TURN = 8;

/**
 * One stretch of work. It begins when the object is made. With a `signal` it ends where that is
 * aborted: its caller has left.
 */
export class Pace {
  readonly #scheduler: Scheduler;
  readonly #signal: AbortSignalLike | undefined;
  #since: number;

  constructor(scheduler: Scheduler, signal?: AbortSignalLike) {
    this.#scheduler = scheduler;
    this.#signal = signal;
    this.#since = scheduler.now();
  }

  /**
   * Whether others are to run first, to be read between two pieces of work. Apart from `next`, so
   * that short work awaits nothing.
   */
  get isOver(): boolean {
    return this.#scheduler.now() - this.#since >= TURN;
  }

  /** Throws the reason of the signal, when that is aborted. */
  check(): void {
    throwIfAborted(this.#signal);
  }

  /** Rejects with the reason of the signal. */
  async next(): Promise<void> {
    await this.#scheduler.yield();
    this.check();
    this.#since = this.#scheduler.now();
  }
}
