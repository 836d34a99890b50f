// A list, in a module as an application has one.

import { defineState } from "@opstate/core";
import { z } from "zod";

export const list = defineState({
  name: "list",
  schema: z.object({ items: z.array(z.string()) }),
  initial: { items: [] },
  operations: {
    add: {
      description: "Add an item",
      input: z.object({ item: z.string() }),
      apply(draft, { item }) {
        draft.items.push(item);
      },
    },
    clear: {
      description: "Remove all items",
      input: z.object({}),
      approve: ["agent"],
      apply(draft) {
        draft.items.splice(0);
      },
    },
  },
});
