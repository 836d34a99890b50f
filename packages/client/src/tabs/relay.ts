// The half of a tab that leads: one connection with all that the tabs follow, and what each of them
// gets.
//
// Invariants:
// - A thread is followed once for all tabs, from the position of the tab that is furthest behind.
// - A tab gets the messages of a thread from its welcome on, in order, without the versions that it
//   has. Its status is `online` after the first of them, and while the connection is.
// - A verdict goes to the tabs that sent the edit: two may have sent the same stored edit.
// - Other tabs get no message before the authority has said whom it takes the connection for.
//
// (Long because it is one state machine.)

import type { Actor } from "@opstate/core";
import type { Submission, TransportStatus } from "@opstate/core/transport";
import type { Carrier, CarrierConnection, CarrierMessage, PresenceValue } from "../carrier.ts";
import type { Beginning, Relayed, ToLeader } from "./messages.ts";
import { type Follow, furthestBehind, newThread, type RelayedThread, statusOf, takes } from "./relayed-thread.ts";

export interface RelayOptions {
  readonly carrier: Carrier;
  /** The tab that leads. */
  readonly tab: string;
  onActor(actor: Actor): void;
  /** `to`: the tabs, each with its turn. */
  relay(to: Readonly<Record<string, number>>, relayed: Relayed): void;
}

