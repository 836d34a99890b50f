// How long a call to a log may take. An adapter may stop what it began; the caller is answered in
// time in any case.
//
// Invariant: no call is waited for after its deadline or abort.

import { OpstateError } from "../../error.ts";

declare function setTimeout(callback: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** The part of an `AbortSignal` that is used. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** On every call of a log. */
export interface CallOptions {
  /** Milliseconds since 1970, as `Date.now()` counts them. Default: the log's own limit, if any. */
  readonly deadline?: number | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: CallSignal | undefined;
}

/** The longest delay that timers have. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** Throws the OpstateError of a call that is over: `timed_out` or `aborted`. */
export function checkCall({ deadline = Infinity, signal }: CallOptions = {}): void {
  if (signal?.aborted === true) throw aborted(signal, "Nothing was done.");
  if (Date.now() >= deadline) throw timedOut("Nothing was done.");
}

/**
 * Runs a call unless it is over, and rejects when it is: with an OpstateError `timed_out` after its
 * deadline, `aborted` when its signal is. What `run` does then is left to itself: it gets the same
 * options, and may stop.
 */
export async function withinCall<T>(options: CallOptions | undefined, run: () => Promise<T>): Promise<T> {
  const { deadline = Infinity, signal } = options ?? {};
  if (deadline === Infinity && signal === undefined) return run();
  checkCall(options);
  let timer: unknown;
  let onAbort = () => {};
  const over = new Promise<never>((_, reject) => {
    onAbort = () => reject(aborted(signal, UNKNOWN));
    signal?.addEventListener("abort", onAbort);
    const wait = () => {
      const left = deadline - Date.now();
      if (left <= 0) reject(timedOut(UNKNOWN));
      else timer = setTimeout(wait, Math.min(left, LONGEST_DELAY));
    };
    if (deadline !== Infinity) wait();
  });
  // Either may reject when its result is not awaited any more.
  over.catch(() => undefined);
  try {
    const result = run();
    result.catch(() => undefined);
    return await Promise.race([result, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

const UNKNOWN =
  "If it was a write, it is not known whether it was stored. Send it again with the same id: it has one effect.";

function timedOut(outcome: string): OpstateError {
  return new OpstateError("timed_out", `The log did not answer before the deadline of the call. ${outcome}`);
}

function aborted(signal: CallSignal | undefined, outcome: string): OpstateError {
  return new OpstateError("aborted", `The call to the log was aborted. ${outcome}`, { cause: signal?.reason });
}
