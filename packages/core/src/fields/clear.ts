// The update that sets a field to null. Null itself cannot: frameworks write it where there is no
// update.

import { isRecord } from "../json/container.ts";

/** Plain JSON: it can be sent, and a checkpoint can store it. */
export type Clear = { readonly type: "$clear" };

/**
 * The updates of a field, with `Clear` where the field may be null. It is written out: an
 * application may export a field without naming its type, and no entry exports a name for it.
 */
export type WithClear<Value, Update> = null extends Value ? Update | { readonly type: "$clear" } : Update;

export function isClear(update: unknown): update is Clear {
  return isRecord(update) && update["type"] === "$clear" && Object.keys(update).length === 1;
}
