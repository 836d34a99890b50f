// The threads of a client on one carrier: a transport for the replica of each.
//
// Invariants:
// - The carrier is opened with the first thread that is followed, and closed only by `close`.
// - A thread has one line at a time. Messages for a line that was replaced or closed are dropped.
// - The position of a line is the newest version that was delivered to it.
// - While it is disconnected, lines stay and are offline. They are followed again by `connect`.
// - After the end of the session they are unauthenticated, and followed again by `retry`.

import type { Actor, Transport } from "@opstate/core";
import type {
  Carrier,
  CarrierConnection,
  CarrierMessage,
  Participant,
  PresenceValue,
  ThreadPosition,
} from "../carrier.ts";

type Line = Parameters<Transport["connect"]>[0];

/** What the client is notified of beside the messages of a replica. */
export interface ThreadListener {
  /** The replica connects. What it returns is waited for before the thread is followed. */
  onConnect?(): Promise<void> | undefined;
  /** Who else is here. */
  onPresence?(participants: readonly Participant[]): void;
}

interface Followed {
  readonly line: Line;
  after: number | undefined;
  /** False while its replica is not ready to be followed yet. */
  isReady: boolean;
}

export class SharedConnection {
  readonly #carrier: Carrier;
  readonly #onActor: (actor: Actor) => void;
  readonly #lines = new Map<string, Followed>();
  readonly #listeners = new Map<string, ThreadListener>();
  /** Those of the threads that the versions here belong to. */
  readonly #incarnations = new Map<string, string>();
  #connection: CarrierConnection | undefined;
  /** Why nothing is connected now, as the lines have it. */
  #stopped: Parameters<Line["onStatus"]> | undefined;

  constructor(carrier: Carrier, onActor: (actor: Actor) => void) {
    this.#carrier = carrier;
    this.#onActor = onActor;
  }

  /** `incarnation`: of the thread that the replica's first snapshot is of, when it is known. */
  transport(threadId: string, incarnation: string | undefined, listener: ThreadListener): Transport {
    if (incarnation !== undefined) this.#incarnations.set(threadId, incarnation);
    return {
      connect: (line) => {
        const followed: Followed = { line, after: line.after, isReady: false };
        const isCurrent = () => this.#lines.get(threadId) === followed;
        this.#lines.set(threadId, followed);
        this.#listeners.set(threadId, listener);
        const follow = (): void => {
          followed.isReady = true;
          if (isCurrent()) this.#follow(threadId, followed);
        };
        const before = listener.onConnect?.();
        if (before === undefined) follow();
        else void before.then(follow);
        return {
          send: (submission) => {
            if (isCurrent()) this.#connection?.send(threadId, submission);
          },
          retry: () => {
            if (isCurrent()) this.#connection?.retry(threadId);
          },
          close: () => {
            if (!isCurrent()) return;
            this.#lines.delete(threadId);
            this.#listeners.delete(threadId);
            this.#connection?.unfollow(threadId);
          },
        };
      },
    };
  }

  show(threadId: string, value: PresenceValue | undefined): void {
    if (this.#lines.has(threadId)) this.#connection?.show(threadId, value);
  }

  /** Tries again at once what waits or is lost. */
  retry(): void {
    if (this.#stopped?.[0] === "unauthenticated") this.connect();
    else this.#connection?.retry();
  }

  /** Ends the connection until `connect`, as a lost network would. */
  disconnect(): void {
    if (this.#stopped === undefined) this.stop("offline");
  }

  stop(...why: Parameters<Line["onStatus"]>): void {
    this.#stopped = why;
    this.#connection?.close();
    this.#connection = undefined;
    for (const listener of [...this.#listeners.values()]) listener.onPresence?.([]);
    for (const { line } of [...this.#lines.values()]) line.onStatus(...why);
  }

  connect(): void {
    if (this.#stopped === undefined) return;
    this.#stopped = undefined;
    for (const [threadId, followed] of [...this.#lines]) if (followed.isReady) this.#follow(threadId, followed);
  }

  close(): void {
    this.#lines.clear();
    this.#listeners.clear();
    this.#connection?.close();
  }

  #follow(threadId: string, { line }: Followed): void {
    if (this.#stopped) line.onStatus(...this.#stopped);
    else this.#open().follow(threadId);
  }

  #open(): CarrierConnection {
    this.#connection ??= this.#carrier.open({
      onMessage: (threadId, message) => this.#deliver(threadId, message),
      onStatus: (threadId, status, error) => this.#lines.get(threadId)?.line.onStatus(status, error),
      onActor: this.#onActor,
      position: (threadId) => this.#position(threadId),
    });
    return this.#connection;
  }

  #deliver(threadId: string, message: CarrierMessage): void {
    const followed = this.#lines.get(threadId);
    if (followed === undefined) return;
    if (message.type === "presence")
      return this.#listeners
        .get(threadId)
        ?.onPresence?.(message.participants.filter(({ session }) => session !== message.session));
    if (message.type === "welcome") {
      // Until participants are named, there are none.
      this.#listeners.get(threadId)?.onPresence?.([]);
      if (message.incarnation !== undefined) this.#incarnations.set(threadId, message.incarnation);
    }
    if (message.type === "snapshot") followed.after = message.snapshot.version;
    if (message.type === "commits") followed.after = message.commits.at(-1)?.version ?? followed.after;
    followed.line.onMessage(message);
  }

  #position(threadId: string): ThreadPosition {
    const after = this.#lines.get(threadId)?.after;
    return after === undefined ? {} : { after, incarnation: this.#incarnations.get(threadId) };
  }
}
