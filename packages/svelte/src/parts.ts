// The parts of a state, each a reactive value of its own: readers of one do not run again for
// another.

import type { Readable } from "@opstate/core";
import type { Present } from "./present.ts";
import { type Selected, Selection } from "./selection.ts";

export class Parts<State extends object> {
  readonly #source: Readable<State> | Present<Readable<State>>;
  readonly #made = new Map<PropertyKey, Selected<unknown>>();

  constructor(source: Readable<State> | Present<Readable<State>>) {
    this.#source = source;
  }

  /** The part as it is now, for whoever reads it where Svelte may follow it. */
  read<Key extends keyof State>(key: Key): State[Key] {
    const part = this.#made.get(key) ?? new Selection(this.#source, (state) => state[key]);
    this.#made.set(key, part);
    // What a map has under a key is of that key's type: it is set here only.
    return part.current as State[Key];
  }
}
