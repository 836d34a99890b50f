// The sync of a thread: its connection, pending edits and refusals.

import type { IsEqual } from "@opstate/client/binding";
import type { Readable, Sync } from "@opstate/core";
import { identity, useSlice } from "./slice.ts";

/** A client's thread, or a replica. */
type SyncSource<S extends Sync> = Readable<unknown> & { readonly sync: Readable<S> };

/**
 * Returns the sync of a thread, `{ status, version, pending, rejections, actor }`, or the slice
 * that `selector` picks.
 *
 * @example
 * ```tsx
 * const waiting = useSync(thread, (sync) => sync.pending.length);
 * ```
 */
export function useSync<S extends Sync>(thread: SyncSource<S>): S;
export function useSync<S extends Sync, Slice>(
  thread: SyncSource<S>,
  selector: (sync: S) => Slice,
  isEqual?: IsEqual<Slice>,
): Slice;
export function useSync<S extends Sync>(
  thread: SyncSource<S>,
  selector: (sync: S) => unknown = identity,
  isEqual?: IsEqual<unknown>,
): unknown {
  return useSlice(thread, "sync", selector, isEqual);
}
