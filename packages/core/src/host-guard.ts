// "@opstate/core/host-guard": which hosts and web pages may reach a server. For hosts of HTTP:
// `@opstate/server` and `@opstate/streams` ask it before anything else.
//
// Invariants:
// - This file is the only place that knows which hosts name this machine.
// - A program sends no Origin header; the check of origins concerns web pages only.

/** What is read of a `Request`. */
export interface GuardedRequest {
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

declare const URL: { new (url: string): { readonly host: string }; canParse(url: string): boolean };

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Whether a host name or address reaches this machine only. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname) || hostname === "::1";
}

/**
 * The host that a request names, with its port, unless it is `localhost`, `127.x.x.x` or `[::1]`.
 */
export function nonLoopbackHost(request: GuardedRequest): string | undefined {
  const host = hostOf(request);
  return LOOPBACK_HOST.test(host) ? undefined : host;
}

/**
 * Why a request is refused that comes from a page of another origin than the server's and those
 * listed; undefined where it is not.
 *
 * @example
 * ```ts
 * import { originFault } from "@opstate/core/host-guard";
 *
 * const headers = new Headers({ host: "board.example", origin: "https://other.example" });
 * originFault({ url: "https://board.example/", headers }, ["https://other.example"]); // undefined
 * ```
 */
export function originFault(request: GuardedRequest, origins: readonly string[]): string | undefined {
  const origin = request.headers.get("origin");
  if (origin === null || origins.includes(origin)) return undefined;
  // Browsers set this header themselves. It is right even behind a proxy that changes the host.
  if (request.headers.get("sec-fetch-site") === "same-origin") return undefined;
  if (URL.canParse(origin) && new URL(origin).host === hostOf(request)) return undefined;
  return `Pages of ${origin.slice(0, 200)} may not use this server. To allow them, list the origin in \`origins\`.`;
}

/** Why an open server refuses a request under a name that is not this machine's. */
export function hostFault(request: GuardedRequest): string | undefined {
  const host = nonLoopbackHost(request);
  return host === undefined
    ? undefined
    : `An insecure server answers on localhost only, not as "${host.slice(0, 200)}".`;
}

function hostOf(request: GuardedRequest): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}
