// The request as another node is to answer it.

import type { Context } from "hono";
import type { PassedRequest } from "../owners/passed-request.ts";
import type { Environment } from "./environment.ts";

/** Without its body, which was read. */
export function passedOf(context: Context<Environment>): PassedRequest {
  const { method, url, headers, signal } = context.req.raw;
  const { outgoing } = context.env;
  const own = new Headers(headers);
  own.set("x-request-id", context.var.requestId);
  return { method, url, headers: own, signal, body: () => "", breakOff: outgoing && (() => void outgoing.destroy()) };
}
