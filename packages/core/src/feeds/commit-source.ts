// What the feeds listen to: a thread, a replica, or a participant's access.

import type { AnyOperation } from "../engine/operation.ts";
import type { Readable } from "../readable.ts";
import type { Commit } from "../thread/commit.ts";

export interface CommitSource<Operation = AnyOperation> {
  /** Returns the function that ends it. */
  onCommit(listener: (commit: Commit<Operation>) => void): () => void;
  /**
   * A replica's. Commits may be missed while a connection is lost, and a snapshot come instead:
   * here it shows.
   */
  readonly sync?: Readable<SyncView>;
}

/** The part of a replica's `sync` that the feeds look at. */
export interface SyncView {
  readonly status: string;
  readonly version: number;
  readonly pending: readonly { readonly id: string; readonly operation: unknown }[];
}

/**
 * Calls `onCameOnline` when the connection is there again, and `onVersion` when the confirmed
 * version is another one: a little later, so that the commits that led to it were told before. A
 * version lower than the one before is of another thread.
 */
export function watchStanding(
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
