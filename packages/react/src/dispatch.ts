// Writing: the dispatch of a replica or a thread, stable across renders.

import { useCallback } from "react";

/**
 * The `dispatch` of a source: the same function on every render, typed by the definition, safe to
 * pass down or to list as a dependency. Call it in event handlers and actions, not while rendering:
 * each call is one submission with its own id.
 *
 * @example
 * ```tsx
 * const dispatch = useDispatch(replica);
 * const verdict = await dispatch({ type: "rename", title: "Launch" });
 * if (!verdict.accepted) alert(verdict.rejection.message);
 * ```
 */
export function useDispatch<Dispatch extends (...arguments_: never[]) => unknown>(source: {
  readonly dispatch: Dispatch;
}): Dispatch {
  // The one assertion: TypeScript cannot see that forwarding the parameters of a function type
  // gives that function type.
  return useCallback((...arguments_: never[]) => source.dispatch(...arguments_), [source]) as Dispatch;
}
