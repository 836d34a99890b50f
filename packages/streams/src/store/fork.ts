// Whether a stream can be made from its source, and whether one that is there is the one requested.
//
// Invariant: nothing here reads a clock, waits or stores.

import { essenceOf } from "./content-type.ts";
import type { StreamState } from "./state.ts";
import type { NewStream } from "./store.ts";

/** Whether a stream that is there is the one that is requested. */
export function isAsked(state: StreamState, stream: NewStream): boolean {
  const { source } = state;
  const requested = stream.source;
  if ((source === undefined) !== (requested === undefined)) return false;
  if (state.isClosed !== (stream.isClosed ?? false)) return false;
  const contentType = stream.contentType ?? (requested ? state.contentType : "application/octet-stream");
  if (essenceOf(contentType) !== essenceOf(state.contentType)) return false;
  // A fork without an expiry of its own has that of its source.
  const inherits = requested !== undefined && stream.ttl === undefined && stream.expiresAt === undefined;
  if (!inherits) {
    const expiresAt = state.ttl === undefined ? state.expiresAt : undefined;
    if (state.ttl !== stream.ttl || expiresAt !== stream.expiresAt) return false;
  }
  if (source === undefined || requested === undefined) return true;
  // Left out, the position was that of the tail at the time.
  const isPlace =
    requested.position === undefined || requested.position === (source.position ?? source.start - source.skip);
  return source.id === requested.id && source.skip === (requested.skip ?? 0) && isPlace;
}

/**
 * Where a fork of this source leaves it, or why it cannot. `appendEnd`: where the append that
 * covers a position ends.
 */
export function judgeFork(
  source: StreamState,
  stream: NewStream,
  appendEnd: number | undefined,
): { readonly start: number } | undefined {
  const { position = source.tail, skip = 0 } = stream.source ?? {};
  if (position > source.tail) return undefined;
  if (skip === 0) return { start: position };
  return appendEnd !== undefined && position + skip <= appendEnd ? { start: position + skip } : undefined;
}

/** Whether the source fits the type that a fork requests. */
export function fitsSource(source: StreamState, { contentType }: NewStream): boolean {
  return contentType === undefined || essenceOf(contentType) === essenceOf(source.contentType);
}
