// A clock that goes on by a second each time it is read.

import type { Clock } from "../../src/graph/speak.ts";

export function tickingClock(): Clock {
  let time = Date.parse("2026-03-01T12:00:00.000Z");
  return () => new Date((time += 1000));
}
