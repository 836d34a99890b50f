// Work for many readers in slices: after 8 ms of it, for one reader or many, all else in the
// process has a turn. Two thousand readers that connect at once hold up nothing.

import { eventLoop, Pace } from "@opstate/core/thread";

export class SharedTurns {
  readonly #pace = new Pace(eventLoop);
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the next piece of work may begin, in the order of the calls. */
  next(): Promise<void> {
    return (this.#last = this.#after(this.#last));
  }

  async #after(last: Promise<void>): Promise<void> {
    await last;
    if (this.#pace.isOver) await this.#pace.next();
  }
}
