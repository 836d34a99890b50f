// What reaches a server over HTTP. A client loads it with its first thread.

import type { HttpAuthorityOptions, InnerCarrier } from "./http-authority.ts";
import { httpCarrier } from "./http-carrier.ts";
import { Requester } from "./request.ts";

export function overHttp(options: HttpAuthorityOptions): {
  readonly requester: Requester;
  readonly carrier: InnerCarrier;
} {
  return { requester: new Requester(options), carrier: options.carrier ?? httpCarrier };
}
