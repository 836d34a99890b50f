// Lets the followers of one reader catch up in turns, so that a long history holds up no other
// thread.
//
// Invariants:
// - One turn at a time, and only while the reader has room.
// - A follower that is still behind after its turn waits behind all others.

import type { FrameReader } from "./thread-follower.ts";

export interface TurnTaker {
  readonly isBehind: boolean;
  /** One turn. */
  catchUp(): Promise<void>;
}

export interface CatchUpOptions<T extends TurnTaker> {
  readonly reader: FrameReader;
  /** A turn failed. Its follower gets no other one. */
  readonly onError: (follower: T, error: unknown) => void;
  /** No reader is behind any more. */
  readonly onDone?: () => void;
}

export class CatchUpTurns<T extends TurnTaker> {
  readonly #options: CatchUpOptions<T>;
  readonly #waiting = new Set<T>();
  #isRunning = false;

  constructor(options: CatchUpOptions<T>) {
    this.#options = options;
  }

  get isDone(): boolean {
    return !this.#isRunning && this.#waiting.size === 0;
  }

  /** Gives the follower turns until it is not behind. */
  add(follower: T): void {
    this.#waiting.add(follower);
    if (!this.#isRunning) void this.#run();
  }

  remove(follower: T): void {
    this.#waiting.delete(follower);
  }

  async #run(): Promise<void> {
    const { reader, onError, onDone } = this.#options;
    this.#isRunning = true;
    while (await reader.drained()) {
      const [follower] = this.#waiting;
      if (!follower) break;
      this.#waiting.delete(follower);
      try {
        await follower.catchUp();
        if (follower.isBehind) this.#waiting.add(follower);
      } catch (error) {
        onError(follower, error);
      }
    }
    this.#isRunning = false;
    if (this.#waiting.size === 0) onDone?.();
  }
}
