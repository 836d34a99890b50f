// A value that a component makes once and keeps: as long as it is made from the same.

import { useState } from "react";

/**
 * What `make` gives; made again when one of `from` is another. Making it must have no effect: React
 * may throw a render away.
 */
export function useStable<Value>(make: () => Value, ...from: readonly unknown[]): Value {
  const [kept, keep] = useState(() => ({ from, value: make() }));
  if (kept.from.every((part, index) => Object.is(part, from[index]))) return kept.value;
  const next = { from, value: make() };
  keep(next);
  return next.value;
}
