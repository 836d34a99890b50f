// A transport in the hands of a case: it holds what is sent and what comes, breaks and comes back,
// and knows who is connected.

import type { Transport, TransportConnection, TransportMessage } from "../../replica/transport.ts";
import type { Submission } from "../../thread/commit.ts";

interface Line {
  readonly connect: () => void;
  readonly drop: () => void;
}

export class ContractWire {
  readonly transport: Transport;
  /** The `after` of every connection that was ever made. */
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

  /** From now on nothing arrives, in neither direction. */
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

  #pass(what: () => void): void {
    if (this.#holding) this.#waiting.push(what);
    else what();
  }

  #open(inner: Transport, { after, onMessage, onStatus }: Parameters<Transport["connect"]>[0]): TransportConnection {
    this.connects.push(after);
    let reached = after;
    let current: TransportConnection | undefined;
    const hear = (message: TransportMessage) => {
      if (message.type === "snapshot") reached = message.snapshot.version;
      if (message.type === "commits") reached = message.commits.at(-1)?.version ?? reached;
      onMessage(message);
    };
    const line: Line = {
      connect() {
        if (current !== undefined) return;
        // What is heard while connecting waits until there is a connection to answer on.
        let early: (() => void)[] | undefined = [];
        const soon = (what: () => void) => (early === undefined ? what() : void early.push(what));
        current = inner.connect({
          after: reached,
          onMessage: (message) => soon(() => pass(() => hear(message))),
          onStatus: (...status) => soon(() => onStatus(...status)),
        });
        const heard = early;
        early = undefined;
        for (const what of heard) what();
      },
      drop() {
        current?.close();
        current = undefined;
        onStatus("offline");
      },
    };
    const pass = (what: () => void) => this.#pass(what);
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
