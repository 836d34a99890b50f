// The half of a tab that leads: one connection with all that the tabs follow, and what each of them
// is told.
//
// Invariants:
// - A thread is followed once for all tabs, from the position of the tab that is furthest behind.
// - A tab gets the messages of a thread from its welcome on, in order, and each but once if it can
//   be seen. It is told that it is online after the first of them, and while the connection is.
// - A verdict goes to the tab that asked, in the order of asking.
// - Other tabs get no message before the authority has said whom it takes the connection for.

import type { Actor } from "@opstate/core";
import type { Submission, TransportStatus } from "@opstate/core/transport";
import type { Carrier, CarrierConnection, CarrierMessage, PresenceValue, ThreadPosition } from "../carrier.ts";
import type { Beginning, ToLeader } from "./messages.ts";

/** A thread as one tab follows it. */
interface Follow {
  readonly turn: number;
  after: number | undefined;
  incarnation: string | undefined;
  /** Whether its welcome has come. */
  isBegun: boolean;
  /** The status that the tab was told. */
  told?: TransportStatus;
}

/** A thread as the connection has it. */
interface Thread {
  readonly follows: Map<string, Follow>;
  /** The tabs that show something of themselves. */
  readonly shown: Set<string>;
  /** What has no verdict, by its id, with the tabs that sent it. */
  readonly waiting: Map<string, { readonly submission: Submission; readonly tabs: string[] }>;
  status: TransportStatus;
  error: Error | undefined;
  welcome?: CarrierMessage;
  presence?: CarrierMessage | undefined;
  /** It is followed again for a tab that came later. For the others it stays online. */
  isRestarting: boolean;
}

export type Told =
  | { readonly type: "message"; readonly thread: string; readonly message: CarrierMessage }
  | { readonly type: "status"; readonly thread: string; readonly status: TransportStatus; readonly error?: Error };

export interface RelayOptions {
  readonly carrier: Carrier;
  /** The tab that leads. */
  readonly tab: string;
  onActor(actor: Actor): void;
  /** `to`: the tabs, each with its turn. */
  tell(to: Readonly<Record<string, number>>, told: Told): void;
}

