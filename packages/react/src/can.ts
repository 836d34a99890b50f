// Asking first: would this operation be taken now? For disabling a control with the reason beside
// it.

import type { Actor, AnyDefinition, OperationOf, Readable, Rejection, StateOf } from "@opstate/core";
import { useAgentState } from "./agent-state.ts";

/**
 * The rejection that `operation` would get in the state at hand, or undefined when it would be
 * taken (or when there is no operation to ask about). Without `actor` no permission is asked: a
 * replica does not know who its authority takes it for.
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

// A rejection is plain JSON of at most 2 KB, built anew each time in the same order of keys.
function sameRejection(a: Rejection | undefined, b: Rejection | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b));
}
