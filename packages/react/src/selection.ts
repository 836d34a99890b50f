// Memoised selection: the same state and selector give the same slice, and an equal slice keeps its
// reference.
//
// It is what a snapshot function must be: called at any time, any number of times, it gives one
// reference until something changed.

export type IsEqual<Slice> = (a: Slice, b: Slice) => boolean;

/**
 * A memo of one selection. A new selector may give an equal slice: then too the old reference
 * stays.
 */
export function createSelection<State, Slice>(): (
  state: State,
  selector: (state: State) => Slice,
  isEqual: IsEqual<Slice>,
) => Slice {
  let last: { readonly state: State; readonly selector: (state: State) => Slice; readonly slice: Slice } | undefined;
  return (state, selector, isEqual) => {
    if (last && last.selector === selector && Object.is(last.state, state)) return last.slice;
    const next = selector(state);
    const slice = last && isEqual(last.slice, next) ? last.slice : next;
    last = { state, selector, slice };
    return slice;
  };
}
