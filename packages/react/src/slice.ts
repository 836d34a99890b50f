// One slice of a source in a component: a synchronous first read, no tearing, the initial state on
// the server and while hydrating, memoised slices, because a selector may return a new value each
// time, and the pace of frames.
//
// Invariants:
// - React is notified only of a change of the slice that the component shows. So an edit renders no
//   component that it does not concern.
// - What a component shows is what was committed. A render that React throws away changes nothing.

import { createSelection, type IsEqual, type MomentSource, momentsOf } from "@opstate/client/binding";
import { useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

interface Shown<Value, Slice> {
  readonly selector: (value: Value) => Slice;
  readonly isEqual: IsEqual<Slice>;
  readonly slice: Slice;
}

export function useSlice<State, Sync, Part extends "state" | "sync", Slice>(
  source: MomentSource<State, Sync>,
  part: Part,
  selector: (value: { readonly state: State; readonly sync: Sync }[Part]) => Slice,
  isEqual: IsEqual<Slice> = Object.is,
): Slice {
  type Value = { state: State; sync: Sync }[Part];
  const moments = momentsOf(source);
  const [selection] = useState(() => createSelection<Value, Slice>());
  const shown = useRef<Shown<Value, Slice>>(undefined);
  const subscribe = useCallback(
    (onChange: () => void) =>
      moments.changesOf[part].subscribe((moment) => {
        if (shown.current === undefined || hasChanged(shown.current, moment[part])) onChange();
      }),
    [moments, part],
  );
  const slice = useSyncExternalStore(
    subscribe,
    () => selection(moments.getState()[part], selector, isEqual),
    () => selection(moments.getInitialState()[part], selector, isEqual),
  );
  // Before React subscribes, and before it compares again, since the value may have changed
  // meanwhile.
  useLayoutEffect(() => {
    shown.current = { selector, isEqual, slice };
  });
  return slice;
}

function hasChanged<Value, Slice>({ selector, isEqual, slice }: Shown<Value, Slice>, value: Value): boolean {
  try {
    return !isEqual(slice, selector(value));
  } catch {
    // What is selected is gone, and so may the component be with the next render.
    return true;
  }
}

export function identity<Value>(value: Value): Value {
  return value;
}
