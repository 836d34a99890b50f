// A line between a replica and its authority that is driven message by message. Each message may be
// delivered, lost, repeated or overtaken, and the line may be cut. Its far end is the real
// transport of a thread.

import { type Actor, type Thread, type Transport, type Verdict, threadTransport } from "@opstate/core";
import type { Submission, TransportMessage } from "@opstate/core/transport";

type End = Parameters<Transport["connect"]>[0];
type Connection = ReturnType<Transport["connect"]>;

export interface WireOptions {
  readonly actor: Actor;
  readonly thread: Thread;
  /** Messages arrive as copies, as over a network. */
  readonly copies: boolean;
  /** Called with each verdict when the authority gives it. */
  onVerdict(id: string, verdict: Verdict, incarnation: string): void;
  /** Called around the delivery of a snapshot. */
  onSnapshot(deliver: () => void): void;
}

export class Wire {
  readonly transport: Transport;
  up: Submission[] = [];
  down: TransportMessage[] = [];
  /** The incarnation of the replica's confirmed state. */
  following: string | undefined;
  #thread: Thread;
  readonly #options: WireOptions;
  #end: End | undefined;
  #far: Connection | undefined;
  /** Messages of an earlier session are ignored. */
  #session = 0;
  #cut = false;
  /** The newest version that was delivered, from which the line resumes when it is restored. */
  #delivered: number | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
    this.#thread = options.thread;
    this.transport = {
      connect: (end) => {
        this.#end = end;
        this.#delivered = end.after;
        if (!this.#cut) this.#begin();
        return {
          send: (submission) => {
            if (this.#end === end && !this.#cut) this.up.push(submission);
          },
          retry: () => {
            if (this.#end === end) this.#far?.retry?.();
          },
          close: () => {
            if (this.#end !== end) return;
            this.#end = undefined;
            this.#hangUp();
          },
        };
      },
    };
  }

  /** The authority that the line leads to when it is restored. */
  attach(thread: Thread): void {
    this.cut();
    this.#thread = thread;
  }

  cut(): void {
    if (this.#cut) return;
    this.#cut = true;
    this.#hangUp();
    this.#end?.onStatus("offline");
  }

  restore(): void {
    if (!this.#cut) return;
    this.#cut = false;
    if (this.#end !== undefined) this.#begin();
  }

  #hangUp(): void {
    this.#session += 1;
    this.#far?.close();
    this.#far = undefined;
    this.up = [];
    this.down = [];
  }

  #begin(): void {
    this.#hangUp();
    const session = this.#session;
    const end = this.#end;
    const { incarnation } = this.#thread;
    const far = threadTransport(this.#thread, { actor: this.#options.actor }).connect({
      after: this.#delivered,
      onMessage: (message) => {
        if (message.type === "verdict") this.#options.onVerdict(message.id, message.verdict, incarnation);
        if (session !== this.#session) return;
        // The first message of a connection is neither lost nor late.
        if (message.type === "welcome") end?.onMessage(message);
        else this.down.push(message);
      },
      onStatus: (status) => {
        if (session === this.#session) end?.onStatus(status);
      },
    });
    // The first message may have led to another connection already.
    if (session === this.#session) this.#far = far;
    else far.close();
  }

  /** Delivers one submission to the authority. `keep` leaves a copy under way. */
  deliverUp(at: number, keep: boolean): void {
    const index = at % this.up.length;
    const submission = this.up[index];
    if (submission === undefined) return;
    if (!keep) this.up.splice(index, 1);
    this.#far?.send(submission);
  }

  deliverDown(at: number, keep: boolean): void {
    const index = at % this.down.length;
    const message = this.down[index];
    if (message === undefined) return;
    if (!keep) this.down.splice(index, 1);
    if (message.type === "snapshot") {
      this.#delivered = message.snapshot.version;
      this.following = this.#thread.incarnation;
    } else if (message.type === "commits" && this.#delivered !== undefined)
      this.#delivered = Math.max(this.#delivered, message.commits.at(-1)?.version ?? 0);
    const given = this.#options.copies ? (JSON.parse(JSON.stringify(message)) as TransportMessage) : message;
    const deliver = () => this.#end?.onMessage(given);
    if (message.type === "snapshot") this.#options.onSnapshot(deliver);
    else deliver();
  }

  lose(way: "up" | "down", at: number): void {
    if (this[way].length > 0) this[way].splice(at % this[way].length, 1);
  }

  /** Delivers everything that is under way now, in order. */
  deliverAll(): void {
    for (let left = this.up.length; left > 0; left--) this.deliverUp(0, false);
    for (let left = this.down.length; left > 0; left--) this.deliverDown(0, false);
  }

  get idle(): boolean {
    return this.up.length === 0 && this.down.length === 0;
  }
}
