// The versions whose states and names are kept, up to a number of versions and up to a size.
//
// Invariant: what is needed now is kept, however large it is.

import type { NamedState } from "../../engine/things/index.ts";

/** The number of versions: those that were requested last are kept. */
const MOST_VERSIONS = 1_024;
/** Slots of containers of all of them, of 8 to 50 bytes each. */
const MOST_SLOTS = 2_000_000;

interface Held {
  readonly named: NamedState;
  readonly slots: number;
}

export class HeldNames {
  /** In the order in which they were requested last. */
  readonly #held = new Map<number, Held>();
  readonly #mostSlots: number;
  #slots = 0;
  #needed: ReadonlySet<number> = new Set();

  constructor(mostSlots = MOST_SLOTS) {
    this.#mostSlots = mostSlots;
  }

  /** These are kept until others are needed. */
  need(versions: ReadonlySet<number>): void {
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
    if (before === undefined) this.#slots += slots;
    if (this.#isOver) this.#dropOldest(version);
  }

  /** The newest version up to this one that is held. */
  nearest(version: number): { readonly version: number; readonly named: NamedState } | undefined {
    let nearest: { readonly version: number; readonly named: NamedState } | undefined;
    for (const [held, { named }] of this.#held)
      if (held <= version && held > (nearest?.version ?? -1)) nearest = { version: held, named };
    return nearest;
  }

  clear(): void {
    this.#held.clear();
    this.#slots = 0;
  }

  get #isOver(): boolean {
    return this.#held.size > MOST_VERSIONS || this.#slots > this.#mostSlots;
  }

  #dropOldest(newest: number): void {
    for (const [version, { slots }] of this.#held) {
      if (!this.#isOver) return;
      if (version === newest || this.#needed.has(version)) continue;
      this.#held.delete(version);
      this.#slots -= slots;
    }
  }
}
