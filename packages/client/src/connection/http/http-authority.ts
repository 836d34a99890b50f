// The authority of a client over HTTP. Its code is loaded when it is first used.

import type { Carrier } from "../../carrier.ts";
import type { Authority } from "../authority.ts";
import { lateCarrier } from "../late-carrier.ts";
import type { HttpCarrierOptions } from "./http-carrier.ts";
import { once } from "../../once.ts";
import type { Requester, RequestOptions } from "./request.ts";

export interface HttpAuthorityOptions extends RequestOptions {
  /** Requests news again and again instead of reading a stream. Default: where there are none. */
  readonly polling?: boolean;
  /**
   * What carries the threads of this page. Default: one stream, and requests. With `socketCarrier`
   * of `@opstate/client/carriers` a WebSocket for each thread, with its branches: for servers of
   * `@opstate/cloudflare`, whose objects are out of memory then while nothing happens.
   */
  readonly carrier?: InnerCarrier;
}

/** Makes the carrier of one page, which sends its requests by the requester. */
export type InnerCarrier = (requester: Pick<Requester, "post">, options: HttpCarrierOptions) => Carrier;

/** What else carries the threads than a connection of this client alone. */
export type CarrierOver = (requester: Requester, options: HttpCarrierOptions) => Carrier;

/** `loadShared`: its code. Where it cannot be loaded, this client is on its own. */
export function httpAuthority(options: HttpAuthorityOptions, loadShared?: () => Promise<CarrierOver>): Authority {
  const load = once(async () => (await import("./over-http.ts")).overHttp(options));

  return {
    carrier: lateCarrier(async () => {
      const loading = loadShared?.().catch(() => undefined);
      const [{ requester, carrier }, shared] = await Promise.all([load(), loading]);
      return (shared ?? carrier)(requester, options);
    }),
    async access(threadId, actor) {
      const [{ requester }, { pageAccess }] = await Promise.all([load(), import("./page-access.ts")]);
      return pageAccess(requester, threadId, actor);
    },
  };
}
