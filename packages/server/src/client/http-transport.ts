// A replica's transport over HTTP, for a replica that stands alone: a client of one thread.

import { checkId, httpCarrier, Requester, SharedConnection } from "@opstate/client/carriers";
import type { Transport } from "@opstate/core";
import type { ThreadRequestOptions } from "./request-options.ts";

export type HttpTransportOptions = ThreadRequestOptions;

/**
 * A transport to a thread on an opstate server. It reconnects by itself with backoff, and at once
 * when the browser comes online. Threads of one page share a connection with `createClient` of
 * `@opstate/client`; each transport has its own.
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
export function httpTransport({ threadId, ...options }: HttpTransportOptions): Transport {
  checkId(threadId);
  const { url, headers = {} } = options;
  const requester = new Requester(options);
  return {
    key: ["http", url.replace(/\/+$/, ""), threadId, typeof headers === "function" ? "fresh" : JSON.stringify(headers)],
    connect(line) {
      const shared = new SharedConnection(httpCarrier(requester), () => undefined);
      const connection = shared.transport(threadId, undefined, {}).connect(line);
      return {
        ...connection,
        close() {
          connection.close();
          shared.close();
        },
      };
    },
  };
}
