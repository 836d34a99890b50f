// Notifies the other nodes of streams that changed, after the commit and on a connection of its
// own, and receives their notifications. (NOTIFY inside an append takes a global lock at commit.)
//
// Invariants:
// - Streams that change while a notification is under way share the next one.
// - A notification is a hint that may be lost. The poll finds what was missed.
// - Nothing here throws or rejects.

import { createHash } from "node:crypto";
import { Client, type Pool } from "pg";

/** Milliseconds between two notifications. Under load each carries many streams. */
const NOTIFY_INTERVAL = 5;
/** Streams of one notification: Postgres accepts payloads below 8,000 bytes. */
const PAYLOAD = 300;
/** Streams that wait while the connection is lost. The polls of the others find further ones. */
const QUEUE_LIMIT = 10_000;
/** Milliseconds between two attempts to connect, at most. */
const RECONNECT_LIMIT = 5_000;

export interface DoorbellOptions {
  readonly pool: Pool;
  readonly channel: string;
  /** Gets the tokens of streams that changed. */
  onRing(tokens: ReadonlySet<string>): void;
  /** Called on each connection: earlier notifications may have been missed. */
  onListening(): void;
}

/** What a notification says of an id, which may be longer than one has room for. */
export function tokenOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url").slice(0, 22);
}

export class Doorbell {
  readonly #options: DoorbellOptions;
  readonly #queue = new Set<string>();
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(options: DoorbellOptions) {
    this.#options = options;
  }

  /** Connects, and reconnects when the connection is lost. */
  listen(): void {
    if (this.#isClosed || this.#client || this.#connecting || this.#timer) return;
    this.#connecting = this.#open().finally(() => (this.#connecting = undefined));
  }

  ring(id: string): void {
    if (this.#queue.size < QUEUE_LIMIT) this.#queue.add(tokenOf(id));
    this.listen();
    this.#send();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#connecting;
    await this.#sending;
    await this.#client?.end().catch(() => undefined);
  }

  async #open(): Promise<void> {
    const opened = new Client(this.#options.pool.options);
    let isLost = false;
    const onLost = () => {
      if (isLost) return;
      isLost = true;
      this.#client = undefined;
      opened.end().catch(() => undefined);
      this.#reconnect();
    };
    opened.on("error", onLost);
    opened.on("end", onLost);
    opened.on("notification", ({ payload = "" }) => this.#options.onRing(new Set(payload.split(","))));
    try {
      await opened.connect();
      await opened.query(`LISTEN "${this.#options.channel}"`);
    } catch {
      return onLost();
    }
    // It may have been lost in the very answer.
    if (isLost) return undefined;
    this.#client = opened;
    this.#failures = 0;
    this.#options.onListening();
    return this.#send();
  }

  #reconnect(): void {
    if (this.#isClosed) return;
    const delay = Math.min(RECONNECT_LIMIT, 50 * 2 ** this.#failures) * (0.5 + Math.random() / 2);
    this.#failures += 1;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.listen();
    }, delay).unref();
  }

  #send(): void {
    if (!this.#sending && this.#client && this.#queue.size > 0)
      this.#sending = this.#sendAll().finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    while (this.#client && this.#queue.size > 0) {
      const tokens = [...this.#queue].slice(0, PAYLOAD);
      for (const token of tokens) this.#queue.delete(token);
      try {
        await this.#client.query("SELECT pg_notify($1, $2)", [this.#options.channel, tokens.join(",")]);
      } catch {
        // The connection is lost. Its own event reconnects, and the polls of the others find these.
        return;
      }
      if (!this.#isClosed) await new Promise<void>((resolve) => setTimeout(resolve, NOTIFY_INTERVAL).unref());
    }
  }
}
