// The newest head of its log that an authority was told of and has not looked for yet.
//
// Invariant: a head that is announced while an older one is looked for is looked for next. A hint
// may be wrong, so each is looked for once; one that could not be read stays, for whoever asks
// next.

export class Announced {
  #newest = 0;

  announce(head: number): void {
    this.#newest = Math.max(this.#newest, head);
  }

  /** The head to look for from a version on, beside one that could not be read just now. */
  beyond(version: number, unread = 0): number | undefined {
    return this.#newest > Math.max(version, unread) ? this.#newest : undefined;
  }

  /** This head, and those before it, were looked for. */
  looked(head: number): void {
    if (this.#newest <= head) this.#newest = 0;
  }
}
