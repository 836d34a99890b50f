// The members of a state as separate reactive values: readers of one do not run again for another.

import type { Readable } from "@opstate/core";
import { type Selected, Selection } from "./selection.svelte.ts";

export class Parts<State extends object> {
  readonly #source: () => Readable<State>;
  readonly #made = new Map<PropertyKey, Selected<unknown>>();

  constructor(source: () => Readable<State>) {
    this.#source = source;
  }

  /** The current value of a member. Reading it is reactive. */
  read<Key extends keyof State>(key: Key): State[Key] {
    const part = this.#made.get(key) ?? new Selection(this.#source, "state", (state) => state[key]);
    this.#made.set(key, part);
    // The value under a key has the type of that member: only this method sets it.
    return part.current as State[Key];
  }
}
