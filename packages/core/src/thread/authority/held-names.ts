// The versions whose states and names are kept: of each holder up to a number of versions, and of
// all holders of the process together up to a size. A holder that is idle makes room first.
//
// Invariants:
// - What is needed now is kept, however large it is.
// - All else may be dropped at any time. A base that was compacted is known only while it is held.

import type { NamedState } from "../../engine/things/index.ts";

/** The number of versions: those that were requested last are kept. */
const MOST_VERSIONS = 1_024;
const NONE: ReadonlySet<number> = new Set();

/** Slots of containers, of 8 to 50 bytes each: up to about 100 MB. */
const MOST_SLOTS = 2_000_000;

interface Holder {
  /** Drops of what it can spare, as long as there is too much. */
  drop(isTooMuch: () => boolean): void;
}

/** How much holders keep together, whose threads know nothing of each other. */
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

const SHARED = new SharedSlots();

interface Held {
  readonly named: NamedState;
  readonly slots: number;
}

export class HeldNames {
  /** In the order in which they were requested last. */
  readonly #held = new Map<number, Held>();
  readonly #shared: SharedSlots;
  #needed = NONE;
  /** The one that is being held just now. */
  #newest: number | undefined;

  constructor(shared = SHARED) {
    this.#shared = shared;
  }

  /** These are kept until others are needed, or none. */
  need(versions = NONE): void {
    this.#needed = versions;
  }

  at(version: number): NamedState | undefined {
    const held = this.#held.get(version);
    if (held === undefined) return undefined;
    this.#held.delete(version);
    this.#held.set(version, held);
    return held.named;
  }

  /** `slots`: what of it is its own. */
  hold(version: number, named: NamedState, slots: number): void {
    const before = this.#held.get(version);
    this.#held.delete(version);
    this.#held.set(version, { named, slots: before?.slots ?? slots });
    this.#newest = version;
    this.#shared.grow(this, before === undefined ? slots : 0);
    this.drop(() => this.#held.size > MOST_VERSIONS);
    this.#shared.makeRoom();
    this.#newest = undefined;
  }

  /** The newest version up to this one that is held. */
  nearest(version: number): { readonly version: number; readonly named: NamedState } | undefined {
    let nearest: { readonly version: number; readonly named: NamedState } | undefined;
    for (const [held, { named }] of this.#held)
      if (held <= version && held > (nearest?.version ?? -1)) nearest = { version: held, named };
    return nearest;
  }

  /** The oldest ones, as long as there are too many. */
  drop(areTooMany: () => boolean): void {
    for (const [version, { slots }] of this.#held) {
      if (!areTooMany()) return;
      if (version === this.#newest || this.#needed.has(version)) continue;
      this.#held.delete(version);
      this.#shared.shrink(this, slots);
    }
  }

  clear(): void {
    for (const { slots } of this.#held.values()) this.#shared.shrink(this, slots);
    this.#held.clear();
  }
}
