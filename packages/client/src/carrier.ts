// The port between the threads of a client and their authority. What carries them may be one HTTP
// stream, polling, another tab that leads, or threads in this process.
//
//   ClientThread ─ Replica ─ Transport ─┐
//   ClientThread ─ Replica ─ Transport ─┴─ Carrier ─ CarrierConnection
//
// Invariants:
// - Messages of one thread arrive in order. They may be lost or repeated, as those of a Transport.
// - A status of one thread says nothing of another: a thread that is not found ends alone.
// - A lost connection is reported to every thread. The carrier connects again by itself, with every
//   thread that is followed then.

import type { Actor } from "@opstate/core";
import type { Submission, TransportMessage, TransportStatus } from "@opstate/core/transport";

/** Where a thread continues: after `after`, or from a snapshot. */
export interface ThreadPosition {
  readonly after?: number | undefined;
  /** Versions of another incarnation mean nothing, so a snapshot comes then. */
  readonly incarnation?: string | undefined;
}

/** What one tab shows of a thread to the others. Its actor is that of the connection. */
export interface PresenceValue {
  /** JSON Pointer of what the person or agent works on. */
  readonly focus?: string;
  readonly typing?: boolean;
  readonly data?: unknown;
}

/** A participant. `session` distinguishes two tabs of one actor. */
export interface Participant extends PresenceValue {
  readonly session: string;
  readonly actor: Actor;
}

export type CarrierMessage =
  | TransportMessage
  /**
   * All participants. Replaces those of before. `session`: the one among them that this
   * listener shows itself under.
   */
  | {
      readonly type: "presence";
      readonly participants: readonly Participant[];
      readonly session?: string | undefined;
    };

/** What a carrier calls. */
export interface CarrierListener {
  onMessage(threadId: string, message: CarrierMessage): void;
  /**
   * The status of the connection for one thread. `online` only after its first message. A status
   * that waits for `retry` comes with its error.
   */
  onStatus(threadId: string, status: TransportStatus, error?: Error): void;
  /** The actor that the authority takes this connection for, with each new connection. */
  onActor(actor: Actor): void;
  /** The newest position of a followed thread, for a connection that begins again. */
  position(threadId: string): ThreadPosition;
}

export interface CarrierConnection {
  /** Follows a thread from its position. Following again begins again. */
  follow(threadId: string): void;
  unfollow(threadId: string): void;
  /**
   * Sends one submission. Its verdict comes as a message. A lost one is sent again by its replica.
   */
  send(threadId: string, submission: Submission): void;
  /**
   * What this tab shows of itself; undefined: nothing. It may be lost with a connection. `tab`: the
   * one of several on this connection that shows it.
   */
  show(threadId: string, value: PresenceValue | undefined, tab?: string): void;
  /** Tries again at once, for a thread that waits or a connection that is lost. */
  retry(threadId?: string): void;
  close(): void;
}

export interface Carrier {
  /** Connects nothing before the first thread is followed. */
  open(listener: CarrierListener): CarrierConnection;
}
