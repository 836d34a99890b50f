// "@opstate/core/until-aborted": waits that end when a signal aborts, even when the work that they
// wait for does not listen to it. `@opstate/ag-ui` and `@opstate/server` wait for agents with it.

import type { CallSignal } from "./thread/log/call.ts";

/** What `value` resolves to. Rejects with the signal's reason as soon as it aborts. */
export async function untilAborted<T>(value: Promise<T>, signal: CallSignal): Promise<T> {
  const abortable = new Abortable(signal);
  try {
    return await abortable.wait(value);
  } finally {
    abortable.release();
  }
}

/**
 * What `iterable` gives, until the signal aborts: then it throws the signal's reason, and the
 * iterator returns. Nothing is begun when the signal has aborted already.
 *
 * @example
 * ```ts
 * import { eachUntilAborted } from "@opstate/core/until-aborted";
 *
 * async function* endless() {
 *   for (let n = 1; ; n++) yield n;
 * }
 * const controller = new AbortController();
 * const seen: number[] = [];
 * try {
 *   for await (const n of eachUntilAborted(endless(), controller.signal)) {
 *     seen.push(n);
 *     if (n === 2) controller.abort();
 *   }
 * } catch {
 *   seen; // [1, 2]
 * }
 * ```
 */
export async function* eachUntilAborted<T>(iterable: AsyncIterable<T>, signal: CallSignal): AsyncGenerator<T, void> {
  if (signal.aborted) throw signal.reason;
  const iterator = iterable[Symbol.asyncIterator]();
  const abortable = new Abortable(signal);
  try {
    for (;;) {
      const next = await abortable.wait(iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    abortable.release();
    // Not awaited: a generator that waits for something else returns only after that. An error that
    // it throws then is ignored.
    void iterator.return?.().catch(() => {});
  }
}

/** One wait after another, with one listener on the signal for all of them. */
class Abortable {
  readonly #signal: CallSignal;
  #reject: (reason: unknown) => void = () => {};

  constructor(signal: CallSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#abort);
  }

  wait<T>(value: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      // Only the first outcome counts: a value after the abort is dropped.
      value.then(resolve, reject);
      if (this.#signal.aborted) this.#abort();
    });
  }

  release(): void {
    this.#signal.removeEventListener("abort", this.#abort);
  }

  #abort = (): void => this.#reject(this.#signal.reason);
}
