// How much holders of states keep together, whose threads know nothing of each other.

/** Slots of containers, of 8 to 50 bytes each: at most 100 MB. */
const MOST_SLOTS = 2_000_000;

interface Holder {
  /** Drops of what it can spare, as long as there is too much. */
  drop(isTooMuch: () => boolean): void;
}

export class SharedSlots {
  readonly #most: number;
  /** What each holds, the one that was used last at the end. */
  readonly #holders = new Map<Holder, number>();
  #slots = 0;

  constructor(most = MOST_SLOTS) {
    this.#most = most;
  }

  grow(holder: Holder, slots: number): void {
    const held = (this.#holders.get(holder) ?? 0) + slots;
    this.#holders.delete(holder);
    if (held > 0) this.#holders.set(holder, held);
    this.#slots += slots;
  }

  shrink(holder: Holder, slots: number): void {
    const held = (this.#holders.get(holder) ?? 0) - slots;
    if (held > 0) this.#holders.set(holder, held);
    else this.#holders.delete(holder);
    this.#slots -= slots;
  }

  /** Of the holders that were not used for longest first. */
  makeRoom(): void {
    const isTooMuch = () => this.#slots > this.#most;
    if (!isTooMuch()) return;
    for (const holder of [...this.#holders.keys()]) {
      holder.drop(isTooMuch);
      if (!isTooMuch()) return;
    }
  }
}
