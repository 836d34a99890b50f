// The port between a replica and its authority. Everything in it may be lost, repeated or late;
// `transportContract` says what an implementation keeps.

import type { Actor } from "../engine/actor.ts";
import type { Commit, Refusal, Snapshot, Submission, Verdict } from "../thread/commit.ts";

/**
 * What comes from the authority. Commits are contiguous within one message; a replica asks again
 * when there is a gap.
 */
export type TransportMessage =
  /**
   * Optional, the first word of a connection, neither lost nor late: who the authority takes this
   * replica for (then its own commits are told apart exactly, and permissions are checked before
   * anything is sent), and which thread it has (`incarnation` of the thread). When that is another
   * one than before, the replica connects again, from a snapshot: versions of the two have nothing
   * in common.
   */
  | { readonly type: "welcome"; readonly actor: Actor; readonly incarnation?: string }
  | { readonly type: "snapshot"; readonly snapshot: Snapshot }
  | { readonly type: "commits"; readonly commits: readonly Commit[] }
  | { readonly type: "refusal"; readonly refusal: Refusal }
  | { readonly type: "verdict"; readonly id: string; readonly verdict: Verdict };

/**
 * `offline` heals by itself: the transport goes on trying. The last three do not: the authority
 * asks who this is, lets this actor not in, or has no such thread. Such a transport waits for
 * `retry`.
 */
export type TransportStatus = "connecting" | "online" | "offline" | "unauthenticated" | "forbidden" | "not_found";

/** Whether a status does not heal by itself. */
export function waitsForRetry(status: string): boolean {
  return status === "unauthenticated" || status === "forbidden" || status === "not_found";
}

export interface TransportConnection {
  /**
   * Sends one submission; its verdict comes as a message. It may be lost: the replica sends again
   * with the same id.
   */
  send(submission: Submission): void;
  /**
   * Somebody dispatched while there was no connection: a good time to try again, for those that do
   * not do so by themselves.
   */
  retry?(): void;
  close(): void;
}

export interface Transport {
  /**
   * Transports with equal keys, member by member, lead to the same thread in the same way: a page
   * keeps one replica for them. Without a key each transport object is another one.
   */
  readonly key?: readonly unknown[];
  /**
   * Opens one stream of messages from after version `after` (undefined: begin with a snapshot). It
   * reconnects by itself and says so by `onStatus`; with a status that does not heal comes the
   * error that says why.
   */
  connect(options: {
    readonly after: number | undefined;
    readonly onMessage: (message: TransportMessage) => void;
    readonly onStatus: (status: TransportStatus, error?: Error) => void;
  }): TransportConnection;
}
