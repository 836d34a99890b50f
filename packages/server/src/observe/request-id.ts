// The id of a request, on every answer as `x-request-id`: the one that a proxy or client gave, when
// it is sane, else a new one.

import { randomId } from "@opstate/core/thread";

/** Printable, without what logs and headers give a meaning to; short enough for a log line. */
const SANE = /^[A-Za-z0-9][A-Za-z0-9._:+/=@-]{0,127}$/;

export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && SANE.test(given) ? given : randomId();
}
