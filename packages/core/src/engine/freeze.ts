// Freezes a state, or a part of one, as `draft/freeze.ts` says.

import { freezeOne, type Freezing } from "./draft/freeze.ts";
import { isContainer } from "../json/container.ts";

/**
 * Freezes a JSON value and everything below it that is not frozen yet: what is frozen was frozen
 * with all below it. What it has in the same place as `before`, a value that was treated like this,
 * is passed over.
 */
export function deepFreeze<T>(value: T, freezing: Freezing = true, before?: unknown): T {
  if (freezing === false || value === before || !isContainer(value) || Object.isFrozen(value)) return value;
  const old = isContainer(before) ? before : undefined;
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) deepFreeze(value[i], freezing, old?.[i]);
  else
    for (const key of Object.keys(value))
      deepFreeze(value[key], freezing, old !== undefined && Object.hasOwn(old, key) ? old[key] : undefined);
  freezeOne(value, freezing);
  return value;
}
