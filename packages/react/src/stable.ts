// A value that a component creates once and keeps until a dependency changes.

import { useState } from "react";

/**
 * Returns the value of `create`, which runs again when a dependency changed. It must have no side
 * effect, because React may discard a render.
 */
export function useStable<Value>(create: () => Value, ...dependencies: readonly unknown[]): Value {
  const [stable, setStable] = useState(() => ({ dependencies, value: create() }));
  if (stable.dependencies.every((part, index) => Object.is(part, dependencies[index]))) return stable.value;
  const next = { dependencies, value: create() };
  setStable(next);
  return next.value;
}
