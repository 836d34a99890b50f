// A transport that a case controls: it can hold messages in both directions, break and restore its
// connections, and it counts them.

import type { Transport, TransportConnection, TransportMessage } from "../../replica/transport.ts";
import type { Submission } from "../../thread/commit.ts";

interface Line {
  readonly connect: () => void;
  readonly drop: () => void;
}

export class ContractWire {
  readonly transport: Transport;
  /** The `after` of every connection so far. */
  readonly connects: (number | undefined)[] = [];
  readonly #lines = new Set<Line>();
  readonly #waiting: (() => void)[] = [];
  #holding = false;

  constructor(inner: Transport) {
    this.transport = { connect: (options) => this.#open(inner, options) };
  }

  get open(): number {
    return this.#lines.size;
  }

  /** Holds all messages, in both directions, until `release`. */
  hold(): void {
    this.#holding = true;
  }

  release(): void {
    this.#holding = false;
    for (const pass of this.#waiting.splice(0)) pass();
  }

  cut(): void {
    for (const line of this.#lines) line.drop();
  }

  restore(): void {
    for (const line of this.#lines) line.connect();
  }

  #pass(deliver: () => void): void {
    if (this.#holding) this.#waiting.push(deliver);
    else deliver();
  }

  #open(inner: Transport, { after, onMessage, onStatus }: Parameters<Transport["connect"]>[0]): TransportConnection {
    this.connects.push(after);
    let reached = after;
    let current: TransportConnection | undefined;
    const receive = (message: TransportMessage) => {
      if (message.type === "snapshot") reached = message.snapshot.version;
      if (message.type === "commits") reached = message.commits.at(-1)?.version ?? reached;
      onMessage(message);
    };
    const line: Line = {
      connect() {
        if (current !== undefined) return;
        // Messages during `connect` wait until there is a connection to answer on.
        let early: (() => void)[] | undefined = [];
        const whenConnected = (deliver: () => void) => {
          if (early === undefined) deliver();
          else early.push(deliver);
        };
        current = inner.connect({
          after: reached,
          onMessage: (message) => whenConnected(() => pass(() => receive(message))),
          onStatus: (...status) => whenConnected(() => onStatus(...status)),
        });
        const delayed = early;
        early = undefined;
        for (const deliver of delayed) deliver();
      },
      drop() {
        current?.close();
        current = undefined;
        onStatus("offline");
      },
    };
    const pass = (deliver: () => void) => this.#pass(deliver);
    this.#lines.add(line);
    line.connect();
    return {
      send: (submission: Submission) => pass(() => current?.send(submission)),
      close: () => {
        this.#lines.delete(line);
        current?.close();
      },
    };
  }
}
