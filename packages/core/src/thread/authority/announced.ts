// The newest head of the log that was announced and has not been read yet.
//
// Invariants:
// - A head that is announced while an older one is read is read next.
// - An announcement may be wrong, so each head is read once. One that could not be read stays for
//   the next reader.

export class Announced {
  #newest = 0;

  announce(head: number): void {
    this.#newest = Math.max(this.#newest, head);
  }

  /** The head to read from a version on, other than one that could not be read just now. */
  beyond(version: number, unread = 0): number | undefined {
    return this.#newest > Math.max(version, unread) ? this.#newest : undefined;
  }

  /** This head, and those before it, were read. */
  markRead(head: number): void {
    if (this.#newest <= head) this.#newest = 0;
  }
}
