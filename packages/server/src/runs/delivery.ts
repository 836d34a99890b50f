// Whether the one who started a run got its end: only then do they have its last state.

/** `onDelivered` is called once. */
export class Delivery {
  /** Each resolves to whether that reader got the end. */
  readonly #readers: Promise<boolean>[] = [];
  readonly #onDelivered: () => void;
  #isDelivered: boolean;

  constructor(isDelivered: boolean, onDelivered: () => void) {
    this.#isDelivered = isDelivered;
    this.#onDelivered = onDelivered;
  }

  /** The one who started the run reads it from its first event on, or goes on where they were. */
  addReader(delivered: Promise<boolean>): void {
    this.#readers.push(delivered.then((isDelivered) => this.#ended(isDelivered)));
  }

  /** Waits for those who still read. */
  async isDelivered(): Promise<boolean> {
    return this.#isDelivered || (await Promise.all(this.#readers)).includes(true);
  }

  #ended(isDelivered: boolean): boolean {
    if (isDelivered && !this.#isDelivered) {
      this.#isDelivered = true;
      this.#onDelivered();
    }
    return isDelivered;
  }
}
