// The types of a replica: the state in a UI, ahead of its authority by the pending operations.

import type { AnyDefinition, StateOf, UpdateOf, AcceptedOperationOf } from "../definition/definition.ts";
import type { Actor } from "../engine/actor.ts";
import type { Readable } from "../readable.ts";
import type { Commit, Refusal, Snapshot, Submission, Verdict } from "../thread/commit.ts";
import type { TransportStatus } from "./transport.ts";

/** A pending submission as a UI may show it. */
export interface PendingOperation extends Submission {
  readonly status: "queued" | "sent";
  /** When it was dispatched, ISO 8601 in UTC. The commit has the time of the authority. */
  readonly at: string;
  /** What it does, in the words of its operation's `describe`; as those of its commit. */
  readonly sentence?: string;
  /**
   * The actor is not known yet: the ids of what it creates change when the authority says who is
   * connected.
   */
  readonly provisional?: true;
  /** The thread that `basedOn` is a version of, apart from others of its name. */
  readonly incarnation?: string;
}

/**
 * The status of a replica. `version` is the last confirmed one; `rejections` are the newest
 * refusals of its own operations, oldest first.
 */
export interface Sync {
  /**
   * `closed`: by `close`. While it is `unauthenticated`, `forbidden` or `not_found`, only a
   * dispatch tries again.
   */
  readonly status: TransportStatus | "closed";
  /** The reason of a status that stays until a retry. */
  readonly error?: Error;
  /**
   * Whether there is a confirmed state. Until then, the state is the definition's initial one, with
   * the pending operations that it accepts.
   */
  readonly ready: boolean;
  readonly version: number;
  /**
   * The actor may read and not write, as the authority said last. Edits are refused here with the
   * code `forbidden`; those that are pending already are sent, and the authority refuses them.
   */
  readonly isReadOnly?: boolean;
  readonly pending: readonly PendingOperation[];
  readonly rejections: readonly {
    readonly id: string;
    readonly operation: unknown;
    readonly verdict: Verdict & { readonly accepted: false };
  }[];
}

/**
 * A confirmed state to begin with. With the thread's `incarnation`, the replica notices that the
 * thread was deleted and created again. `actor` and `parent` are as the server gives them: whom it
 * takes the request for, and that the thread is a branch.
 */
export type ReplicaSnapshot<State = unknown> = Snapshot<State> & {
  readonly incarnation?: string;
  readonly actor?: Actor;
  readonly parent?: object;
};

/**
 * A pending submission of an earlier replica, as `sync` shows it. Without `at`, a thread that keeps
 * receipts for a time knows by `basedOn` alone whether it may have been done already.
 */
export type StoredSubmission = Submission & { readonly at?: string; readonly incarnation?: string };

/** What an earlier replica left, such as before a reload. */
export interface Restored<State = unknown> {
  readonly snapshot?: ReplicaSnapshot<State> | undefined;
  readonly pending?: readonly StoredSubmission[];
  /** The actor that submitted then. It counts until the authority names the present one. */
  readonly actor?: Actor | undefined;
}

/**
 * The optimistic side of a thread. `getState` is the confirmed state with the pending operations
 * applied.
 */
export interface Replica<D extends AnyDefinition = AnyDefinition> extends Readable<StateOf<D>> {
  readonly definition: D;
  readonly sync: Readable<Sync>;
  /**
   * Applies an update at once, sends it, and resolves with the authority's verdict. An operation
   * that is refused locally is not sent, and its verdict is immediate.
   */
  dispatch(
    update: UpdateOf<D>,
    options?: { readonly id?: string; readonly expectedVersion?: number },
  ): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * `dispatch` for JSON from outside, such as a message of another window. Any value is accepted,
   * and what is no update of the definition is refused with an explanation.
   */
  submit(
    update: unknown,
    options?: { readonly id?: string; readonly expectedVersion?: number },
  ): Promise<Verdict<AcceptedOperationOf<D>>>;
  /**
   * Resolves with the first confirmed state. Rejects with `sync.error` when the authority does not
   * give one, and with an `OpstateError` (`closed`) when the replica is closed before.
   */
  ready(): Promise<void>;
  /**
   * The last confirmed state, to be stored: `createReplica` and `restore` take it. Undefined before
   * there is one.
   */
  snapshot(): ReplicaSnapshot<StateOf<D>> | undefined;
  /**
   * Takes what was stored, when it comes after the replica was created: an older state than the one
   * that is there is left out, and the pending submissions come before those that were made since.
   * They may have been sent, so they are sent again, and only the authority refuses them.
   *
   * When the authority then takes this replica for another actor, nothing of it is sent, and a
   * state that came from here is gone. Returns false, and takes nothing, when another actor than
   * the stored one submits here already, or the replica is closed.
   */
  restore(stored: Restored<StateOf<D>>): boolean;
  onCommit(listener: (commit: Commit<AcceptedOperationOf<D>>) => void): () => void;
  onRejection(listener: (refusal: Refusal) => void): () => void;
  close(): void;
}
