// Serves a fetch handler on a port.
//
// Invariant: a handler that ignores the connection works as on any other host.

import { createServer as createHttpServer, type Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Drained, type DrainOptions, drainTimes } from "./lifecycle/drain-options.ts";
import { NodeRequests } from "./lifecycle/node-requests.ts";

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

/** A server that `listen` started. */
export interface HttpServer extends Listening {
  /** Accepts no new connections, and resolves when the open ones are done or were closed. */
  close(): Promise<void>;
  /**
   * Closes without cutting what is under way: every answer says `Connection: close`, new requests
   * are answered for `notice` milliseconds, and open ones until `deadline`. Streams are requests
   * too: end them first.
   */
  drain(options?: DrainOptions): Promise<Drained>;
}

/** Node's end of one request, for `Server.fetch`. */
export class Connection {
  readonly outgoing: ServerResponse;

  constructor(outgoing: ServerResponse) {
    this.outgoing = outgoing;
  }
}

/**
 * Milliseconds that open requests get when the server closes. Then their connections are closed.
 */
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

/**
 * Serves a fetch handler of your own on a port, such as one that answers some paths itself and
 * passes the rest to a `Server`. Rejects with an error of the `code` "EADDRINUSE" when the port is
 * in use.
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
    async (request, { outgoing }) => {
      if (!(outgoing instanceof ServerResponse)) return undefined;
      const response = await fetch(request, new Connection(outgoing));
      return outgoing.headersSent ? answered() : response;
    },
    // By default this adapter replaces the global Request and Response. A library must not do that.
    { overrideGlobalObjects: false },
  );
  const server = createHttpServer((incoming, outgoing) => {
    requests.add(outgoing);
    void listener(incoming, outgoing);
  });
  server.keepAliveTimeout = IDLE_LIMIT;
  const requests = new NodeRequests(server);
  const address = await bind(server, port, hostname);
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    port: address.port,
    hostname,
    url: `http://${host}:${address.port}`,
    drain: async (options = {}) => requests.drain(drainTimes(options)),
    close: () =>
      new Promise((resolve) => {
        // A keep-alive connection becomes idle only when its last response is done.
        const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL);
        const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE);
        // Twice is no error: it may have been drained.
        server.close(() => {
          clearInterval(idle);
          clearTimeout(cut);
          resolve();
        });
      }),
  };
}

/**
 * Says to the adapter that a stream has written its answer to the socket. A clone, for that is a
 * Response of the platform also where another adapter of Hono has replaced the global one.
 */
function answered(): Response {
  return RESPONSE_ALREADY_SENT.clone();
}

function bind(server: Server, port: number, hostname: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const inUse = `Port ${port} on ${hostname} is in use by another program. Stop it, or listen on another port.`;
      reject(
        error.code === "EADDRINUSE" ? Object.assign(new Error(inUse, { cause: error }), { code: error.code }) : error,
      );
    });
    server.listen({ port, host: hostname, backlog: BACKLOG }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("The server did not get a TCP port."));
      else resolve(address);
    });
  });
}
