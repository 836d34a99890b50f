// A wait that ends at its time.

/** Milliseconds, and what is called when they are over. */
export class Deadline {
  readonly over: Promise<void>;
  isOver = false;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #end: number;

  constructor(milliseconds: number) {
    this.#end = performance.now() + milliseconds;
    let end = () => {};
    this.over = new Promise((resolve) => (end = resolve));
    this.#timer = setTimeout(() => {
      this.isOver = true;
      end();
    }, milliseconds);
  }

  /** Milliseconds. */
  get left(): number {
    return Math.max(0, this.#end - performance.now());
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
