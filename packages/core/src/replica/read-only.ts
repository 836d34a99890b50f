// What an edit gets from an actor who may read the thread and not change it.

import { rejection } from "@opstate/core/engine";
import type { Rejection } from "../engine/rejection/rejection.ts";
import { typeOf } from "../thread/type-of.ts";

/** Undefined where the actor may write, or it is not known that they may not. */
export function readOnlyRejection(isReadOnly: boolean | undefined, operation: unknown): Rejection | undefined {
  if (!isReadOnly) return undefined;
  return rejection("forbidden", typeOf(operation), "You may only read this.", { reason: "not_allowed" });
}
