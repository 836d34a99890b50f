// Who needs a replica's connection at this moment: whoever watches it, or waits for it.

/**
 * Counts holders: `onWanted` with the first, `onUnwanted` once there is none any more, unless
 * somebody came back in the same turn.
 */
export class RefCount {
  #holders = 0;
  readonly #onWanted: () => void;
  readonly #onUnwanted: () => void;

  constructor(onWanted: () => void, onUnwanted: () => void) {
    this.#onWanted = onWanted;
    this.#onUnwanted = onUnwanted;
  }

  get wanted(): boolean {
    return this.#holders > 0;
  }

  /** Returns the function that lets go. */
  hold(): () => void {
    this.#holders += 1;
    this.#onWanted();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holders -= 1;
      void this.settle();
    };
  }

  /**
   * A component that is taken down and put up again in one turn (React's StrictMode does) costs no
   * new connection.
   */
  async settle(): Promise<void> {
    await Promise.resolve();
    if (!this.wanted) this.#onUnwanted();
  }

  /** The same subscription, holding the connection for as long as it lasts. */
  whileSubscribed<L>(subscribe: (listener: L) => () => void): (listener: L) => () => void {
    return (listener) => {
      const end = subscribe(listener);
      const release = this.hold();
      return () => {
        end();
        release();
      };
    };
  }
}
