// The sync of a replica: its connection, pending operations and rejections.

import type { Readable, Sync } from "@opstate/core";
import { syncPerFrame } from "./per-frame.ts";
import type { IsEqual } from "./selection.ts";
import { useSlice } from "./slice.ts";

/**
 * Returns the sync of a replica, `{ status, version, pending, rejections }`, or the slice that
 * `selector` picks.
 *
 * @example
 * ```tsx
 * const waiting = useSync(replica, (sync) => sync.pending.length);
 * ```
 */
export function useSync(replica: { readonly sync: Readable<Sync> }): Sync;
export function useSync<Slice>(
  replica: { readonly sync: Readable<Sync> },
  selector: (sync: Sync) => Slice,
  isEqual?: IsEqual<Slice>,
): Slice;
export function useSync(
  replica: { readonly sync: Readable<Sync> },
  selector: (sync: Sync) => unknown = identity,
  isEqual?: IsEqual<unknown>,
): unknown {
  return useSlice(syncPerFrame(replica), selector, isEqual);
}

function identity(sync: Sync): unknown {
  return sync;
}
