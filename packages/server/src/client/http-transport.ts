// A replica's transport over HTTP: one SSE stream in, POSTs out. Runs in browsers and in Node.

import type { Transport } from "@opstate/core";
import { HttpConnection } from "./http-connection.ts";
import { pathPart } from "./path-part.ts";
import type { RequestHeaders, RequestOptions } from "./request.ts";

export type HttpTransportOptions = RequestOptions;

/**
 * A transport to a thread on an opstate server. It reconnects by itself with backoff, and at once
 * when the browser comes online.
 *
 * After a response of 401, 403 or 404 its status is `unauthenticated`, `forbidden` or `not_found`,
 * with a RequestError. Then it connects again with the next dispatch, or when the page becomes
 * visible or the browser comes online.
 *
 * @example
 * ```ts
 * import { createReplica } from "@opstate/core";
 * import { httpTransport } from "@opstate/server/client";
 *
 * const transport = httpTransport({ url: "", threadId: "launch" });
 * const replica = createReplica({ definition: board, transport });
 * ```
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const { headers = {}, fetch = (input, init) => globalThis.fetch(input, init) } = options;
  const address = `${options.url.replace(/\/+$/, "")}/threads/${pathPart(options.threadId)}`;
  const hasFreshHeaders = typeof headers === "function";

  async function request(path: string, init: RequestInit): Promise<Response> {
    const fresh = typeof headers === "function" ? await headers() : headers;
    return fetch(address + path, { ...init, headers: { ...fresh, ...(init.headers as RequestHeaders) } });
  }

  return {
    key: ["http", address, hasFreshHeaders ? "fresh headers" : JSON.stringify(headers)],
    connect(line) {
      const connection = new HttpConnection({ request, hasFreshHeaders }, line);
      return {
        send: (submission) => connection.send(submission),
        retry: () => connection.retry(),
        close: () => connection.close(),
      };
    },
  };
}
