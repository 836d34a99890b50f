// Writing: the dispatch of a thread, stable across renders.

import { useCallback } from "react";

/**
 * Returns the `dispatch` of a source: the same function on every render, typed by the definition.
 * It may be passed down and listed as a dependency. Call it in event handlers and actions, not
 * while rendering: each call is one submission with its own id.
 *
 * @example
 * ```tsx
 * const dispatch = useDispatch(thread);
 * const verdict = await dispatch({ type: "rename", title: "Launch" });
 * if (!verdict.accepted) alert(verdict.rejection.message);
 * ```
 */
export function useDispatch<Dispatch extends (...arguments_: never[]) => unknown>(source: {
  readonly dispatch: Dispatch;
}): Dispatch {
  // TypeScript does not infer that forwarding all parameters gives the same function type.
  return useCallback((...arguments_: never[]) => source.dispatch(...arguments_), [source]) as Dispatch;
}
