// Which hosts and web pages may reach a server.
//
// Invariant: a program sends no Origin header; the check of origins concerns web pages only.

import { Problem } from "./problem.ts";

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Whether a host name or address reaches this machine only. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname) || hostname === "::1";
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
  const host = hostOf(request);
  if (LOOPBACK_HOST.test(host)) return;
  throw new Problem("origin_refused", `An insecure server answers on localhost only, not as "${host.slice(0, 200)}".`);
}

function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}
