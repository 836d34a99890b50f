// What the parts of a thread subscribe to: its commits, and its sync with the authority.

import type { AnyOperation, Commit, Readable } from "@opstate/core";

export interface CommitSource<Operation = AnyOperation> {
  /** Returns the function that unsubscribes. */
  onCommit(listener: (commit: Commit<Operation>) => void): () => void;
  /**
   * A replica's. It shows when commits were missed: the connection was lost, or a snapshot came
   * instead of them.
   */
  readonly sync?: Readable<SyncView>;
}

/** The part of a replica's `sync` that the feeds read. */
export interface SyncView {
  readonly status: string;
  readonly version: number;
  readonly pending: readonly { readonly id: string; readonly operation: unknown }[];
}

/**
 * Calls `onCameOnline` after a reconnection, and `onVersion` when the confirmed version changed,
 * one microtask later, so that listeners have the commits first. A lower version than before
 * belongs to another thread.
 */
export function watchSync(
  { sync }: { readonly sync?: Readable<SyncView> },
  {
    onCameOnline,
    onVersion,
  }: { readonly onCameOnline: () => void; readonly onVersion: (version: number, previous: number) => void },
): () => void {
  return (
    sync?.subscribe(({ status, version }, previous) => {
      if (status === "online" && previous.status !== "online") onCameOnline();
      if (version !== previous.version) void Promise.resolve().then(() => onVersion(version, previous.version));
    }) ?? (() => undefined)
  );
}
