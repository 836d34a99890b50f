// What an edit would get from an actor who may read and not write.

import type { Rejection } from "@opstate/core";

/** Undefined where the actor may write, or nobody said that they may not. */
export function readOnlyRejection(
  sync: { readonly isReadOnly?: true } | undefined,
  operation: unknown,
): Rejection | undefined {
  if (sync?.isReadOnly !== true) return undefined;
  const type: unknown = Reflect.get(Object(operation), "type");
  return {
    code: "forbidden",
    reason: "not_allowed",
    message: "You may read this, and not change it.",
    operation: { type: typeof type === "string" ? type : "$replace" },
  };
}
