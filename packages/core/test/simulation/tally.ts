// The state of the simulation, and a quick comparison. The generic one would cost more than the
// rest of a check.

import type { StateOf } from "@opstate/core";
import { tally } from "../thread/tally.ts";

export { tally };
export type Tally = StateOf<typeof tally>;

/** Deep equality. */
export function sameTally(a: Tally, b: Tally): boolean {
  if (a === b) return true;
  return (
    Object.keys(a).length === Object.keys(b).length &&
    a.count === b.count &&
    a.size === b.size &&
    a.names.length === b.names.length &&
    a.names.every((name, index) => name === b.names[index])
  );
}
