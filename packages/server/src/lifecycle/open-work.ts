// Counts what is under way, so that a drain can wait for it.

export class OpenWork {
  #count = 0;
  #waiters: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  /** Returns the function that ends this piece of work. It may be called more than once. */
  begin(): () => void {
    this.#count += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#count -= 1;
      if (this.#count === 0) this.#wake();
    };
  }

  /** Counts `work` until it is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const end = this.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  #wake(): void {
    const woken = this.#waiters;
    this.#waiters = [];
    for (const resolve of woken) resolve();
  }
}
