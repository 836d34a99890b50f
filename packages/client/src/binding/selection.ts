// Memoised selection: the same state and selector return the same slice, and an equal slice keeps
// its reference. So a snapshot function may be called any number of times: its reference changes
// only with the slice.

export type IsEqual<Slice> = (a: Slice, b: Slice) => boolean;

/**
 * Creates a memoised selector. When a new selector returns an equal slice, the old reference stays
 * too.
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
