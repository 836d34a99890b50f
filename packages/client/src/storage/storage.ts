// The port of what a client keeps over a reload: by server-confirmed actor and thread, the last
// snapshot and the pending edits.
//
// Invariants:
// - A snapshot may be dropped at any time. An edit is removed by the client alone, when it has the
//   authority's verdict, or when its person gave it up.
// - Several tabs share one store. An edit has its submission id as key, so saving it twice is one:
//   the newer value, at the earlier place.
// - Of two snapshots that differ in nothing but the version, the newer one stays.
// - A call is done as a whole, or rejects with a `StorageError` and changed nothing.
// - `clear` ends the session of an actor: what another tab of that session still does, such as a
//   save that is under way, rejects with `signed_out` and writes nothing.
//
// Tabs that are started with the same store all show its edits, and all send them. An edit has one
// id, so it has one effect, and each tab gets its verdict; the first one removes it.

import type { Actor } from "@opstate/core";
import type { Submission } from "@opstate/core/transport";

/** Which store: two addresses, or two actors, never share one. */
export interface StorageScope {
  readonly url: string;
  readonly actor: Actor;
  /** As `begin` gave it. Without one a call belongs to whatever session there is. */
  readonly session?: string | undefined;
}

export interface StoredSnapshot {
  readonly definition: string;
  readonly definitionVersion: number;
  readonly incarnation: string;
  readonly version: number;
  readonly state: unknown;
  readonly branch?: boolean;
}

export interface StoredEdit extends Submission {
  readonly at: string;
  readonly incarnation?: string;
  readonly definition: string;
  readonly definitionVersion: number;
}

export interface StoredThread {
  readonly snapshot?: StoredSnapshot;
  /** In the order in which they were saved, whichever tab saved them. */
  readonly edits: readonly StoredEdit[];
}

export interface ClientStorage {
  /** Whom this store was used with last; unconfirmed until the server says it again. */
  lastActor(url: string): Promise<Actor | undefined>;
  setLastActor(url: string, actor: Actor | undefined): Promise<void>;
  /** The session of this actor in this store, the same for all tabs; a new one after `clear`. */
  begin(scope: StorageScope): Promise<string>;
  load(scope: StorageScope, threadId: string): Promise<StoredThread>;
  /** The edits of all threads, by the thread's id, whichever tab saved them. */
  allEdits(scope: StorageScope): Promise<ReadonlyMap<string, readonly StoredEdit[]>>;
  /**
   * Replaces the snapshot, and in the same step removes the edits that are in it now: one that is
   * in both would show twice, one that is in neither would be gone from the view.
   */
  saveSnapshot(
    scope: StorageScope,
    threadId: string,
    snapshot: StoredSnapshot,
    decided?: readonly string[],
  ): Promise<void>;
  dropSnapshot(scope: StorageScope, threadId: string): Promise<void>;
  saveEdit(scope: StorageScope, threadId: string, edit: StoredEdit): Promise<void>;
  removeEdits(scope: StorageScope, threadId: string, ids: readonly string[]): Promise<void>;
  /**
   * Removes everything of one actor, also that it was the last one, and ends its session: after
   * signing out. A session that has ended has nothing to remove.
   */
  clear(scope: StorageScope): Promise<void>;
}
