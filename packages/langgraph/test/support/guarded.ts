// A list whose items an agent renames freely and removes only with approval, and agents that
// do.

import type { Interrupt } from "@langchain/langgraph";
import { MemorySaver } from "@langchain/langgraph";
import { defined, defineState, memoryLog, openThread, type Commit, type Thread } from "@opstate/core";
import { operationTools, opstateMiddleware, type ApprovalOptions, type ApprovalRequest } from "@opstate/langgraph";
import { createAgent, type fakeModel } from "langchain";
import * as z from "zod";
import { results } from "./forms.ts";

const Item = z.object({ id: z.string(), title: z.string() });

export const list = defineState({
  name: "list",
  schema: z.object({ items: z.array(Item) }),
  initial: { items: ["A", "B", "C", "D"].map((id) => ({ id, title: `Item ${id}` })) },
  operations: {
    remove: {
      description: "Remove an item",
      input: z.object({ id: z.string() }),
      approve: ["agent"],
      apply(draft, { id }, { reject }) {
        const index = draft.items.findIndex((item) => item.id === id);
        if (index < 0) return reject("item_not_found", `No item "${id}"`);
        draft.items.splice(index, 1);
      },
    },
    rename: {
      description: "Give an item another title",
      input: z.object({ id: z.string(), title: z.string() }),
      apply(draft, { id, title }, { reject }) {
        const found = draft.items.find((item) => item.id === id);
        if (!found) return reject("item_not_found", `No item "${id}"`);
        found.title = title;
      },
    },
    reset: {
      description: "Only for agents",
      input: z.object({}),
      allow: ["agent"],
      apply(draft) {
        draft.items = [];
      },
    },
  },
});

export type List = Thread<typeof list>;

export function openList(log = memoryLog()): Promise<List> {
  return openThread({ definition: list, log, threadId: "list" });
}

export function ids(thread: List): string {
  return thread
    .getState()
    .items.map(({ id }) => id)
    .join("");
}

export async function commits(thread: List): Promise<Commit[]> {
  return (await thread.history()).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
}

/** What happened, one word each: `$propose $approve`. */
export async function happened(thread: List): Promise<string> {
  return (await commits(thread)).map(({ operation }) => operation.type).join(" ");
}

export function guardedAgent(
  thread: List,
  model: ReturnType<typeof fakeModel>,
  {
    version,
    checkpointer = new MemorySaver(),
    ...options
  }: ApprovalOptions & { version?: "v1" | "v2"; checkpointer?: MemorySaver } = {},
) {
  return createAgent({
    model,
    tools: operationTools(list, { thread, ...options }),
    middleware: [opstateMiddleware(list, { thread, field: "list" })],
    checkpointer,
    ...defined({ version }),
  });
}

/**
 * What a run ended with waiting for: each operation's interrupt by the item that it is about.
 * (`getState` would list those too that were answered in the same superstep.)
 */
export function waiting(result: object): Record<string, { readonly id: string; readonly value: ApprovalRequest }> {
  const open: readonly Interrupt[] =
    "__interrupt__" in result && Array.isArray(result.__interrupt__) ? result.__interrupt__ : [];
  return Object.fromEntries(open.map(({ id, value }) => [value.operation.id, { id: String(id), value }]));
}

/** The first line of each tool's message. */
export function lines(messages: readonly unknown[]): string[] {
  return results(messages).map(({ text }) => text.split("\n", 1)[0] ?? "");
}
