// Notifies the other nodes of heads that moved, after the commit and on a connection of its own,
// and receives their notifications. (NOTIFY inside an append takes a global lock at commit: 4 to 9
// times slower.)
//
// Invariants:
// - Heads that move while a notification is under way share the next one.
// - A notification is a hint that may be lost. The poll finds what was missed.
// - Nothing here throws or rejects.

import { Client, type Pool } from "pg";

/** Milliseconds between two notifications. Under load each carries many heads. */
const NOTIFY_INTERVAL = 5;
/** Postgres accepts payloads below 8,000 bytes. */
const PAYLOAD_LIMIT = 7_000;
/**
 * Heads that queue while the connection is lost. The polls of the other nodes find further ones.
 */
const QUEUE_LIMIT = 10_000;
/** Milliseconds between two attempts to reconnect, at most. */
const RECONNECT_LIMIT = 5_000;

export interface DoorbellOptions {
  readonly pool: Pool;
  readonly channel: string;
  onRing(key: number, version: number): void;
  /** Called on each (re)connection: earlier notifications may have been missed. */
  onListening(): void;
}

export class Doorbell {
  readonly #options: DoorbellOptions;
  readonly #queue = new Map<number, number>();
  #client: Client | undefined;
  #isListening = false;
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
    this.#connect();
  }

  /** Queues a notification of a head. */
  ring(key: number, version: number): void {
    if (this.#queue.size < QUEUE_LIMIT || this.#queue.has(key)) this.#queue.set(key, version);
    this.#connect();
    this.#send();
  }

  /** Finishes the notification under way and disconnects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#connecting;
    await this.#sending;
    await this.#client?.end().catch(() => undefined);
  }

  #connect(): void {
    if (this.#isClosed || this.#client || this.#connecting) return;
    this.#connecting = this.#open().finally(() => (this.#connecting = undefined));
  }

  async #open(): Promise<void> {
    const opened = new Client(this.#options.pool.options);
    let lost = false;
    const onLost = () => {
      if (lost) return;
      lost = true;
      if (this.#client === opened) this.#client = undefined;
      this.#isListening = false;
      opened.end().catch(() => undefined);
      this.#reconnect();
    };
    opened.on("error", onLost);
    opened.on("end", onLost);
    opened.on("notification", ({ payload = "" }) => this.#receive(payload));
    try {
      await opened.connect();
      this.#client = opened;
      await opened.query(`LISTEN "${this.#options.channel}"`);
    } catch {
      onLost();
      return;
    }
    if (lost) return;
    this.#failures = 0;
    this.#isListening = true;
    this.#options.onListening();
    this.#send();
  }

  #reconnect(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    const delay = Math.min(RECONNECT_LIMIT, 50 * 2 ** this.#failures) * (0.5 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#connect(), delay);
    this.#timer.unref();
    this.#failures += 1;
  }

  #receive(payload: string): void {
    for (const part of payload.split(",")) {
      const [key, version] = part.split(":").map(Number);
      if (Number.isSafeInteger(key) && Number.isSafeInteger(version)) this.#options.onRing(key ?? 0, version ?? 0);
    }
  }

  #send(): void {
    if (!this.#sending && this.#isListening && this.#queue.size > 0)
      this.#sending = this.#sendAll().finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.size > 0) {
      const connected = this.#isListening ? this.#client : undefined;
      if (!connected) return;
      const heads = [...this.#queue];
      this.#queue.clear();
      try {
        await connected.query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", [
          this.#options.channel,
          payloads(heads),
        ]);
      } catch {
        // The connection is lost. Its own event reconnects, and the polls of the others find these
        // heads.
        return;
      }
      if (!this.#isClosed) await new Promise<void>((resolve) => setTimeout(resolve, NOTIFY_INTERVAL).unref());
    }
  }
}

function payloads(heads: readonly (readonly [number, number])[]): readonly string[] {
  const texts: string[] = [];
  for (const [key, version] of heads) {
    const text = `${key}:${version}`;
    const last = texts.at(-1);
    if (last !== undefined && last.length + text.length < PAYLOAD_LIMIT) texts[texts.length - 1] = `${last},${text}`;
    else texts.push(text);
  }
  return texts;
}