export class Relay {
  readonly #options: RelayOptions;
  readonly #connection: CarrierConnection;
  readonly #threads = new Map<string, RelayedThread>();
  readonly #joined = new Set<string>();
  #isConfirmed = false;
  #isClosed = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#connection = options.carrier.open({
      onMessage: (id, message) => this.#onMessage(id, message),
      onStatus: (id, status, error) => this.#onStatus(id, status, error),
      onActor: (actor) => {
        if (this.#isClosed) return;
        options.onActor(actor);
        this.#isConfirmed = true;
        // A new connection: what seemed to be the restart of a thread was the end of the last one.
        for (const [id, thread] of this.#threads) if (thread.isRestarting) this.#lose(id, thread);
      },
      position: (id) => furthestBehind([...(this.#threads.get(id)?.follows.values() ?? [])]),
    });
  }

  /** What a tab says to the one that leads. Nothing counts before it has joined. */
  receive(tab: string, message: ToLeader): void {
    if (this.#isClosed) return;
    if (message.type !== "join" && !this.#joined.has(tab)) return;
    switch (message.type) {
      case "join":
        this.#joined.add(tab);
        this.#forget(tab, (id) => Object.hasOwn(message.threads, id));
        for (const [id, beginning] of Object.entries(message.threads)) this.#begin(tab, id, beginning);
        for (const [id, value] of Object.entries(message.shown)) this.#show(tab, id, value);
        break;
      case "follow":
        this.#begin(tab, message.thread, message);
        break;
      case "unfollow":
        this.#unfollow(tab, message.thread);
        break;
      case "send":
        this.#send(tab, message.thread, message.submission);
        break;
      case "show":
        this.#show(tab, message.thread, message.value);
        break;
      case "retry":
        this.#connection.retry(message.thread);
        break;
      case "leave":
        this.forget(tab);
        break;
    }
  }

  /** A tab ended, or belongs to the group no more. */
  forget(tab: string): void {
    this.#joined.delete(tab);
    this.#forget(tab);
  }

  hasJoined(tab: string): boolean {
    return this.#joined.has(tab);
  }

  /** Every tab but the one that leads is forgotten: they have nothing in common any more. */
  forgetOthers(): void {
    for (const tab of [...this.#joined]) if (tab !== this.#options.tab) this.forget(tab);
  }

  close(): void {
    this.#isClosed = true;
    this.#threads.clear();
    this.#connection.close();
  }

  #begin(tab: string, id: string, { turn, position }: Beginning): void {
    const follow: Follow = {
      turn,
      after: position.after,
      incarnation: position.incarnation,
      isBegun: false,
      isFresh: true,
    };
    const thread = this.#threads.get(id);
    if (thread === undefined) {
      this.#threads.set(id, newThread(tab, follow));
      this.#sendStatus(id);
      this.#connection.follow(id);
      return;
    }
    const { status, welcome } = thread;
    const peers = [...thread.follows].filter(([each]) => each !== tab).map(([, each]) => each);
    thread.follows.set(tab, follow);
    const isCurrent =
      status === "online" &&
      follow.after !== undefined &&
      peers.some((each) => each.isBegun && each.after === follow.after && each.incarnation === follow.incarnation);
    if (isCurrent && welcome !== undefined) {
      follow.isBegun = true;
      follow.isFresh = false;
      this.#message([[tab, follow]], id, welcome);
      if (thread.presence !== undefined) this.#message([[tab, follow]], id, thread.presence);
      this.#sendStatus(id);
      return;
    }
    thread.isRestarting ||= status === "online";
    this.#sendStatus(id);
    this.#connection.follow(id);
  }

  #unfollow(tab: string, id: string): void {
    const thread = this.#threads.get(id);
    if (thread === undefined || !thread.follows.delete(tab)) return;
    if (thread.shown.has(tab)) this.#show(tab, id, undefined);
    if (thread.follows.size > 0) return;
    this.#threads.delete(id);
    this.#connection.unfollow(id);
  }

  #forget(tab: string, isKept: (id: string) => boolean = () => false): void {
    for (const id of [...this.#threads.keys()]) if (!isKept(id)) this.#unfollow(tab, id);
  }

  /**
   * While the connection is lost it is dropped: the next one may be another actor's, and the tab
   * sends it again when it is online.
   */
  #send(tab: string, id: string, submission: Submission): void {
    const thread = this.#threads.get(id);
    if (thread === undefined || !thread.follows.has(tab)) return;
    if (thread.status !== "online" && !thread.isRestarting) return;
    const waiting = thread.waiting.get(submission.id) ?? { submission, tabs: [] };
    waiting.tabs.push(tab);
    thread.waiting.set(submission.id, waiting);
    if (!thread.isRestarting) this.#connection.send(id, submission);
  }

  /** Each tab is a session of its own. */
  #show(tab: string, id: string, value: PresenceValue | undefined): void {
    const thread = this.#threads.get(id);
    if (thread === undefined) return;
    if (value === undefined) thread.shown.delete(tab);
    else thread.shown.add(tab);
    this.#connection.show(id, value, tab);
  }

  #onMessage(id: string, message: CarrierMessage): void {
    const thread = this.#threads.get(id);
    if (this.#isClosed || thread === undefined) return;
    if (message.type === "verdict") return this.#onVerdict(id, thread, message);
    // A tab that comes later gets them with its welcome.
    if (message.type === "rights") thread.welcome &&= { ...thread.welcome, readOnly: message.readOnly };
    if (message.type === "welcome") {
      const { readOnly = false } = message;
      // A tab that has begun gets no other welcome.
      if (readOnly !== (thread.welcome?.readOnly ?? false)) this.#onMessage(id, { type: "rights", readOnly });
      thread.welcome = message;
      // The connection stayed online while it began again.
      if (thread.status === "online") this.#endRestart(id, thread);
    }
    if (message.type === "presence") thread.presence = message;
    const to = [...thread.follows].filter(
      ([tab, follow]) => this.#mayHear(tab) && takes(follow, message, thread.welcome !== undefined),
    );
    this.#message(to, id, message);
    this.#sendStatus(id);
  }

  #onVerdict(id: string, thread: RelayedThread, message: CarrierMessage & { readonly type: "verdict" }): void {
    const { tabs = [] } = thread.waiting.get(message.id) ?? {};
    // A carrier may answer once what was sent twice.
    const senders = new Set(tabs);
    for (const tab of senders) tabs.splice(tabs.indexOf(tab), 1);
    if (tabs.length === 0) thread.waiting.delete(message.id);
    const to = [...thread.follows].filter(([tab]) => senders.has(tab));
    this.#message(to, id, message);
  }

  #onStatus(id: string, status: TransportStatus, error: Error | undefined): void {
    const thread = this.#threads.get(id);
    if (this.#isClosed || thread === undefined) return;
    thread.status = status;
    thread.error = error;
    const isLost = status !== "online" && !(thread.isRestarting && status === "connecting");
    if (isLost) return this.#lose(id, thread);
    if (status === "online") this.#endRestart(id, thread);
    this.#sendStatus(id);
  }

  /** A thread that begins again loses what was on its way. For the other tabs it stays online. */
  #endRestart(id: string, thread: RelayedThread): void {
    if (!thread.isRestarting) return;
    thread.isRestarting = false;
    for (const { submission } of [...thread.waiting.values()]) this.#connection.send(id, submission);
  }

  /** What was sent may be lost. The tabs send it again when they are online. */
  #lose(id: string, thread: RelayedThread): void {
    if (thread.status === "online") thread.status = "connecting";
    thread.isRestarting = false;
    thread.presence = undefined;
    thread.waiting.clear();
    for (const follow of thread.follows.values()) follow.isBegun = false;
    this.#sendStatus(id);
  }

  #sendStatus(id: string): void {
    const thread = this.#threads.get(id);
    if (thread === undefined) return;
    for (const [tab, follow] of [...thread.follows]) {
      const status = statusOf(thread, follow);
      if (follow.status === status || thread.follows.get(tab) !== follow) continue;
      follow.status = status;
      const error = status === thread.status && thread.error !== undefined ? { error: thread.error } : {};
      this.#options.relay({ [tab]: follow.turn }, { type: "status", thread: id, status, ...error });
    }
  }

  #message(to: readonly (readonly [string, Follow])[], thread: string, message: CarrierMessage): void {
    if (to.length === 0) return;
    const turns = Object.fromEntries(to.map(([tab, { turn }]) => [tab, turn]));
    this.#options.relay(turns, { type: "message", thread, message });
  }

  #mayHear(tab: string): boolean {
    return this.#isConfirmed || tab === this.#options.tab;
  }
}
