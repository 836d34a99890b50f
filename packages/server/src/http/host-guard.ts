// Which hosts and web pages may reach a server.
//
// Invariants:
// - This file is the only place that knows which hosts name this machine.
// - A program sends no Origin header; the check of origins concerns web pages only.

import { Problem } from "./problem.ts";

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Whether a host name or address reaches this machine only. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname) || hostname === "::1";
}

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
  const host = hostOf(request);
  return LOOPBACK_HOST.test(host) ? undefined : host;
}

/** Throws a Problem when the request comes from a page of another origin that is not listed. */
export function checkOrigin(request: Request, origins: readonly string[]): void {
  const origin = request.headers.get("origin");
  if (origin === null || origins.includes(origin)) return;
  // Browsers set this header themselves. It is right even behind a proxy that changes the host.
  if (request.headers.get("sec-fetch-site") === "same-origin") return;
  if (URL.canParse(origin) && new URL(origin).host === hostOf(request)) return;
  throw new Problem(
    "origin_refused",
    `Pages of ${origin.slice(0, 200)} may not use this server. To allow them, list the origin in \`origins\`.`,
  );
}

/** Throws a Problem when an open server is reached under a name that is not this machine's. */
export function checkLoopbackHost(request: Request): void {
  const host = nonLoopbackHost(request);
  if (host === undefined) return;
  throw new Problem("origin_refused", `An insecure server answers on localhost only, not as "${host.slice(0, 200)}".`);
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

function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}
