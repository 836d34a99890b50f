// How much each of many may use: a token bucket, refilled evenly, with at most a burst in it.
//
//   burst ─┐ take      take                 An actor with something left may take more than that.
//          └──┐/‾‾‾‾‾‾‾└──┐      /‾         The next one waits until it is paid back.
//        0 ───┼───────────┼────/──────
//                         └──/   wait
//
// Invariant: what is full is forgotten, so there are as many as are in use.

/** How much may be used in a second on average, and at once by an actor who has used nothing. */
export interface Quota {
  /** A number above 0; Infinity: no limit. */
  readonly perSecond: number;
  /** A number from 1 on. */
  readonly burst: number;
}

interface Store {
  left: number;
  /** Milliseconds of the clock. */
  at: number;
}

/** From so many on, full ones are looked for. */
const FIRST_SWEEP = 1_000;

export class Allowances {
  readonly #quota: Quota;
  readonly #now: () => number;
  readonly #stores = new Map<string, Store>();
  #sweepAt = FIRST_SWEEP;

  /** `now`: milliseconds of a clock that goes on evenly. */
  constructor(quota: Quota, now: () => number = () => performance.now()) {
    this.#quota = quota;
    this.#now = now;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#stores.size;
  }

  take(key: string, amount: number): void {
    if (this.#quota.perSecond === Infinity || amount === 0) return;
    const store = this.#refilled(key);
    store.left -= amount;
    if (this.#stores.size >= this.#sweepAt) this.#sweep();
    this.#stores.set(key, store);
  }

  /** What is not paid back yet. */
  used(key: string): number {
    return this.#stores.has(key) ? this.#quota.burst - this.#refilled(key).left : 0;
  }

  /** Whole seconds until something may be used again; 0: now. */
  wait(key: string): number {
    const { left } = this.#stores.has(key) ? this.#refilled(key) : { left: this.#quota.burst };
    return left > 0 ? 0 : Math.max(1, Math.ceil(-left / this.#quota.perSecond));
  }

  #refilled(key: string): Store {
    const { perSecond, burst } = this.#quota;
    const now = this.#now();
    const store = this.#stores.get(key);
    if (store === undefined) return { left: burst, at: now };
    store.left = Math.min(burst, store.left + ((now - store.at) / 1_000) * perSecond);
    store.at = now;
    return store;
  }

  #sweep(): void {
    for (const key of this.#stores.keys()) if (this.used(key) === 0) this.#stores.delete(key);
    this.#sweepAt = Math.max(FIRST_SWEEP, this.#stores.size * 2);
  }
}
