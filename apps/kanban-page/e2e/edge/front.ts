// One address for the pages and the Worker: each request is passed on as it is, its answer as it
// comes, and a request to upgrade as bytes in both directions.
//
// Invariant: it adds, removes and stores nothing, so a page sees what the Worker answers.

import { once } from "node:events";
import { createServer, type IncomingMessage, request as send, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";

/** What the Worker answers; all else is of the pages. */
const WORKER_PATHS = /^\/(?:threads|events|operations|presence|ag-ui|healthz|readyz)(?:[/?]|$)/;

export interface Behind {
  /** Their addresses. */
  readonly worker: string;
  readonly pages: string;
}

export interface Front {
  readonly port: number;
  /** Refuses connections from now on, and cuts those that are open. */
  close(): Promise<void>;
}

/** `port`: 0 for any. */
export async function startFront(port: number, behind: Behind): Promise<Front> {
  const targetOf = ({ url = "/" }: IncomingMessage) => new URL(WORKER_PATHS.test(url) ? behind.worker : behind.pages);
  const server = createServer((incoming, outgoing) => {
    const { hostname, port: target } = targetOf(incoming);
    const { method, url: path, headers } = incoming;
    // A connection for each: none of before is used once its process is gone.
    const passedOn = send({ hostname, port: target, method, path, headers, agent: false });
    passedOn.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders).flushHeaders();
      // A stream that either side leaves ends for both.
      pipeline(answer, outgoing).catch(() => undefined);
    });
    passedOn.on("error", () => outgoing.destroy());
    // A reset: workerd takes a connection that is closed in silence for open, until it writes.
    outgoing.on("close", () => void passedOn.socket?.resetAndDestroy());
    incoming.pipe(passedOn);
  });
  server.on("upgrade", (incoming, socket, head) => passUpgrade(incoming, socket, { head, to: targetOf(incoming) }));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
}

function passUpgrade(incoming: IncomingMessage, socket: Duplex, { head, to }: { head: Buffer; to: URL }): void {
  const passedOn = connect(Number(to.port), to.hostname);
  const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
  for (let n = 0; n < incoming.rawHeaders.length; n += 2)
    lines.push(`${incoming.rawHeaders[n]}: ${incoming.rawHeaders[n + 1]}`);
  passedOn.write(`${lines.join("\r\n")}\r\n\r\n`);
  passedOn.write(head);
  pipeline(socket, passedOn, socket).catch(() => undefined);
}

async function closed(server: Server): Promise<void> {
  const ended = once(server, "close");
  server.close();
  server.closeAllConnections();
  await ended;
}
