// The definition of a conversation that an opstate server keeps: `createServer({ definitions:
// [board, chatDefinition] })`.
//
// What messages and the rest of a conversation are is for the session to know: here they are JSON.

import { defineState } from "@opstate/core";
import { $ZodArray, $ZodNumber, $ZodObject, type $ZodType, $ZodUnknown } from "zod/v4/core";
import { CHAT_DEFINITION } from "./server-storage.ts";

const ANYTHING = new $ZodUnknown({ type: "unknown" });
const LIST = arrayOf(ANYTHING);
const NUMBER = new $ZodNumber({ type: "number" }) as $ZodNumber<number>;
const CHAT_FIELDS = { messages: LIST, rest: ANYTHING };
const SAVE_INPUT = { from: NUMBER, ...CHAT_FIELDS };

/**
 * zod's core has constructors without types for what they make; zod itself, which has them, is no
 * part of this package.
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
  /** `rest` is null until something was saved. */
  schema: object(CHAT_FIELDS),
  initial: { messages: [], rest: null },
  operations: {
    save: {
      description: "Replaces the messages from an index on, and everything that is no message",
      input: object(SAVE_INPUT),
      apply(draft, { from, messages, rest }, { reject }) {
        if (!Number.isSafeInteger(from) || from < 0 || from > draft.messages.length)
          return reject("not_there", `There is no message ${from} to begin at: there are ${draft.messages.length}.`);
        draft.messages.splice(from, draft.messages.length - from, ...messages);
        draft.rest = rest;
      },
    },
  },
  replace: { allow: [] },
});
