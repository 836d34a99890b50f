// A declared list that appends. Its items have no schema.
//
// - An item with the shape of a message follows the rules of `messages` for ids and removals. It
//   keeps its shape.
// - Every other item is appended as it is.

import { $ZodArray, $ZodUnknown } from "zod/v4/core";
import type { AnyField } from "./field.ts";
import { createListField, type Accepted } from "./list-field.ts";
import { isMessageLike } from "./message.ts";
import { mintId } from "./message-id.ts";

export function declaredAppend(initial: readonly unknown[]): AnyField {
  const schema = new $ZodArray({ type: "array", element: new $ZodUnknown({ type: "unknown" }) });
  return createListField({ kind: "append", schema, initial, accept: withIds, idOf: messageId });
}

/** Messages without an id get one, as in `messages`, so that they can be removed or replaced. */
function withIds(items: readonly unknown[], beside: readonly unknown[]): Accepted {
  const usedIds = new Set([...beside, ...items].map(messageId).filter((id) => id !== undefined));
  return {
    ok: true,
    items: items.map((item) =>
      isMessageLike(item) && messageId(item) === undefined ? { ...item, id: mintId(item, usedIds) } : item,
    ),
  };
}

function messageId(item: unknown): string | undefined {
  return isMessageLike(item) && typeof item["id"] === "string" ? item["id"] : undefined;
}
