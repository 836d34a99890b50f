// One slice of a source in a component. A source has the shape of a zustand store, so zustand's
// `useStore` binds it: a synchronous first read, no tearing, the initial state on the server and
// while hydrating. This adds memoised slices, because a selector may return a new value each time,
// and the pace of frames.

import { createSelection, type IsEqual, type MomentSource, momentsOf } from "@opstate/client/binding";
import { useCallback, useState } from "react";
import { useStore } from "zustand/react";

export function useSlice<State, Sync, Part extends "state" | "sync", Slice>(
  source: MomentSource<State, Sync>,
  part: Part,
  selector: (value: { readonly state: State; readonly sync: Sync }[Part]) => Slice,
  isEqual: IsEqual<Slice> = Object.is,
): Slice {
  const [selection] = useState(() => createSelection<{ state: State; sync: Sync }[Part], Slice>());
  const select = useCallback(
    (moment: { readonly state: State; readonly sync: Sync }) => selection(moment[part], selector, isEqual),
    [selection, part, selector, isEqual],
  );
  return useStore(momentsOf(source).changesOf[part], select);
}

export function identity<Value>(value: Value): Value {
  return value;
}
