// The headers of every response: what a browser may do with it, and which origins may read it.

import { REQUEST_HEADERS, RESPONSE_HEADERS } from "./headers.ts";

export function withCommonHeaders(response: Response, request: Request, origins: readonly string[]): Response {
  const { headers } = response;
  headers.set("x-content-type-options", "nosniff");
  headers.set("cross-origin-resource-policy", origins.length > 0 ? "cross-origin" : "same-origin");
  // A stream of HTML that is opened in a browser is shown, and runs nothing.
  headers.set("content-security-policy", "default-src 'none'; sandbox");
  if (request.method === "OPTIONS") {
    // Without an allowed origin beside them they allow nothing.
    headers.set("access-control-allow-methods", "DELETE, GET, HEAD, POST, PUT");
    headers.set("access-control-allow-headers", REQUEST_HEADERS.join(", "));
    headers.set("access-control-max-age", "600");
  }
  if (origins.length === 0) return response;
  headers.append("vary", "origin");
  const origin = request.headers.get("origin");
  if (origin === null || !origins.includes(origin)) return response;
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-allow-credentials", "true");
  headers.set("access-control-expose-headers", RESPONSE_HEADERS.join(", "));
  return response;
}
