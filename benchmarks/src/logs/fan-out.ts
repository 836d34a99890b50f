// How long an operation takes to all who follow its thread: over the server's event streams on
// loopback, and in one process.

import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { threadTransport } from "@opstate/core";
import { sqliteLog } from "@opstate/server/sqlite";
import { ada, openBoard, renameBoard, renameOf } from "../boards/rename-board.ts";

/** Operations of one measurement, and before it. */
const OPERATIONS = 200;
const WARM_OPERATIONS = 40;
/** Milliseconds from one to the next. */
const INTERVAL = 50;

interface Line {
  /** Sends one operation; resolves when it was accepted. */
  send(n: number): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds from before the operation was sent to each subscriber having read it. */
export interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

/** `heard` is called for each commit that a subscriber has read. */
type OpenLine = (subscribers: number, directory: string, heard: (version: number) => void) => Promise<Line>;

/** The row that budgets speak of. */
export const OVER_SERVER = "over the server: POST, then server-sent events on loopback";

export const lines: Readonly<Record<string, OpenLine>> = {
  [OVER_SERVER]: overServer,
  "in one process: `threadTransport`": inProcess,
};

export async function latencies(open: OpenLine, subscribers: number, directory: string): Promise<Latencies> {
  const sent: number[] = [];
  const samples: number[] = [];
  let missing = 0;
  let complete = () => {};
  const line = await open(subscribers, directory, (version) => {
    if (version > WARM_OPERATIONS) samples.push(performance.now() - (sent[version] ?? Number.NaN));
    missing -= 1;
    if (missing === 0) complete();
  });
  try {
    for (let version = 1; version <= WARM_OPERATIONS + OPERATIONS; version++) {
      const all = new Promise<void>((resolve) => (complete = resolve));
      missing = subscribers;
      sent[version] = performance.now();
      await Promise.all([line.send(version), all, new Promise((resolve) => setTimeout(resolve, INTERVAL))]);
    }
  } finally {
    await line.close();
  }
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

async function overServer(subscribers: number, directory: string, heard: (version: number) => void): Promise<Line> {
  const child = fork(new URL("fan-out-server.ts", import.meta.url), [join(directory, `fan-out-${subscribers}.sqlite`)]);
  const [address] = (await once(child, "message")) as [string];
  const thread = `${address}/threads/launch`;
  await post(thread, "PUT", { definition: renameBoard.name });
  const sockets: Socket[] = [];
  for (let n = 0; n < subscribers; n++) sockets.push(await follow(new URL(`${thread}/events`), heard));
  return {
    send: (n) => post(`${thread}/operations`, "POST", { id: `operation-${n}`, operation: renameOf(n) }),
    async close() {
      for (const socket of sockets) socket.destroy();
      child.disconnect();
      await once(child, "exit");
    },
  };
}

async function post(url: string, method: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/**
 * A bare socket, so that a thousand readers cost this process little. Resolves when the snapshot
 * has come.
 */
function follow({ hostname, port, host, pathname }: URL, heard: (version: number) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`);
    });
    socket.setNoDelay(true);
    socket.once("error", reject);
    let rest = "";
    socket.on("data", (bytes) => {
      const events = (rest + bytes.toString("latin1")).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        if (event.includes("event: snapshot\n")) resolve(socket);
        else if (event.includes("event: commits\n")) heard(Number(/(?:^|\n)id: (\d+)/.exec(event)?.[1]));
      }
    });
  });
}

async function inProcess(subscribers: number, directory: string, heard: (version: number) => void): Promise<Line> {
  const log = sqliteLog({ path: join(directory, `in-process-${subscribers}.sqlite`) });
  const thread = await openBoard(log, "launch");
  const transport = threadTransport(thread, { actor: ada });
  const connections = Array.from({ length: subscribers }, () =>
    transport.connect({
      after: undefined,
      onMessage(message) {
        if (message.type === "commits") for (const { version } of message.commits) heard(version);
      },
      onStatus() {},
    }),
  );
  return {
    async send(n) {
      await thread.dispatch(renameOf(n), { actor: ada });
    },
    async close() {
      for (const connection of connections) connection.close();
      await thread.close();
      await log.close();
    },
  };
}
