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

export interface Doorbell {
  /** Connects, and reconnects when the connection is lost. */
  listen(): void;
  ring(key: number, version: number): void;
  close(): Promise<void>;
}

export interface DoorbellOptions {
  readonly pool: Pool;
  readonly channel: string;
  onRing(key: number, version: number): void;
  /** Called on each (re)connection: earlier notifications may have been missed. */
  onListening(): void;
}

export function createDoorbell({ pool, channel, onRing, onListening }: DoorbellOptions): Doorbell {
  const queue = new Map<number, number>();
  let client: Client | undefined;
  let listening = false;
  let connecting: Promise<void> | undefined;
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;

  function connect(): void {
    if (closed || client || connecting) return;
    connecting = open().finally(() => (connecting = undefined));
  }

  async function open(): Promise<void> {
    const opened = new Client(pool.options);
    let lost = false;
    const onLost = () => {
      if (lost) return;
      lost = true;
      if (client === opened) client = undefined;
      listening = false;
      opened.end().catch(() => undefined);
      reconnect();
    };
    opened.on("error", onLost);
    opened.on("end", onLost);
    opened.on("notification", ({ payload = "" }) => receive(payload));
    try {
      await opened.connect();
      client = opened;
      await opened.query(`LISTEN "${channel}"`);
    } catch {
      onLost();
      return;
    }
    if (lost) return;
    failures = 0;
    listening = true;
    onListening();
    send();
  }

  function reconnect(): void {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(connect, Math.min(RECONNECT_LIMIT, 50 * 2 ** failures) * (0.5 + Math.random() / 2));
    timer.unref();
    failures += 1;
  }

  function receive(payload: string): void {
    for (const part of payload.split(",")) {
      const [key, version] = part.split(":").map(Number);
      if (Number.isSafeInteger(key) && Number.isSafeInteger(version)) onRing(key ?? 0, version ?? 0);
    }
  }

  function send(): void {
    if (!sending && listening && queue.size > 0) sending = sendAll().finally(() => (sending = undefined));
  }

  async function sendAll(): Promise<void> {
    while (queue.size > 0) {
      const connected = listening ? client : undefined;
      if (!connected) return;
      const heads = [...queue];
      queue.clear();
      try {
        await connected.query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", [
          channel,
          payloads(heads),
        ]);
      } catch {
        // The connection is lost. Its own event reconnects, and the polls of the others find these
        // heads.
        return;
      }
      if (!closed) await new Promise<void>((resolve) => setTimeout(resolve, NOTIFY_INTERVAL).unref());
    }
  }

  return {
    listen: connect,
    ring(key, version) {
      if (queue.size < QUEUE_LIMIT || queue.has(key)) queue.set(key, version);
      connect();
      send();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await connecting;
      await sending;
      await client?.end().catch(() => undefined);
    },
  };
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
