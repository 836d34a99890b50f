// A wait that ends at its time.

/** Milliseconds, and what is called when they are over. */
export class Deadline {
  readonly over: Promise<void>;
  isOver = false;
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(milliseconds: number) {
    let end = () => {};
    this.over = new Promise((resolve) => (end = resolve));
    this.#timer = setTimeout(() => {
      this.isOver = true;
      end();
    }, milliseconds);
  }

  /** Resolves when `work` is done, or the time is over. */
  async wait(work: Promise<unknown>): Promise<void> {
    await Promise.race([work, this.over]);
  }

  /** Its timer keeps the process alive no longer. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
