// A fetch handler on a port.
//
// Invariant: a handler that ignores the connection is served as on any host.

import { createServer as createHttpServer, type Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default "127.0.0.1": this machine only. */
  readonly hostname?: string;
}

/** Where a server listens. */
export interface Listening {
  readonly port: number;
  readonly hostname: string;
  readonly url: string;
}

/** What `listen` gives. */
export interface HttpServer extends Listening {
  /** Takes no new connections, and resolves when the present ones are done or cut. */
  close(): Promise<void>;
}

/** Node's end of one request, for `Server.fetch`. */
export class Connection {
  readonly outgoing: ServerResponse;

  constructor(outgoing: ServerResponse) {
    this.outgoing = outgoing;
  }
}

/** Time for the present requests when a server closes; then their connections are cut. */
const GRACE = 2_000;
const IDLE_CHECK = 50;

/**
 * Serves a fetch handler of your own on a port: one that answers some paths itself and gives the
 * rest to a `Server`. Rejects with a clear error when the port is taken; its `code` is
 * "EADDRINUSE".
 *
 * @example
 * ```ts
 * import { createServer, listen } from "@opstate/server";
 *
 * const server = createServer({ definitions: [board], log, authorize });
 * const listening = await listen(async (request, connection) => {
 *   if (new URL(request.url).pathname === "/health") return new Response("ok");
 *   return server.fetch(request, connection);
 * });
 * ```
 */
export async function listen(
  fetch: (request: Request, connection: Connection) => Promise<Response>,
  { port = 0, hostname = "127.0.0.1" }: ListenOptions = {},
): Promise<HttpServer> {
  const listener = getRequestListener(
    (request, { outgoing }) =>
      outgoing instanceof ServerResponse ? fetch(request, new Connection(outgoing)) : undefined,
    // A library has no business replacing the global Request and Response, which is this adapter's
    // default.
    { overrideGlobalObjects: false },
  );
  const server = createHttpServer((incoming, outgoing) => void listener(incoming, outgoing));
  const address = await bind(server, port, hostname);
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    port: address.port,
    hostname,
    url: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        // A connection that is kept alive becomes idle only when its last answer is done.
        const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK);
        const cut = setTimeout(() => server.closeAllConnections(), GRACE);
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
      const taken = `Port ${port} on ${hostname} is taken by another program. Stop it, or listen on another port.`;
      reject(
        error.code === "EADDRINUSE" ? Object.assign(new Error(taken, { cause: error }), { code: error.code }) : error,
      );
    });
    server.listen(port, hostname, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("A TCP port was expected."));
      else resolve(address);
    });
  });
}
