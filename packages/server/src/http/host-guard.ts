// Which web pages may send requests. Programs send no Origin header and are not concerned.

import { Problem } from "./problem.ts";

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Whether a host name or address reaches this machine only. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname) || hostname === "::1";
}

/** Refuses a page of another origin, unless it is listed. */
export function checkOrigin(request: Request, origins: readonly string[]): void {
  const origin = request.headers.get("origin");
  if (origin === null || origins.includes(origin)) return;
  // Browsers set this header themselves; it stays right behind a proxy that changes the host.
  if (request.headers.get("sec-fetch-site") === "same-origin") return;
  if (URL.canParse(origin) && new URL(origin).host === hostOf(request)) return;
  throw new Problem(
    "origin_refused",
    `Pages of ${origin.slice(0, 200)} may not use this server; list the origin in \`origins\` if they may.`,
  );
}

/**
 * An open server answers to loopback names only: else any page could reach it through a name of its
 * own that points here (DNS rebinding).
 */
export function checkLoopbackHost(request: Request): void {
  const host = hostOf(request);
  if (!LOOPBACK_HOST.test(host))
    throw new Problem(
      "origin_refused",
      `An insecure server answers on localhost only, not as "${host.slice(0, 200)}".`,
    );
}

function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}
