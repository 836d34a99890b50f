// Memoised, reactive reading: one slice of a source, for whoever reads it in a template, a
// `$derived` or an `$effect`.
//
// Invariants: nothing is subscribed to before something reactive reads, nor after the last such
// reader is gone, nor on a server; readers run again only when the slice changed; a slice that is
// equal keeps its reference. Values are handed out as they are, never proxied.

import type { Readable } from "@opstate/core";
import { createSubscriber } from "svelte/reactivity";
import { getterOf, type Present } from "./present.ts";

export type IsEqual<Slice> = (a: Slice, b: Slice) => boolean;

/** What `select` gives: read `current` wherever Svelte may follow it. */
export interface Selected<Slice> {
  readonly current: Slice;
}

export class Selection<State, Slice> implements Selected<Slice> {
  readonly #source: () => Readable<State>;
  readonly #selector: (state: State) => Slice;
  readonly #isEqual: IsEqual<Slice>;
  /** One for each source that there was: those that nobody reads any more end by themselves. */
  readonly #readings = new WeakMap<Readable<State>, Reading<State, Slice>>();

  constructor(
    source: Readable<State> | Present<Readable<State>>,
    selector: (state: State) => Slice,
    isEqual: IsEqual<Slice> = Object.is,
  ) {
    this.#source = getterOf(source);
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
  readonly #follow: () => void;
  #last: { readonly state: State; readonly slice: Slice } | undefined;

  constructor(source: Readable<State>, selector: (state: State) => Slice, isEqual: IsEqual<Slice>) {
    this.#source = source;
    this.#selector = selector;
    this.#isEqual = isEqual;
    this.#follow = createSubscriber((update) => {
      let told = this.#read();
      return source.subscribe(() => {
        const slice = this.#read();
        if (Object.is(slice, told)) return;
        told = slice;
        update();
      });
    });
  }

  get current(): Slice {
    // In this order: a source may change while it is subscribed to, and a `$derived` does not hear
    // what happens while it is computed.
    this.#follow();
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
