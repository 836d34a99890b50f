// Which hosts and web pages may reach the server, as problems.

import * as guard from "@opstate/core/host-guard";
import { Problem } from "./problem.ts";

/**
 * The host that a request names, with its port, when that host is not this machine; undefined for
 * `localhost`, `127.x.x.x` and `[::1]`.
 *
 * An application without logins refuses such a request. Otherwise a web page can reach it through a
 * domain that points to this machine (DNS rebinding).
 *
 * @example
 * ```ts
 * import { createServer, listen, nonLoopbackHost } from "@opstate/server";
 *
 * const server = createServer({ definitions: [board], log, authorize });
 * await listen(async (request, connection) => {
 *   const host = nonLoopbackHost(request);
 *   if (host !== undefined) return new Response(`There is no "${host}" here.`, { status: 403 });
 *   return server.fetch(request, connection);
 * });
 * ```
 */
export function nonLoopbackHost(request: Request): string | undefined {
  return guard.nonLoopbackHost(request);
}

/** Throws a Problem when the request comes from a page of another origin that is not listed. */
export function checkOrigin(request: Request, origins: readonly string[]): void {
  const fault = guard.originFault(request, origins);
  if (fault !== undefined) throw new Problem("origin_refused", fault);
}

/** Throws a Problem when an open server is reached under a name that is not this machine's. */
export function checkLoopbackHost(request: Request): void {
  const fault = guard.hostFault(request);
  if (fault !== undefined) throw new Problem("origin_refused", fault);
}

/** Throws a Problem when the request names neither this machine nor one of the host names. */
export function checkHost(request: Request, hosts: readonly string[]): void {
  const host = nonLoopbackHost(request);
  if (host === undefined || hosts.includes(host) || hosts.includes(host.replace(/:\d+$/, ""))) return;
  throw new Problem(
    "origin_refused",
    `This does not answer as "${host.slice(0, 200)}". To allow it, list the name in \`hosts\` of the MCP endpoint.`,
  );
}
