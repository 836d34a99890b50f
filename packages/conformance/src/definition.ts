// The definition that a server under test serves: a list of items, small enough to be written again
// in any language. Ids are inputs, so that such a server need not mint them as this one does.
//
// What each operation does and refuses is in the README; its schema is `vectors/definition.json`.

import { defineState } from "@opstate/core";
import { z } from "zod";

const ITEM_ID = z.string().min(1).max(40);
const TITLE = z.string().min(1).max(100);
const Item = z.object({ itemId: ITEM_ID, title: TITLE, done: z.boolean() });

export const conformanceList = defineState({
  name: "conformance",
  version: 1,
  schema: z.object({ items: z.array(Item), open: z.int() }),
  initial: { items: [], open: 0 },
  derive: { "/open": ({ items }) => items.filter((item) => !item.done).length },
  operations: {
    add: {
      description: "Add an item at the end of the list",
      input: z.object({ itemId: ITEM_ID, title: TITLE }),
      describe: ({ title }) => `Add "${title}"`,
      apply(draft, { itemId, title }, { reject }) {
        if (draft.items.some((item) => item.itemId === itemId))
          return reject("item_exists", `There is an item "${itemId}"`, { itemId });
        draft.items.push({ itemId, title, done: false });
      },
    },
    rename: {
      description: "Give an item another title",
      input: z.object({ itemId: ITEM_ID, title: TITLE }),
      describe: ({ itemId, title }) => `Rename ${itemId} to "${title}"`,
      apply(draft, { itemId, title }, { reject }) {
        const found = draft.items.find((item) => item.itemId === itemId);
        if (!found) return reject("item_not_found", `There is no item "${itemId}"`, idsOf(draft));
        found.title = title;
      },
    },
    check: {
      description: "Mark an item as done, or as not done",
      input: z.object({ itemId: ITEM_ID, done: z.boolean() }),
      describe: ({ itemId, done }) => `${done ? "Check" : "Uncheck"} ${itemId}`,
      apply(draft, { itemId, done }, { reject }) {
        const found = draft.items.find((item) => item.itemId === itemId);
        if (!found) return reject("item_not_found", `There is no item "${itemId}"`, idsOf(draft));
        found.done = done;
      },
    },
    move: {
      description: "Move an item to a position, counted from 0",
      input: z.object({ itemId: ITEM_ID, to: z.int().min(0) }),
      describe: ({ itemId, to }) => `Move ${itemId} to ${to}`,
      apply(draft, { itemId, to }, { reject }) {
        const from = draft.items.findIndex((item) => item.itemId === itemId);
        if (from === -1) return reject("item_not_found", `There is no item "${itemId}"`, idsOf(draft));
        const last = draft.items.length - 1;
        if (to > last) return reject("no_such_place", `The last position is ${last}`, { last });
        draft.items.splice(to, 0, ...draft.items.splice(from, 1));
      },
    },
    remove: {
      description: "Remove an item",
      input: z.object({ itemId: ITEM_ID }),
      approve: ["agent"],
      describe: ({ itemId }) => `Remove ${itemId}`,
      apply(draft, { itemId }, { reject }) {
        const at = draft.items.findIndex((item) => item.itemId === itemId);
        if (at === -1) return reject("item_not_found", `There is no item "${itemId}"`, idsOf(draft));
        draft.items.splice(at, 1);
      },
    },
    clear: {
      description: "Remove all items",
      input: z.object({}),
      allow: ["user"],
      describe: () => "Remove all items",
      apply(draft) {
        draft.items.splice(0);
      },
    },
  },
});

function idsOf({ items }: { readonly items: readonly { readonly itemId: string }[] }) {
  return { available: items.map(({ itemId }) => itemId) };
}
