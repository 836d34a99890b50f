// A server over HTTP as what a client stands on.

import { defined } from "@opstate/core";
import type { Authority } from "../authority.ts";
import { httpCarrier } from "./http-carrier.ts";
import { Requester, type RequestOptions } from "./request.ts";

export interface HttpAuthorityOptions extends RequestOptions {
  /** Asks for news again and again instead of reading a stream. Default: where there are none. */
  readonly polling?: boolean;
}

export function httpAuthority(options: HttpAuthorityOptions): Authority {
  const requester = new Requester(options);
  const { polling } = options;
  return {
    carrier: httpCarrier(requester, defined({ polling })),
    async access(threadId) {
      const { httpAccess } = await import("./http-access.ts");
      return httpAccess(requester, threadId);
    },
  };
}
