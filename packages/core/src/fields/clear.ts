// The update that sets a field to null. Null itself cannot: frameworks write it where there is no
// update.

import { isRecord } from "../json/container.ts";

const TYPE = "$clear";

/** Plain JSON: it can be sent, and a checkpoint can store it. */
export type Clear = { readonly type: typeof TYPE };

/** The updates of a field, with `Clear` where the field may hold null. */
export type WithClear<Value, Update> = null extends Value ? Update | Clear : Update;

export function isClear(update: unknown): update is Clear {
  return isRecord(update) && update["type"] === TYPE && Object.keys(update).length === 1;
}
