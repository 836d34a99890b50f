// Notifies watchers of what other processes did: it looks at the heads of watched streams from time
// to time.
//
// Invariants:
// - Nothing is read while nothing is watched, and the timer keeps no process alive.
// - Those who begin to watch are notified of what changes after their first look.

import { Watchers } from "../store/watchers.ts";

export interface PolledHeadsOptions {
  /** Milliseconds between two looks; Infinity: no other process writes. */
  readonly interval: number;
  /** False: nothing was written since the last time. Left out, it is not known. */
  readonly hasMoved?: () => boolean;
  /** One text for each stream, another one when it has changed. */
  readonly heads: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export class PolledHeads {
  readonly #options: PolledHeadsOptions;
  readonly #watchers = new Watchers();
  #seen = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  /** A watch began, or a look failed. */
  #isBehind = false;

  constructor(options: PolledHeadsOptions) {
    this.#options = options;
  }

  watch(id: string, onChange: () => void): () => void {
    const end = this.#watchers.watch(id, onChange);
    const { interval } = this.#options;
    if (!this.#seen.has(id)) this.#isBehind = true;
    if (interval !== Infinity) this.#timer ??= setInterval(() => this.look(), interval).unref();
    return () => {
      end();
      if (this.#watchers.ids.length === 0) this.#stop();
    };
  }

  /** This process changed it, or another one that announced it. */
  changed(id: string): void {
    this.#watchers.changed(id);
  }

  /** The watched streams. */
  get ids(): readonly string[] {
    return this.#watchers.ids;
  }

  look(): void {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
  }

  async close(): Promise<void> {
    this.#stop();
    this.#watchers.end();
    await this.#looking;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#seen.clear();
  }

  async #look(): Promise<void> {
    const { hasMoved, heads } = this.#options;
    try {
      // Called in any case, since it remembers the last value.
      const isMoved = hasMoved?.() ?? true;
      if (!isMoved && !this.#isBehind) return;
      this.#isBehind = false;
      const found = await heads(this.#watchers.ids);
      // One that is new may have changed between its watcher's first read and this look.
      for (const [id, head] of found) if (this.#seen.get(id) !== head) this.#watchers.changed(id);
      this.#seen = new Map(found);
    } catch {
      this.#isBehind = true;
    }
  }
}