export class Relay {
  readonly #options: RelayOptions;
  readonly #connection: CarrierConnection;
  readonly #threads = new Map<string, Thread>();
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
      position: (id) => this.#position(id),
    });
  }

  /** What a tab says to the one that leads. Nothing counts before it has joined. */
  receive(tab: string, message: ToLeader): void {
    if (this.#isClosed) return;
    if (message.type !== "join" && !this.#joined.has(tab)) return;
    switch (message.type) {
      case "join":
        this.#joined.add(tab);
        this.#forget(tab, (id) => id in message.threads);
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
    const follow: Follow = { turn, after: position.after, incarnation: position.incarnation, isBegun: false };
    const thread = this.#threads.get(id);
    if (thread === undefined) {
      this.#threads.set(id, newThread(tab, follow));
      this.#tellStatus(id);
      this.#connection.follow(id);
      return;
    }
    const peers = [...thread.follows].filter(([each]) => each !== tab).map(([, each]) => each);
    thread.follows.set(tab, follow);
    const isCurrent =
      thread.status === "online" &&
      thread.welcome !== undefined &&
      follow.after !== undefined &&
      peers.some((each) => each.isBegun && each.after === follow.after && each.incarnation === follow.incarnation);
    if (isCurrent && thread.welcome !== undefined) {
      follow.isBegun = true;
      this.#message([[tab, follow]], id, thread.welcome);
      if (thread.presence !== undefined) this.#message([[tab, follow]], id, thread.presence);
      this.#tellStatus(id);
      return;
    }
    thread.isRestarting ||= thread.status === "online";
    this.#tellStatus(id);
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
   * While the connection is lost it is dropped: the next one may be somebody else's, and the tab
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

  /** Where the connection begins again: at what the tab that is furthest behind has. */
  #position(id: string): ThreadPosition {
    const follows = [...(this.#threads.get(id)?.follows.values() ?? [])];
    const [first] = follows;
    if (first === undefined) return {};
    let { after } = first;
    for (const follow of follows) {
      if (after === undefined || follow.after === undefined || follow.incarnation !== first.incarnation) return {};
      after = Math.min(after, follow.after);
    }
    return after === undefined ? {} : { after, incarnation: first.incarnation };
  }

  #onMessage(id: string, message: CarrierMessage): void {
    const thread = this.#threads.get(id);
    if (this.#isClosed || thread === undefined) return;
    if (message.type === "verdict") return this.#onVerdict(id, thread, message);
    if (message.type === "welcome") {
      thread.welcome = message;
      // The connection stayed online while it began again.
      if (thread.status === "online") this.#endRestart(id, thread);
    }
    if (message.type === "presence") thread.presence = message;
    const to = [...thread.follows].filter(
      ([tab, follow]) => this.#mayHear(tab) && takes(follow, message, thread.welcome !== undefined),
    );
    this.#message(to, id, message);
    this.#tellStatus(id);
  }

  #onVerdict(id: string, thread: Thread, message: CarrierMessage & { readonly type: "verdict" }): void {
    const waiting = thread.waiting.get(message.id);
    const tab = waiting?.tabs.shift();
    if (waiting?.tabs.length === 0) thread.waiting.delete(message.id);
    const follow = tab === undefined ? undefined : thread.follows.get(tab);
    if (tab !== undefined && follow !== undefined) this.#message([[tab, follow]], id, message);
  }

  #onStatus(id: string, status: TransportStatus, error: Error | undefined): void {
    const thread = this.#threads.get(id);
    if (this.#isClosed || thread === undefined) return;
    thread.status = status;
    thread.error = error;
    const isLost = status !== "online" && !(thread.isRestarting && status === "connecting");
    if (isLost) return this.#lose(id, thread);
    if (status === "online") this.#endRestart(id, thread);
    this.#tellStatus(id);
  }

  /** A thread that begins again loses what was on its way. For the other tabs it stays online. */
  #endRestart(id: string, thread: Thread): void {
    if (!thread.isRestarting) return;
    thread.isRestarting = false;
    for (const { submission } of [...thread.waiting.values()]) this.#connection.send(id, submission);
  }

  /** What was sent may be lost. The tabs send it again when they are online. */
  #lose(id: string, thread: Thread): void {
    if (thread.status === "online") thread.status = "connecting";
    thread.isRestarting = false;
    thread.presence = undefined;
    thread.waiting.clear();
    for (const follow of thread.follows.values()) follow.isBegun = false;
    this.#tellStatus(id);
  }

  #tellStatus(id: string): void {
    const thread = this.#threads.get(id);
    if (thread === undefined) return;
    for (const [tab, follow] of [...thread.follows]) {
      const status = statusOf(thread, follow);
      if (follow.told === status || thread.follows.get(tab) !== follow) continue;
      follow.told = status;
      const error = status === thread.status && thread.error !== undefined ? { error: thread.error } : {};
      this.#options.tell({ [tab]: follow.turn }, { type: "status", thread: id, status, ...error });
    }
  }

  #message(to: readonly (readonly [string, Follow])[], thread: string, message: CarrierMessage): void {
    if (to.length === 0) return;
    const turns = Object.fromEntries(to.map(([tab, { turn }]) => [tab, turn]));
    this.#options.tell(turns, { type: "message", thread, message });
  }

  #mayHear(tab: string): boolean {
    return this.#isConfirmed || tab === this.#options.tab;
  }
}

function newThread(tab: string, follow: Follow): Thread {
  return {
    follows: new Map([[tab, follow]]),
    shown: new Set(),
    waiting: new Map(),
    status: "connecting",
    error: undefined,
    isRestarting: false,
  };
}

/** What a tab is to be told of the connection. */
function statusOf(thread: Thread, { isBegun }: Follow): TransportStatus {
  const status = thread.isRestarting ? "online" : thread.status;
  return status === "online" && !isBegun ? "connecting" : status;
}

/** Whether a tab needs a message. Notes what it has then. */
function takes(follow: Follow, message: Exclude<CarrierMessage, { type: "verdict" }>, hasWelcome: boolean): boolean {
  switch (message.type) {
    case "welcome": {
      const isSame = follow.incarnation === message.incarnation;
      if (follow.isBegun && isSame) return false;
      if (!isSame && follow.incarnation !== undefined) follow.after = undefined;
      follow.incarnation = message.incarnation;
      follow.isBegun = true;
      return true;
    }
    case "snapshot": {
      const { version } = message.snapshot;
      // Of an earlier beginning, for another tab.
      if (!follow.isBegun && hasWelcome) return false;
      if (follow.after !== undefined && follow.after >= version) return false;
      follow.after = version;
      return (follow.isBegun = true);
    }
    case "commits": {
      const first = message.commits[0]?.version;
      const last = message.commits.at(-1)?.version;
      if (first === undefined || last === undefined) return follow.isBegun;
      if (follow.after === undefined || follow.after >= last) return false;
      const isNext = first <= follow.after + 1;
      // A carrier may have no welcome.
      if (!follow.isBegun && (hasWelcome || !isNext)) return false;
      // A tab that misses some notices the gap, and begins again.
      if (isNext) follow.after = last;
      return (follow.isBegun = true);
    }
    default:
      return follow.isBegun;
  }
}
