// Serves a fetch handler on a port of this machine.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

export interface StreamListenOptions {
  /** Default 0: any free port. The protocol's own is 4437. */
  readonly port?: number;
  /** Default "127.0.0.1": this machine only. */
  readonly hostname?: string;
}

/** Where a server listens. */
export interface StreamListening {
  readonly port: number;
  readonly hostname: string;
  readonly url: string;
}

/** Milliseconds that open requests get when the server closes. Then their connections are cut. */
const SHUTDOWN_GRACE = 2_000;
/**
 * Milliseconds that an idle connection stays open: longer than the 60 seconds of common balancers.
 * The client should close it first: a request may be on its way when the server does.
 */
const IDLE_LIMIT = 75_000;
/**
 * Connections that may wait to be accepted, as far as the system allows. Node's 511 are fewer than
 * the readers that come back at once when a server starts again: the others would be reset.
 */
const BACKLOG = 65_535;
/** Milliseconds between two looks for connections that became idle in that time. */
const IDLE_CHECK_INTERVAL = 50;

export async function listen(
  fetch: (request: Request) => Promise<Response>,
  { port = 0, hostname = "127.0.0.1" }: StreamListenOptions,
): Promise<StreamListening & { close(): Promise<void> }> {
  // By default this adapter replaces the global Request and Response. A library must not do that.
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.keepAliveTimeout = IDLE_LIMIT;
  const address = await bind(server, port, hostname);
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    port: address.port,
    hostname,
    url: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL);
        const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE);
        server.close(() => {
          clearInterval(idle);
          clearTimeout(cut);
          resolve();
        });
      }),
  };
}

function bind(server: Server, port: number, hostname: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const inUse = `Port ${port} on ${hostname} is in use by another program. Stop it, or listen on another port.`;
      const isInUse = error.code === "EADDRINUSE";
      reject(isInUse ? Object.assign(new Error(inUse, { cause: error }), { code: error.code }) : error);
    });
    server.listen({ port, host: hostname, backlog: BACKLOG }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("The server did not get a TCP port."));
      else resolve(address);
    });
  });
}
