// Memoised, reactive reading: one slice of a source in a template, a `$derived` or an `$effect`.
//
// Invariants:
// - There is a subscription only while something reactive reads, and none on a server.
// - Readers run again only when the slice changed, at most once for each frame. An equal slice
//   keeps its reference.
// - Code that reads without being run again, such as an event handler, gets the newest value.
// - Values are returned as they are, never proxied.

import { createSelection, type IsEqual, type Moment, type MomentSource, momentsOf } from "@opstate/client/binding";
import { createSubscriber } from "svelte/reactivity";

export type { IsEqual } from "@opstate/client/binding";

/** A selected slice. Reading `current` is reactive. */
export interface Selected<Slice> {
  readonly current: Slice;
}

type Part = "state" | "sync";

export class Selection<State, Sync, P extends Part, Slice> implements Selected<Slice> {
  readonly #source: () => MomentSource<State, Sync>;
  readonly #create: (source: MomentSource<State, Sync>) => () => Slice;
  /** One per source. A reading without readers has no subscription. */
  readonly #readings = new WeakMap<object, () => Slice>();

  constructor(
    source: () => MomentSource<State, Sync>,
    part: P,
    selector: (value: Moment<State, Sync>[P]) => Slice,
    isEqual: IsEqual<Slice> = Object.is,
  ) {
    this.#source = source;
    this.#create = (of) => readingOf(of, part, selector, isEqual);
  }

  get current(): Slice {
    const source = this.#source();
    const read = this.#readings.get(source) ?? this.#create(source);
    this.#readings.set(source, read);
    return read();
  }
}

function readingOf<State, Sync, P extends Part, Slice>(
  source: MomentSource<State, Sync>,
  part: P,
  selector: (value: Moment<State, Sync>[P]) => Slice,
  isEqual: IsEqual<Slice>,
): () => Slice {
  const moments = momentsOf(source);
  const selection = createSelection<Moment<State, Sync>[P], Slice>();
  const select = (moment: Moment<State, Sync>) => selection(moment[part], selector, isEqual);
  const track = createSubscriber((update) => {
    let shown = select(moments.getState());
    return moments.changesOf[part].subscribe((moment) => {
      const slice = select(moment);
      if (Object.is(slice, shown)) return;
      shown = slice;
      update();
    });
  });
  return () => {
    // In this order: a source may change while it is subscribed to, and a `$derived` misses updates
    // while it is computed.
    track();
    return select(isTracked() ? moments.getState() : moments.now());
  };
}

function isTracked(): boolean {
  return typeof window !== "undefined" && $effect.tracking();
}
