// Whether an operation would be accepted now, to disable a control and to show the reason.

import { readOnlyRejection } from "@opstate/client/binding";
import type { Actor, AnyDefinition, OperationOf, Readable, Rejection, StateOf, Sync } from "@opstate/core";
import { useSlice } from "./slice.ts";

/** A client's thread knows its actor. */
type CanSource<D extends AnyDefinition> = Readable<StateOf<D>> & {
  readonly definition: D;
  readonly sync?: Readable<ConnectedSync>;
};

type ConnectedSync = Sync & { readonly actor?: Actor };

/**
 * Returns the rejection that `operation` would get in the current state. Returns undefined when it
 * would be accepted, or when there is no operation. Permissions are checked for `actor`, by default
 * the actor of a client's thread, who may have lost the right to write.
 *
 * @example
 * ```tsx
 * const refused = useCan(thread, { type: "clear", columnId });
 * <button disabled={refused !== undefined} title={refused?.message}>Clear</button>
 * ```
 */
export function useCan<D extends AnyDefinition>(
  source: CanSource<D>,
  operation: OperationOf<D> | undefined,
  actor?: Actor,
): Rejection | undefined {
  const { definition } = source;
  const connected = useSlice(source, "sync", (sync: ConnectedSync | undefined) => sync?.actor);
  const isReadOnly = useSlice(source, "sync", (sync: ConnectedSync | undefined) => sync?.isReadOnly);
  return useSlice(
    source,
    "state",
    (state) =>
      operation &&
      (readOnlyRejection(actor === undefined && isReadOnly, operation) ??
        definition.can(state, operation, actor ?? connected)),
    sameRejection,
  );
}

// A rejection is JSON of at most 2 KB. Its keys always have the same order.
function sameRejection(a: Rejection | undefined, b: Rejection | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
