// Whether an operation would be accepted now, to disable a control and to show the reason.

import type { Actor, AnyDefinition, OperationOf, Readable, Rejection, StateOf } from "@opstate/core";
import { useAgentState } from "./agent-state.ts";

/**
 * Returns the rejection that `operation` would get in the current state. Returns undefined when it
 * would be accepted, or when there is no operation. Permissions are checked only with `actor`.
 *
 * @example
 * ```tsx
 * const refused = useCan(replica, { type: "clear", columnId });
 * <button disabled={refused !== undefined} title={refused?.message}>Clear</button>
 * ```
 */
export function useCan<D extends AnyDefinition>(
  source: Readable<StateOf<D>> & { readonly definition: D },
  operation: OperationOf<D> | undefined,
  actor?: Actor,
): Rejection | undefined {
  const { definition } = source;
  return useAgentState(
    source,
    (state) => (operation === undefined ? undefined : definition.can(state, operation, actor)),
    sameRejection,
  );
}

// A rejection is JSON of at most 2 KB. Its keys always have the same order.
function sameRejection(a: Rejection | undefined, b: Rejection | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b));
}
