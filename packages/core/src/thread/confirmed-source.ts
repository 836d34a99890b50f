// The newest confirmed state as a Readable. A state that is made when it is looked at is made only
// then, or when it was subscribed to.

import { createSource, type Readable } from "../readable.ts";
import type { Confirmed } from "./confirmed.ts";

export class ConfirmedSource implements Readable<unknown> {
  readonly getState: () => unknown;
  readonly getInitialState: () => unknown;
  readonly subscribe: (listener: (state: unknown, previous: unknown) => void) => () => void;
  readonly #set: (confirmed: Confirmed) => void;

  constructor(initial: Confirmed) {
    const source = createSource(initial.state);
    let newest = initial;
    let listeners = 0;
    this.getState = () => newest.state;
    this.getInitialState = source.getInitialState;
    this.subscribe = (listener) => {
      // What changed before is no news to it.
      if (listeners === 0) source.set(newest.state)();
      listeners += 1;
      const unsubscribe = source.subscribe(listener);
      let isOver = false;
      return () => {
        if (!isOver) listeners -= 1;
        isOver = true;
        unsubscribe();
      };
    };
    this.#set = (confirmed) => {
      newest = confirmed;
      if (listeners > 0) source.set(confirmed.state)();
    };
  }

  set(confirmed: Confirmed): void {
    this.#set(confirmed);
  }
}
