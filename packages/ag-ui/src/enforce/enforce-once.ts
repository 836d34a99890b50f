// One judgement of an event for two readers: the gate of a session judges it, and the fold takes
// the result instead of judging it again.
//
// Invariants:
// - A judgement belongs to one object and is taken once.
// - It holds a detached copy, so what is done to the object afterwards changes nothing in it.
// - Only the gate leaves judgements: the fold alone judges all that it is given.

import { enforce, type Enforced } from "./enforce.ts";

const ENFORCED = new WeakMap<object, Enforced>();

/** Enforces the protocol on the event, and keeps the result for the next `enforceOnce` of the same object. */
export function enforceAtGate(event: object): Enforced {
  const enforced = enforce(event);
  // An event that is taken as it is was cheap to judge: it is judged again.
  if (enforced.event === event) ENFORCED.delete(event);
  else ENFORCED.set(event, enforced);
  return enforced;
}

/** The result that was left for this object, or a new one. */
export function enforceOnce(event: unknown): Enforced {
  // A key that is not an object is in no WeakMap.
  const left = ENFORCED.get(event as object);
  if (left === undefined) return enforce(event);
  ENFORCED.delete(event as object);
  return left;
}
