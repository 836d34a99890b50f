// Tells the other nodes, on a connection of its own and after the commit, whose head moved, and
// hears it from them. (NOTIFY within an append takes a global lock at commit: 4 to 9 times slower.)
//
// Invariants: heads that move while a ring is under way share the next one; a ring is a hint that
// can be lost, the poll finds what it missed; nothing here throws or rejects.

import { Client, type Pool } from "pg";

/** Between two rings (ms): under load one carries many heads. */
const RING_GAP = 5;
/** Postgres takes payloads below 8,000 bytes. */
const PAYLOAD_LIMIT = 7_000;
/** Heads that wait for a lost connection; more are left to the others' poll. */
const WAITING_LIMIT = 10_000;
const LONGEST_PAUSE = 5_000;

export interface Doorbell {
  /** Connects when it did not yet, and keeps connected. */
  listen(): void;
  ring(key: number, version: number): void;
  close(): Promise<void>;
}

export interface DoorbellOptions {
  readonly pool: Pool;
  readonly channel: string;
  onRing(key: number, version: number): void;
  /** Called when rings are heard (again): what came before was missed. */
  onListening(): void;
}

export function createDoorbell({ pool, channel, onRing, onListening }: DoorbellOptions): Doorbell {
  const waiting = new Map<number, number>();
  let client: Client | undefined;
  let listening = false;
  let connecting: Promise<void> | undefined;
  let ringing: Promise<void> | undefined;
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
    opened.on("notification", ({ payload = "" }) => hear(payload));
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
    timer = setTimeout(connect, Math.min(LONGEST_PAUSE, 50 * 2 ** failures) * (0.5 + Math.random() / 2));
    timer.unref();
    failures += 1;
  }

  function hear(payload: string): void {
    for (const part of payload.split(",")) {
      const [key, version] = part.split(":").map(Number);
      if (Number.isSafeInteger(key) && Number.isSafeInteger(version)) onRing(key ?? 0, version ?? 0);
    }
  }

  function send(): void {
    if (!ringing && listening && waiting.size > 0) ringing = ringAll().finally(() => (ringing = undefined));
  }

  async function ringAll(): Promise<void> {
    while (waiting.size > 0) {
      const connected = listening ? client : undefined;
      if (!connected) return;
      const heads = [...waiting];
      waiting.clear();
      try {
        await connected.query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", [
          channel,
          payloads(heads),
        ]);
      } catch {
        // The connection is lost: its own event says so, and the others' poll finds these.
        return;
      }
      if (!closed) await new Promise<void>((resolve) => setTimeout(resolve, RING_GAP).unref());
    }
  }

  return {
    listen: connect,
    ring(key, version) {
      if (waiting.size < WAITING_LIMIT || waiting.has(key)) waiting.set(key, version);
      connect();
      send();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await connecting;
      await ringing;
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
