// The right to read of a reader who follows: checked again while it lasts.
//
// Invariants:
// - It is checked at least once in every interval, when the credentials expire, and at `ask`.
// - Nothing is sent after a moment at which it was due and not granted: the sender calls
//   `confirm` first.
// - A missing answer is no permission.

import type { Actor } from "@opstate/core";
import type { StreamAccess } from "./access.ts";
import { Problem } from "./problem.ts";

/** Milliseconds for one check. */
const TIMEOUT = 10_000;

export interface LiveAccessOptions {
  readonly access: StreamAccess;
  readonly streamId: string;
  /** Milliseconds: the longest time between two checks. */
  readonly interval: number;
  /** Rejects with a Problem when the same request would be refused now. */
  readonly check: () => Promise<StreamAccess>;
  readonly onError: (error: unknown) => void;
  readonly onClose: (live: LiveAccess) => void;
}

export class LiveAccess {
  readonly actor: Actor;
  readonly streamId: string;
  readonly #options: LiveAccessOptions;
  readonly #over = new AbortController();
  #due = 0;
  #asking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LiveAccessOptions) {
    this.actor = options.access.actor;
    this.streamId = options.streamId;
    this.#options = options;
    this.#wait(options.access);
  }

  /** Aborted when the right has ended, or the reader left. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Rejects with a Problem when the right has ended. Asks when that is due. */
  async confirm(): Promise<void> {
    if (Date.now() >= this.#due) await (this.#asking ?? this.ask());
    const { signal } = this.#over;
    if (signal.aborted) throw signal.reason;
  }

  /** Asks now. */
  ask(): Promise<void> {
    // A check under way may have read what is older.
    this.#due = 0;
    const check: Promise<void> = (this.#asking ?? Promise.resolve())
      .then(() => this.#ask())
      .finally(() => {
        if (this.#asking === check) this.#asking = undefined;
      });
    this.#asking = check;
    return check;
  }

  close(problem = new Problem("closing", "The reader left.")): void {
    if (this.#over.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#over.abort(problem);
    this.#options.onClose(this);
  }

  async #ask(): Promise<void> {
    if (this.#over.signal.aborted) return;
    const timer = setTimeout(() => this.close(unknown()), TIMEOUT).unref();
    try {
      this.#wait(await this.#options.check());
    } catch (error) {
      if (!(error instanceof Problem)) this.#options.onError(error);
      this.close(error instanceof Problem ? error : unknown());
    } finally {
      clearTimeout(timer);
    }
  }

  #wait({ expiresAt }: StreamAccess): void {
    if (this.#over.signal.aborted) return;
    this.#due = Math.min(Date.now() + this.#options.interval, expiresAt?.getTime() ?? Infinity);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), Math.max(0, this.#due - Date.now())).unref();
  }
}

function unknown(): Problem {
  return new Problem("failure", "The server could not check whether this reader may go on. Connect again.");
}
