// The words of an edit until its commit has those of the authority.

import type { Model } from "../engine/model.ts";
import type { AnyOperation } from "../engine/operation.ts";

/** The author's words for one operation; undefined: it has the default ones. */
export function describeOperation(
  { operations }: Model,
  { type, ...input }: AnyOperation,
  before: unknown,
): string | undefined {
  try {
    const words = operations.get(type)?.describe?.(input, before);
    return typeof words === "string" ? words : undefined;
  } catch {
    // The authority calls its hook.
    return undefined;
  }
}
