// Updates that were copied when they came in. The reducer works on such a copy as it is; any other
// update it copies itself.
//
// Invariant: only copies that this class made are remembered, and no code writes to them.

import { copyJson, type JsonCopy, type JsonLimits } from "./limits/limits.ts";

export class DetachedUpdates {
  readonly #sizes = new WeakMap<object, JsonLimits>();

  /** Copies an update from outside, and remembers the copy. */
  copy(update: unknown, limits: JsonLimits): JsonCopy {
    const copy = copyJson(update, limits);
    if (copy.ok && typeof copy.value === "object" && copy.value !== null) this.#sizes.set(copy.value, copy.size);
    return copy;
  }

  /** Whether `update` is such a copy and within these limits. */
  has(update: unknown, { depth, nodes, bytes }: JsonLimits): boolean {
    const size = typeof update === "object" && update !== null ? this.#sizes.get(update) : undefined;
    return size !== undefined && size.depth <= depth && size.nodes <= nodes && size.bytes <= bytes;
  }
}
