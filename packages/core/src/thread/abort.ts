// How a caller says that a result is not wanted any more. The shape is that of the platforms'
// AbortSignal.

export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** Throws the reason of a signal that is aborted. */
export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal?.aborted === true) throw signal.reason;
}
