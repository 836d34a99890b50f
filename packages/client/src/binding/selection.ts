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
  // Written to in place: a thousand components select for each change.
  const last: { state?: State; selector?: (state: State) => Slice; slice?: Slice } = {};
  return (state, selector, isEqual) => {
    if (last.selector === selector && Object.is(last.state, state)) return last.slice as Slice;
    const next = selector(state);
    if (last.selector === undefined || !isEqual(last.slice as Slice, next)) last.slice = next;
    last.state = state;
    last.selector = selector;
    return last.slice as Slice;
  };
}
