// Cards whose operations work by id, by position, on all of them, and with ids of both kinds.

import { type Actor, createReplica, defineState, memoryLog, openThread, threadTransport } from "@opstate/core";
import { z } from "zod";
import { ada, bob } from "../thread/tally.ts";
import { gate } from "./gate.ts";

export const cards = defineState({
  name: "cards",
  schema: z.object({
    cards: z.array(z.object({ id: z.string(), title: z.string(), done: z.boolean(), tags: z.array(z.string()) })),
    size: z.int(),
  }),
  initial: {
    cards: ["A", "B", "C"].map((title, index) => ({ id: `T-${index + 1}`, title, done: false, tags: [] })),
    size: 3,
  },
  patches: true,
  replace: { allow: ["user", "agent", "system"] },
  derive: { "/size": (state) => state.cards.length },
  operations: {
    /** Its id follows from what is there: the state of another has another one. */
    addNumbered: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }) {
        draft.cards.push({ id: `T-${draft.cards.length + 1}`, title, done: false, tags: [] });
      },
    },
    add: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }, { id }) {
        draft.cards.push({ id: id("T-"), title, done: false, tags: [] });
      },
    },
    rename: {
      input: z.object({ id: z.string(), title: z.string() }),
      apply(draft, { id, title }, { reject }) {
        const card = draft.cards.find((each) => each.id === id);
        if (!card) return reject("not_found");
        card.title = title;
      },
    },
    remove: {
      input: z.object({ id: z.string() }),
      apply(draft, { id }, { reject }) {
        const index = draft.cards.findIndex((card) => card.id === id);
        if (index < 0) return reject("not_found");
        draft.cards.splice(index, 1);
      },
    },
    removeAt: {
      input: z.object({ index: z.int() }),
      apply: (draft, { index }) => void draft.cards.splice(index, 1),
    },
    /** As `removeAt`, for an agent with a person's approval. */
    wipe: {
      input: z.object({ index: z.int() }),
      approve: ["agent"],
      apply: (draft, { index }) => void draft.cards.splice(index, 1),
    },
    toTop: {
      input: z.object({ id: z.string() }),
      apply(draft, { id }) {
        const index = draft.cards.findIndex((card) => card.id === id);
        draft.cards.unshift(...draft.cards.splice(index, 1));
      },
    },
    insert: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }, { id }) {
        draft.cards.unshift({ id: id("T-"), title, done: false, tags: [] });
      },
    },
    renameLast: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }) {
        const last = draft.cards.at(-1);
        if (last) last.title = title;
      },
    },
    finishFirstOpen: {
      input: z.object({}),
      retarget: true,
      apply(draft, _, { reject }) {
        const open = draft.cards.find(({ done }) => !done);
        if (!open) return reject("none_open");
        open.done = true;
      },
    },
  },
});

/** A thread, and the replicas of Ada and Bob on lines that can go down. */
export async function twoPeople() {
  const thread = await openThread({ definition: cards, log: memoryLog(), threadId: "t" });
  const person = (actor: Actor) => {
    const line = gate(threadTransport(thread, { actor }));
    const replica = createReplica({ definition: cards, transport: line.transport, actor });
    return { ...line, replica, dispatch: replica.dispatch, titles: () => titlesOf(replica.getState()) };
  };
  return { thread, ada: person(ada), bob: person(bob), titles: () => titlesOf(thread.getState()) };
}

export function titlesOf(state: { readonly cards: readonly { readonly title: string }[] }): string {
  return state.cards.map(({ title }) => title).join(" ");
}

/** Resolves when nothing in the process can go on by itself. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
