// The port between a replica and its authority. Messages may be lost, repeated or late.
// `transportContract` tests what an implementation must keep.

import type { Actor } from "../engine/actor.ts";
import type { Commit, Refusal, Snapshot, Submission, Verdict } from "../thread/commit.ts";

/**
 * A message from the authority. Commits are contiguous within one message. A replica connects again
 * when there is a gap.
 */
export type TransportMessage =
  /**
   * Optional; the first message of a connection, neither lost nor late. `actor` is the actor that
   * the authority has for this replica: it identifies the replica's own commits, the ids of what
   * its operations create are made from it, and permissions are checked before anything is sent.
   * `incarnation` is the thread's. When it changes, the replica connects again from a snapshot,
   * because the versions of two incarnations are unrelated. `branch`: the thread is a branch, so
   * ids are made from its incarnation too. `readOnly`: the actor may read the thread and not write.
   */
  | {
      readonly type: "welcome";
      readonly actor: Actor;
      readonly incarnation?: string;
      readonly branch?: boolean;
      readonly readOnly?: boolean;
    }
  /** The actor's right to write has changed since the welcome. */
  | { readonly type: "rights"; readonly readOnly: boolean }
  | { readonly type: "snapshot"; readonly snapshot: Snapshot }
  | { readonly type: "commits"; readonly commits: readonly Commit[] }
  | { readonly type: "refusal"; readonly refusal: Refusal }
  | { readonly type: "verdict"; readonly id: string; readonly verdict: Verdict };

/**
 * While `offline`, the transport keeps trying. With the last three it waits for `retry`: the
 * authority wants credentials (`unauthenticated`), does not admit this actor (`forbidden`), or has
 * no such thread (`not_found`).
 */
export type TransportStatus = "connecting" | "online" | "offline" | "unauthenticated" | "forbidden" | "not_found";

/** Whether a transport with this status waits for `retry`. */
export function waitsForRetry(status: string): boolean {
  return status === "unauthenticated" || status === "forbidden" || status === "not_found";
}

export interface TransportConnection {
  /**
   * Sends one submission. Its verdict comes as a message. A submission may be lost: the replica
   * sends it again under the same id.
   */
  send(submission: Submission): void;
  /**
   * Called when an operation is dispatched without a connection: a transport that waits tries
   * again.
   */
  retry?(): void;
  close(): void;
}

export interface Transport {
  /**
   * Transports whose keys are equal, member by member, lead to the same thread in the same way: a
   * page keeps one replica for them. Without a key, each transport object has a replica of its own.
   */
  readonly key?: readonly unknown[];
  /**
   * Opens one stream of messages that follow version `after`; undefined begins with a snapshot. The
   * stream reconnects by itself and reports by `onStatus`. A status that waits for `retry` comes
   * with its error.
   */
  connect(options: {
    readonly after: number | undefined;
    readonly onMessage: (message: TransportMessage) => void;
    readonly onStatus: (status: TransportStatus, error?: Error) => void;
  }): TransportConnection;
}
