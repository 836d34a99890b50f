// Counts the users of a resource, such as a replica's connection: subscribers, and callers that
// wait for it.

/**
 * Calls `onAcquire` with each acquisition, and `onIdle` when the last user has released it and no
 * other has come in the same microtask.
 */
export class RefCount {
  #users = 0;
  readonly #onAcquire: () => void;
  readonly #onIdle: () => void;

  constructor(onAcquire: () => void, onIdle: () => void) {
    this.#onAcquire = onAcquire;
    this.#onIdle = onIdle;
  }

  get inUse(): boolean {
    return this.#users > 0;
  }

  /** Returns the function that releases it. */
  acquire(): () => void {
    this.#users += 1;
    this.#onAcquire();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#users -= 1;
      void this.releaseIfUnused();
    };
  }

  /**
   * Calls `onIdle` when there is no user, one microtask later: a component that is unmounted and
   * mounted again at once, as in React's StrictMode, costs no new connection.
   */
  async releaseIfUnused(): Promise<void> {
    await Promise.resolve();
    if (!this.inUse) this.#onIdle();
  }

  /** The same subscription; it counts as a user until it ends. */
  whileSubscribed<L>(subscribe: (listener: L) => () => void): (listener: L) => () => void {
    return (listener) => {
      const end = subscribe(listener);
      const release = this.acquire();
      return () => {
        end();
        release();
      };
    };
  }
}
