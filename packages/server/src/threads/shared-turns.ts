// Work for many readers in slices: after 8 ms of it, or after some pieces, all else in the process
// has a turn. Two thousand readers that connect at once hold up nothing.
//
// The pieces are counted too: one that has begun may not have done its work yet when the next one
// reads the time.

import { eventLoop, Pace } from "@opstate/core/thread";

/** Pieces of work that begin in one turn of the event loop. */
const IN_ONE_TURN = 8;

export class SharedTurns {
  readonly #pace = new Pace(eventLoop);
  #last: Promise<void> = Promise.resolve();
  #begun = 0;

  /** Resolves when the next piece of work may begin, in the order of the calls. */
  next(): Promise<void> {
    return (this.#last = this.#after(this.#last));
  }

  async #after(last: Promise<void>): Promise<void> {
    await last;
    this.#begun += 1;
    if (this.#begun <= IN_ONE_TURN && !this.#pace.isOver) return;
    await this.#pace.next();
    this.#begun = 1;
  }
}
