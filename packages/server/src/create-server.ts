// The server in a Node process: what `fetch-server.ts` wires, and the ports that it listens on.

import { OpstateError } from "@opstate/core";
import { isLoopback } from "@opstate/core/host-guard";
import { assemble, type FetchServer } from "./fetch-server.ts";
import { Connection, type HttpServer, listen, type Listening, type ListenOptions } from "./listen.ts";
import type { ServerOptions } from "./server-options.ts";

export interface Server extends Omit<FetchServer, "fetch"> {
  /**
   * Answers one request. Mount it in Hono, Next, Express or any other host of fetch handlers. With
   * the connection from this package's `listen`, events cost less; then nothing else may change the
   * response.
   */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** Listens on a port of this machine. Rejects with an error when the port is in use. */
  listen(options?: ListenOptions): Promise<Listening>;
}

/**
 * A server for shared state: `GET/PUT/DELETE /threads/:id`, `/threads/:id/operations`, `/history`,
 * `/schema`, `/undo`, `/proposals`, `/branches`, `/events`, `/runs`; for many threads at once `POST
 * /events`, `/operations` and `/presence`; `POST /ag-ui/:agent`; with `mcp`, `/mcp`. The page is
 * docs/protocol.md. Throws an OpstateError:
 * "insecure_server" when there is no `authorize`, "invalid_definition" when two definitions have
 * one name or an agent's has none, "page_build" when a definition cannot be compiled for a server.
 *
 * @example
 * ```ts
 * import { createServer } from "@opstate/server";
 * import { sqliteLog } from "@opstate/server/sqlite";
 *
 * const server = createServer({
 *   definitions: [board],
 *   log: sqliteLog({ path: "data/boards.sqlite" }),
 *   authorize: async (request) => {
 *     const user = await sessionOf(request);
 *     if (!user) return null;
 *     const actor = { kind: "user", id: user.id };
 *     return { actor, allows: (threadId, right) => user.mayUse(threadId, right) };
 *   },
 * });
 * await server.listen({ port: 4310 });
 * ```
 */
export function createServer(options: ServerOptions): Server {
  const listening = new Set<HttpServer>();
  const { isOpen, answer, join, thread, revoke, drain, close } = assemble(options, listening);
  return {
    thread,
    revoke,
    drain,
    close,
    async fetch(request, connection) {
      // Hosts pass objects of their own as the second argument.
      return answer(request, connection instanceof Connection ? connection.outgoing : undefined);
    },
    async listen(where = {}) {
      if (isOpen && !isLoopback(where.hostname ?? "127.0.0.1")) {
        throw new OpstateError(
          "insecure_server",
          `A server without \`authorize\` can listen on loopback only, not on "${where.hostname}".`,
        );
      }
      const server = await listen(async (request, { outgoing }) => answer(request, outgoing), where);
      listening.add(server);
      await join();
      const { port, hostname, url } = server;
      return { port, hostname, url };
    },
  };
}
