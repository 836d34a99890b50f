// What tabs say to each other over their channel. All of it is plain JSON.

import type { TransportStatus, Submission } from "@opstate/core/transport";
import type { CarrierMessage, PresenceValue, ThreadPosition } from "../carrier.ts";
import type { WireError } from "./wire-error.ts";

/**
 * A tab that leads. When it leads again later, its term is another one, so old messages are
 * recognised.
 */
export interface Leader {
  readonly tab: string;
  readonly term: string;
}

/** One beginning of a thread in a tab: where it continues, and its number in the tab. */
export interface Beginning {
  readonly turn: number;
  readonly position: ThreadPosition;
}

/** About who leads. `to`: for this tab alone. */
export type ElectionMessage =
  /** Who leads? */
  | { readonly type: "who" }
  /** This tab does. The others join it. */
  | { readonly type: "lead"; readonly term: string; readonly to?: string }
  /** Are you there? */
  | { readonly type: "ping"; readonly term: string; readonly to: string }
  | { readonly type: "alive"; readonly term: string; readonly to: string }
  /** This tab does not lead, or not any more. */
  | { readonly type: "ended"; readonly term: string };

/** From a tab to the one that leads. */
export type ToLeader = { readonly term: string } & (
  | {
      /** Everything that the tab follows. Replaces what it said before. */
      readonly type: "join";
      readonly threads: Readonly<Record<string, Beginning>>;
      readonly shown: Readonly<Record<string, PresenceValue>>;
    }
  | ({ readonly type: "follow"; readonly thread: string } & Beginning)
  | { readonly type: "unfollow"; readonly thread: string }
  | { readonly type: "send"; readonly thread: string; readonly submission: Submission }
  | { readonly type: "show"; readonly thread: string; readonly value?: PresenceValue | undefined }
  | { readonly type: "retry"; readonly thread?: string | undefined }
  | { readonly type: "leave" }
);

/** From the tab that leads. `to`: the tabs that it is for, each with its turn. */
export type FromLeader = { readonly term: string; readonly to: Readonly<Record<string, number>> } & (
  | { readonly type: "message"; readonly thread: string; readonly message: CarrierMessage }
  | {
      readonly type: "status";
      readonly thread: string;
      readonly status: TransportStatus;
      readonly error?: WireError | undefined;
    }
);

export type TabMessage = ElectionMessage | ToLeader | FromLeader;

/** `n` counts what a tab has posted, so that a message that is repeated or lost is noticed. */
export interface Envelope {
  readonly from: string;
  readonly n: number;
  readonly message: TabMessage;
}

/** What the leader relays to a tab of a thread. */
export type Relayed =
  | { readonly type: "message"; readonly thread: string; readonly message: CarrierMessage }
  | { readonly type: "status"; readonly thread: string; readonly status: TransportStatus; readonly error?: Error };
