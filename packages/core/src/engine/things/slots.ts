// How much memory a state takes, and the names of its things, in slots of containers: 8 to 50 bytes
// each.
//
// Versions share what did not change between them. So a version counts what its commit made anew:
// what its patches put in, the containers on their paths, and the names of the lists among those.

import { isContainer } from "../../json/container.ts";
import { parsePointer, type Patch } from "../../patch/index.ts";

/** About how many slots a commit made anew that led to a state. */
export function slotsOf(patches: Patch, state: unknown): number {
  const made = new Set<object>();
  let slots = 0;
  for (const step of patches) {
    if ("value" in step) slots += sizeOf(step.value);
    let value = state;
    for (const token of parsePointer(step.path)) {
      if (!isContainer(value)) break;
      if (!made.has(value)) {
        made.add(value);
        // A list has names beside its items; a large object is a table of three words a key.
        slots += Array.isArray(value) ? 2 * value.length : 3 * Object.keys(value).length;
      }
      value = value[token];
    }
  }
  return slots;
}

/** How many slots a whole state has. */
export function sizeOf(state: unknown): number {
  if (!isContainer(state)) return 0;
  const parts: readonly unknown[] = Object.values(state);
  return parts.reduce<number>(
    (sum, part) => sum + sizeOf(part),
    Array.isArray(state) ? parts.length : 3 * parts.length,
  );
}
