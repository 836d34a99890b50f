// A server over HTTP as what a client stands on.

import { defined } from "@opstate/core";
import type { Carrier } from "../../carrier.ts";
import type { Authority } from "../authority.ts";
import { httpCarrier, type HttpCarrierOptions } from "./http-carrier.ts";
import { Requester, type RequestOptions } from "./request.ts";

export interface HttpAuthorityOptions extends RequestOptions {
  /** Asks for news again and again instead of reading a stream. Default: where there are none. */
  readonly polling?: boolean;
}

/** `carrierOf`: what else carries the threads than a connection of this client alone. */
export function httpAuthority(
  options: HttpAuthorityOptions,
  carrierOf: (requester: Requester, options: HttpCarrierOptions) => Carrier = httpCarrier,
): Authority {
  const requester = new Requester(options);
  const { polling } = options;
  return {
    carrier: carrierOf(requester, defined({ polling })),
    async access(threadId, actor) {
      const { httpAccess } = await import("./http-access.ts");
      return httpAccess(requester, threadId, actor);
    },
  };
}
