// An update read once: copied, so that its sender may change its own objects afterwards, and
// hashed.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { detach } from "../../engine/resolve.ts";
import { hashOperation } from "../log/operation-hash.ts";
import { typeOf } from "../type-of.ts";

export interface UpdateRead {
  /** Plain JSON. An update that cannot be read is replaced by its type and the fault. */
  readonly operation: unknown;
  readonly hash: string;
  /** Why it cannot be read. */
  readonly unreadable: Rejection | undefined;
}

/** An update that opstate itself made, of checked and detached parts. */
export function ownUpdate(operation: AnyOperation): UpdateRead {
  return { operation, hash: hashOperation(operation), unreadable: undefined };
}

/** Never throws. */
export function readUpdate(definition: AnyDefinition, update: unknown): UpdateRead {
  const copy = detach(definition.model, update);
  if (copy.ok) return { operation: copy.value, hash: hashOperation(copy.value), unreadable: undefined };
  const operation = { type: typeOf(update), unreadable: copy.fault.message };
  const tried = definition.transition(definition.initial, update);
  return { operation, hash: hashOperation(operation), unreadable: tried.accepted ? undefined : tried.rejection };
}
