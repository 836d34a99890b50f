// A small state with what a client must carry: an operation that can refuse, one that needs an
// approval, permissions.

import { type Actor, defineState } from "@opstate/core";
import { z } from "zod";

export const ada: Actor = { kind: "user", id: "ada" };
export const bob: Actor = { kind: "user", id: "bob" };
export const robot: Actor = { kind: "agent", id: "robot" };

export function defineTally(version = 1) {
  return defineState({
    name: "tally",
    version,
    schema: z.object({ count: z.int(), names: z.array(z.string()) }),
    initial: { count: 0, names: [] },
    operations: {
      add: {
        input: z.object({ by: z.int() }),
        apply(draft, { by }, { reject }) {
          if (by > 100) return reject("too_much", `${by} is more than 100`);
          draft.count += by;
        },
      },
      name: {
        input: z.object({ name: z.string() }),
        apply(draft, { name }, { reject }) {
          if (draft.names.includes(name)) return reject("name_taken", `"${name}" is on the list`);
          draft.names.push(name);
        },
      },
      unname: {
        input: z.object({ name: z.string() }),
        apply(draft, { name }, { reject }) {
          const index = draft.names.indexOf(name);
          if (index < 0) return reject("name_not_found", `No "${name}" on the list`);
          draft.names.splice(index, 1);
        },
      },
      reset: { input: z.object({}), allow: ["user"], apply: (draft) => void (draft.count = 0) },
    },
  });
}

export const tally = defineTally();
export type Tally = typeof tally;

export const add = (by: number) => ({ type: "add", by }) as const;

/** Resolves after so many turns of the event loop: all that was ready to run has run by then. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when the condition holds; it is checked after each turn of the event loop. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5_000; turn++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error(`This did not come: ${what}`);
}
