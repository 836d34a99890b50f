// Which hosts and web pages may reach the server, as problems.

import { hostFault, originFault } from "@opstate/core/host-guard";
import { Problem } from "./problem.ts";

/** Throws a Problem when the request comes from a page of another origin that is not listed. */
export function checkOrigin(request: Request, origins: readonly string[]): void {
  const fault = originFault(request, origins);
  if (fault !== undefined) throw new Problem("origin_refused", fault);
}

/** Throws a Problem when an open server is reached under a name that is not this machine's. */
export function checkLoopbackHost(request: Request): void {
  const fault = hostFault(request);
  if (fault !== undefined) throw new Problem("origin_refused", fault);
}
