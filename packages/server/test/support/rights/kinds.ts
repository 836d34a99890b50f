// Credentials of any actor kind, and a list of which agents need approval to wipe it.

import { defineState } from "@opstate/core";
import { z } from "zod";
import type { Right } from "../../../src/index.ts";

export const as = (kind: string, id: string, ...rights: Right[]) => ({
  authorization: `${kind} ${id} ${rights.join(",")}`,
});

/** Ada has every right. Bob and the robot read and write. */
export const ada = as("user", "ada", "read", "write", "undo", "approve", "admin");
export const bob = as("user", "bob", "read", "write");
export const robot = as("agent", "robot", "read", "write");

export const list = defineState({
  name: "list",
  version: 1,
  schema: z.object({ items: z.array(z.string()) }),
  initial: { items: [] },
  operations: {
    add: {
      description: "Put an item on the list",
      input: z.object({ item: z.string() }),
      apply(draft, { item }, { reject }) {
        if (draft.items.includes(item)) return reject("there_already", `"${item}" is on the list`);
        draft.items.push(item);
      },
    },
    wipe: {
      description: "Take everything off",
      input: z.object({}),
      approve: ["agent"],
      apply(draft) {
        draft.items = [];
      },
    },
  },
});

export const add = (item: string) => ({ type: "add", item }) as const;
export const wipe = { type: "wipe" };
