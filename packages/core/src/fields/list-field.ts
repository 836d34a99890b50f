// The common part of the fields with a list: an update is an item or a list of items, accepted as a
// whole or refused as a whole.
//
// - A list that the field did not make (a checkpoint, user code) is checked once and remembered by
//   identity.
// - An invalid list is kept as it is and accepts no items, except a removal of all.

import type { $ZodType } from "zod/v4/core";
import { ANY_SIZE, copyJson } from "../engine/limits/limits.ts";
import { rejection, type RejectionParts } from "../engine/rejection/reject.ts";
import { createField, type Field, type Outcome } from "./field.ts";
import { removesAll, mergeById } from "./merge-by-id.ts";
import { plainMessages } from "./message-class.ts";

/**
 * The items as they stand in the list, or what is wrong with them. `path` is a JSON Pointer into
 * the list of items.
 */
export type Accepted =
  | { readonly ok: true; readonly items: readonly unknown[] }
  | ({ readonly ok: false; readonly message: string } & RejectionParts);

export interface ListSpec {
  readonly kind: string;
  /** Of the whole list. */
  readonly schema: $ZodType;
  readonly initial?: readonly unknown[];
  /** Reads items of plain JSON that will be added to `beside`. */
  readonly accept: (items: readonly unknown[], beside: readonly unknown[]) => Accepted;
  /** With it, items are merged by id, and removals are applied. */
  readonly idOf?: (item: unknown) => string | undefined;
}

export function createListField<Item, Update>({
  kind,
  schema,
  initial = [],
  accept,
  idOf,
}: ListSpec): Field<Item[], Update> {
  const known = new WeakSet<object>([initial]);
  const refuse = (
    code: "invalid_operation" | "invalid_state" | "refused",
    message: string,
    parts: RejectionParts,
  ): Outcome => ({
    ok: false,
    rejection: rejection(code, kind, message, parts),
  });

  /** A list from elsewhere. Valid items stay the same objects. */
  const adopt = (current: unknown): Accepted => {
    if (!Array.isArray(current)) return { ok: false, message: "it is not a list" };
    if (known.has(current)) return { ok: true, items: current };
    const plain = plainMessages(current);
    const copy = copyJson(plain, ANY_SIZE);
    if (!copy.ok) return { ok: false, message: copy.fault.message, path: copy.fault.path };
    return accept(Array.isArray(plain) ? plain : [], []);
  };

  const step = (current: unknown, update: unknown): Outcome => {
    const incoming: readonly unknown[] = Array.isArray(update) ? update : [update];
    if (incoming.length === 0) return { ok: true, value: current };
    // A list whose items are all removed need not be valid.
    const present: Accepted =
      idOf !== undefined && removesAll(incoming) && Array.isArray(current)
        ? { ok: true, items: current }
        : adopt(current);
    if (!present.ok) return refuse("invalid_state", `The current list is not valid: ${present.message}`, present);
    const accepted = accept(incoming, present.items);
    if (!accepted.ok) return refuse("invalid_operation", accepted.message, accepted);
    const merged =
      idOf === undefined
        ? { ok: true as const, items: [...present.items, ...accepted.items] }
        : mergeById(present.items, accepted.items, idOf);
    if (!merged.ok) {
      return refuse("refused", `There is no item with the id ${JSON.stringify(merged.id)} that could be removed`, {
        reason: "unknown_id",
        path: `/${merged.index}/id`,
      });
    }
    if (merged.items === present.items) return { ok: true, value: current };
    known.add(merged.items);
    return { ok: true, value: merged.items };
  };
  return createField({ kind, schema, initial, step });
}
