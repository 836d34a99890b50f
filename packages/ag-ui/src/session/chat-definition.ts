// The definition of a conversation that an opstate server stores: `createServer({ definitions:
// [board, chatDefinition] })`. The session knows what its members are: here they are any JSON.

import { defineState } from "@opstate/core";
import { $ZodArray, $ZodNumber, $ZodObject, type $ZodType, $ZodUnknown } from "zod/v4/core";
import { CHAT_DEFINITION } from "./server-storage.ts";

const ANYTHING = new $ZodUnknown({ type: "unknown" });
const LIST = arrayOf(ANYTHING);
const NUMBER = new $ZodNumber({ type: "number" }) as $ZodNumber<number>;
const CHAT_FIELDS = { messages: LIST, rest: ANYTHING };
const SAVE_INPUT = { from: NUMBER, ...CHAT_FIELDS };

/**
 * The constructors of zod's core do not type what they make. Those of zod itself do, but this
 * package does not include it.
 */
function object<Shape extends Record<string, $ZodType>>(shape: Shape): $ZodObject<Shape> {
  return new $ZodObject({ type: "object", shape }) as $ZodObject<Shape>;
}

function arrayOf<Item extends $ZodType>(element: Item): $ZodArray<Item> {
  return new $ZodArray({ type: "array", element }) as $ZodArray<Item>;
}

export const chatDefinition = defineState({
  name: CHAT_DEFINITION,
  version: 1,
  /** `rest` is null until the first save. */
  schema: object(CHAT_FIELDS),
  initial: { messages: [], rest: null },
  operations: {
    save: {
      description: "Replaces the messages from an index on, and everything else",
      input: object(SAVE_INPUT),
      apply(draft, { from, messages, rest }, { reject }) {
        if (!Number.isSafeInteger(from) || from < 0 || from > draft.messages.length)
          return reject(
            "not_there",
            `The save begins at message ${from}, but there are only ${draft.messages.length} messages.`,
          );
        draft.messages.splice(from, draft.messages.length - from, ...messages);
        draft.rest = rest;
      },
    },
  },
  replace: { allow: [] },
});
