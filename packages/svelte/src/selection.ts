// Memoised, reactive reading: one slice of a source in a template, a `$derived` or an `$effect`.
//
// Invariants:
// - There is a subscription only while something reactive reads, and none on a server.
// - Readers run again only when the slice changed. An equal slice keeps its reference.
// - Values are returned as they are, never proxied.

import type { Readable } from "@opstate/core";
import { createSubscriber } from "svelte/reactivity";
import { sourceGetter, type SourceRef } from "./source-ref.ts";

export type IsEqual<Slice> = (a: Slice, b: Slice) => boolean;

/** A selected slice. Reading `current` is reactive. */
export interface Selected<Slice> {
  readonly current: Slice;
}

export class Selection<State, Slice> implements Selected<Slice> {
  readonly #source: () => Readable<State>;
  readonly #selector: (state: State) => Slice;
  readonly #isEqual: IsEqual<Slice>;
  /** One per source. A reading without readers has no subscription. */
  readonly #readings = new WeakMap<Readable<State>, Reading<State, Slice>>();

  constructor(
    source: Readable<State> | SourceRef<Readable<State>>,
    selector: (state: State) => Slice,
    isEqual: IsEqual<Slice> = Object.is,
  ) {
    this.#source = sourceGetter(source);
    this.#selector = selector;
    this.#isEqual = isEqual;
  }

  get current(): Slice {
    const source = this.#source();
    const known = this.#readings.get(source);
    if (known !== undefined) return known.current;
    const reading = new Reading(source, this.#selector, this.#isEqual);
    this.#readings.set(source, reading);
    return reading.current;
  }
}

class Reading<State, Slice> {
  readonly #source: Readable<State>;
  readonly #selector: (state: State) => Slice;
  readonly #isEqual: IsEqual<Slice>;
  readonly #track: () => void;
  #last: { readonly state: State; readonly slice: Slice } | undefined;

  constructor(source: Readable<State>, selector: (state: State) => Slice, isEqual: IsEqual<Slice>) {
    this.#source = source;
    this.#selector = selector;
    this.#isEqual = isEqual;
    this.#track = createSubscriber((update) => {
      let shown = this.#read();
      return source.subscribe(() => {
        const slice = this.#read();
        if (Object.is(slice, shown)) return;
        shown = slice;
        update();
      });
    });
  }

  get current(): Slice {
    // In this order: a source may change while it is subscribed to, and a `$derived` misses updates
    // while it is computed.
    this.#track();
    return this.#read();
  }

  #read(): Slice {
    const state = this.#source.getState();
    const last = this.#last;
    if (last !== undefined && Object.is(last.state, state)) return last.slice;
    const next = this.#selector(state);
    const slice = last !== undefined && this.#isEqual(last.slice, next) ? last.slice : next;
    this.#last = { state, slice };
    return slice;
  }
}
