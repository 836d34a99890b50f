// The port between a replica and its authority. Everything in it may be lost, repeated or late; `transportContract` says what an implementation keeps.

import type { Actor } from "../engine/actor.ts";
import type { Commit, Refusal, Snapshot, Submission, Verdict } from "../thread/commit.ts";

/** What comes from the authority. Commits are contiguous within one message; a replica asks again when there is a gap. */
export type TransportMessage =
  /** Optional: who the authority takes this replica for. Then its own commits are told apart exactly, and permissions are checked before anything is sent. */
  | { readonly type: "welcome"; readonly actor: Actor }
  | { readonly type: "snapshot"; readonly snapshot: Snapshot }
  | { readonly type: "commits"; readonly commits: readonly Commit[] }
  | { readonly type: "refusal"; readonly refusal: Refusal }
  | { readonly type: "verdict"; readonly id: string; readonly verdict: Verdict };

export type TransportStatus = "connecting" | "online" | "offline";

export interface TransportConnection {
  /** Sends one submission; its verdict comes as a message. It may be lost: the replica sends again with the same id. */
  send(submission: Submission): void;
  close(): void;
}

export interface Transport {
  /** Opens one stream of messages from after version `after` (undefined: begin with a snapshot). It reconnects by itself and says so by `onStatus`. */
  connect(options: {
    readonly after: number | undefined;
    readonly onMessage: (message: TransportMessage) => void;
    readonly onStatus: (status: TransportStatus) => void;
  }): TransportConnection;
}
