// An event that has passed a gate is not checked again by the fold behind it: the gate keeps the
// result of its check, and the fold uses it.
//
//   gate --enforceAtGate(event)--> kept by the event's identity --enforceOnce(event)--> fold
//
// Invariants:
// - A result belongs to one object and is used once.
// - The event in it is a detached copy: changing the object afterwards does not change the copy.
// - Only a gate keeps results. A fold without a gate checks every event that it gets.

import { enforce, type Enforced } from "./enforce.ts";

const ENFORCED = new WeakMap<object, Enforced>();

/** Checks the event, and keeps the result for the next `enforceOnce` of the same object. */
export function enforceAtGate(event: object): Enforced {
  const enforced = enforce(event);
  // Without a copy the check was cheap, so it is done again.
  if (enforced.event === event) ENFORCED.delete(event);
  else ENFORCED.set(event, enforced);
  return enforced;
}

/** The result that was kept for this object, or that of a new check. */
export function enforceOnce(event: unknown): Enforced {
  // No result is kept for a value that is not an object.
  const kept = ENFORCED.get(event as object);
  if (kept === undefined) return enforce(event);
  ENFORCED.delete(event as object);
  return kept;
}
