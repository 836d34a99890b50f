// One slice of a readable in a component. It is memoised, because a selector may return a new value
// each time.

import type { Readable } from "@opstate/core";
import { useCallback, useState } from "react";
import { useStore } from "zustand/react";
import { createSelection, type IsEqual } from "./selection.ts";

export function useSlice<State, Slice>(
  readable: Readable<State>,
  selector: (state: State) => Slice,
  isEqual: IsEqual<Slice> = Object.is,
): Slice {
  const [selection] = useState(() => createSelection<State, Slice>());
  const select = useCallback((state: State) => selection(state, selector, isEqual), [selection, selector, isEqual]);
  return useStore(readable, select);
}
