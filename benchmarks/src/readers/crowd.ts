// Ten thousand readers of one thread, in a process of their own: bare sockets that count bytes, so
// that they take little from the server beside them. It sends the operations too, by one clock.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface Follow {
  readonly do: "follow";
  readonly url: string;
  readonly count: number;
  /** Each comes behind this version, after a wait of its own of at most so many milliseconds. */
  readonly behind?: { readonly version: number; readonly bytes: number; readonly spread: number };
}

export interface Operate {
  readonly do: "operate";
  readonly url: string;
  readonly bodies: readonly string[];
  /** Milliseconds from one to the next. */
  readonly interval: number;
  /** Bytes of one event on the wire. */
  readonly bytes: number;
}

/** Milliseconds until the readers had each event; until all had what they came for. */
export interface Seen {
  readonly p50: number;
  readonly p99: number;
  readonly all: number;
}

/** Connections that are begun at a time. */
const AT_ONCE = 200;
const SNAPSHOT = Buffer.from("event: snapshot\n");

let sockets: Socket[] = [];
let onBytes: (reader: number, bytes: number) => void = () => {};

process.on("message", (task: Follow | Operate | { do: "leave" }) => {
  const done = task.do === "follow" ? follow(task) : task.do === "operate" ? operate(task) : leave();
  void done.then((seen) => process.send?.(seen));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function follow({ url, count, behind }: Follow): Promise<Seen> {
  const start = performance.now();
  const { hostname, port, pathname, host } = new URL(url);
  const head = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n`;
  const waits: number[] = [];
  const open = async (reader: number): Promise<void> => {
    if (behind !== undefined) await delay(Math.random() * behind.spread);
    const begun = performance.now();
    const request = behind === undefined ? `${head}\r\n` : `${head}last-event-id: ${behind.version}\r\n\r\n`;
    await opened(reader, Number(port), hostname, request, behind?.bytes);
    waits.push(performance.now() - begun);
  };
  const step = behind === undefined ? AT_ONCE : count;
  for (let from = 0; from < count; from += step)
    await Promise.all(Array.from({ length: Math.min(step, count - from) }, (_, n) => open(from + n)));
  return { ...shares(waits), all: performance.now() - start };
}

/** Resolves when the snapshot is here, or so many bytes. */
function opened(reader: number, port: number, host: string, request: string, enough = Infinity): Promise<void> {
  return new Promise((resolve, reject) => {
    let read = 0;
    let isOpen = false;
    const socket = connect({
      port,
      host,
      onread: {
        buffer: SHARED,
        callback(length) {
          if (isOpen) onBytes(reader, length);
          else {
            read += length;
            const isThere = enough === Infinity ? SHARED.subarray(0, length).includes(SNAPSHOT) : read >= enough;
            if (isThere) {
              isOpen = true;
              resolve();
            }
          }
          return true;
        },
      },
    });
    socket.once("error", reject);
    socket.write(request);
    sockets[reader] = socket;
  });
}

/** What was read lies here until the next is read: its bytes are counted, not kept. */
const SHARED = Buffer.alloc(64 * 1024);

async function operate({ url, bodies, interval, bytes }: Operate): Promise<Seen> {
  const count = bodies.length;
  const read = new Uint32Array(sockets.length);
  const events = new Uint16Array(sockets.length);
  const sent: number[] = [];
  const waits: number[] = [];
  let missing = 0;
  let finish = (): void => {};
  onBytes = (reader, length) => {
    const now = performance.now();
    read[reader] = (read[reader] ?? 0) + length;
    for (let n = events[reader] ?? 0; (n + 1) * bytes <= (read[reader] ?? 0) && n < count; n += 1) {
      waits.push(now - (sent[n] ?? Number.NaN));
      events[reader] = n + 1;
      missing -= 1;
    }
    if (missing === 0) finish();
  };
  const start = performance.now();
  for (const [n, body] of bodies.entries()) {
    const all = new Promise<void>((resolve) => (finish = resolve));
    missing = sockets.length;
    sent[n] = performance.now();
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    // The next one comes when all have it: a machine that is too slow is not flooded.
    await all;
    await delay(Math.max(0, start + (n + 1) * interval - performance.now()));
  }
  onBytes = () => {};
  return { ...shares(waits), all: performance.now() - start };
}

async function leave(): Promise<Seen> {
  const left = sockets;
  sockets = [];
  await Promise.all(
    left.map((socket) => {
      const closed = once(socket, "close");
      socket.destroy();
      return closed;
    }),
  );
  return { p50: 0, p99: 0, all: 0 };
}

function shares(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = Float64Array.from(values).toSorted();
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
