// The half of every tab: the threads that it follows, carried by the tab that leads, which may be
// itself.
//
// Invariants:
// - Only messages of the current leader, about the current beginning of a thread, are passed on.
// - A change of leaders is a lost connection: the status leaves `online`, so the replicas send
//   again what has no verdict.

import { waitsForRetry, type Submission, type TransportStatus } from "@opstate/core/transport";
import type { CarrierConnection, CarrierListener, CarrierMessage, PresenceValue } from "../carrier.ts";
import type { Beginning, Leader, Relayed, ToLeader } from "./messages.ts";

interface Followed {
  readonly turn: number;
  /** As the listener knows it. */
  status?: TransportStatus;
  /** Online, which the listener does not know yet. */
  isHeldBack?: boolean;
}

export interface FollowerOptions {
  readonly tab: string;
  readonly listener: CarrierListener;
  toLeader(leader: Leader, message: ToLeader): void;
  /** The first thread is followed. */
  onStart(): void;
  onClose(): void;
}

export class Follower implements CarrierConnection {
  readonly #options: FollowerOptions;
  readonly #threads = new Map<string, Followed>();
  readonly #shown = new Map<string, PresenceValue>();
  #leader: Leader | undefined;
  #turns = 0;
  /** Until it is decided who leads, a tab that is about to join another one is not online. */
  #isDecided = false;
  #isClosed = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  follow(id: string): void {
    if (this.#isClosed) return;
    const beginning = this.#begin(id);
    if (this.#leader === undefined) {
      this.#options.onStart();
      // The tab that led has ended, and no other one leads yet.
      if (this.#leader === undefined) this.#setStatus(id, "offline");
    } else this.#say({ type: "follow", thread: id, ...beginning });
  }

  unfollow(id: string): void {
    this.#shown.delete(id);
    if (this.#threads.delete(id)) this.#say({ type: "unfollow", thread: id });
  }

  /** Without a leader it is dropped: the replica sends it again when the thread is online. */
  send(id: string, submission: Submission): void {
    if (this.#threads.has(id)) this.#say({ type: "send", thread: id, submission });
  }

  show(id: string, value: PresenceValue | undefined): void {
    if (!this.#threads.has(id)) return;
    if (value === undefined) this.#shown.delete(id);
    else this.#shown.set(id, value);
    this.#say({ type: "show", thread: id, value });
  }

  retry(id?: string): void {
    this.#say({ type: "retry", thread: id });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#say({ type: "leave" });
    this.#threads.clear();
    this.#options.onClose();
  }

  /** This leader carries the threads from now on: each begins again at its position. */
  join(leader: Leader): void {
    if (this.#isClosed) return;
    this.#leader = leader;
    const threads: [string, Beginning][] = [];
    for (const [id, { status }] of [...this.#threads]) {
      if (status === "online") this.#setStatus(id, "offline");
      const followed = this.#threads.get(id);
      if (followed !== undefined) threads.push([id, this.#begin(id, followed.status)]);
    }
    // A listener may have closed the connection when it was notified.
    if (this.#leader === leader)
      this.#say({ type: "join", threads: Object.fromEntries(threads), shown: Object.fromEntries(this.#shown) });
  }

  /** No tab carries the threads. */
  part(): void {
    this.#leader = undefined;
    for (const [id, followed] of [...this.#threads])
      if (followed.status === undefined || !waitsForRetry(followed.status)) this.#setStatus(id, "offline");
  }

  /** It is decided who leads: what was held back is passed on. */
  onDecided(): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    for (const [id, followed] of [...this.#threads]) if (followed.isHeldBack) this.#setStatus(id, "online");
  }

  /** What the leader of this term relays to this tab, at this turn of the thread. */
  receive(term: string, turn: number, relayed: Relayed): void {
    const followed = this.#threads.get(relayed.thread);
    if (this.#isClosed || this.#leader?.term !== term || followed?.turn !== turn) return;
    if (relayed.type === "message") this.#options.listener.onMessage(relayed.thread, this.#asOwn(relayed.message));
    else this.#setStatus(relayed.thread, relayed.status, relayed.error);
  }

  /** What this tab shows is shown under its own name (relay.ts). */
  #asOwn(message: CarrierMessage): CarrierMessage {
    if (message.type !== "presence" || message.session === undefined) return message;
    return { ...message, session: `${message.session}.${this.#options.tab}` };
  }

  #begin(id: string, status?: TransportStatus): Beginning {
    const turn = (this.#turns += 1);
    this.#threads.set(id, status === undefined ? { turn } : { turn, status });
    return { turn, position: this.#options.listener.position(id) };
  }

  #setStatus(id: string, status: TransportStatus, error?: Error): void {
    const followed = this.#threads.get(id);
    if (followed === undefined) return;
    followed.isHeldBack = status === "online" && !this.#isDecided;
    const shown = followed.isHeldBack ? "connecting" : status;
    if (followed.status === shown && error === undefined) return;
    followed.status = shown;
    this.#options.listener.onStatus(id, shown, error);
  }

  #say(message: WithoutTerm<ToLeader>): void {
    if (this.#leader !== undefined) this.#options.toLeader(this.#leader, { ...message, term: this.#leader.term });
  }
}

type WithoutTerm<M> = M extends unknown ? Omit<M, "term"> : never;
