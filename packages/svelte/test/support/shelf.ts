// A small definition with a derived count, a thread of it, and a page of that whose edits can be
// held back.

import { createClient } from "@opstate/client";
import { defineState, memoryLog, openThread, type Thread, type UpdateOf } from "@opstate/core";
import { z } from "zod";

const Box = z.object({ id: z.string(), label: z.string() });

export const shelf = defineState({
  name: "shelf",
  schema: z.object({ title: z.string(), count: z.int(), boxes: z.array(Box) }),
  initial: { title: "Shelf", count: 0, boxes: [] },
  derive: { "/count": (state) => state.boxes.length },
  operations: {
    rename: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }) {
        draft.title = title;
      },
    },
    put: {
      input: z.object({ id: z.string(), label: z.string() }),
      apply(draft, { id, label }, { reject }) {
        if (draft.boxes.some((box) => box.id === id)) return reject("taken", `There is a box "${id}" already`);
        draft.boxes.push({ id, label });
      },
    },
    label: {
      input: z.object({ id: z.string(), label: z.string() }),
      apply(draft, { id, label }, { reject }) {
        const box = draft.boxes.find((each) => each.id === id);
        if (!box) return reject("missing", `There is no box "${id}"`);
        box.label = label;
      },
    },
    seal: {
      input: z.object({}),
      allow: ["system"],
      apply(draft) {
        draft.title = "Sealed";
      },
    },
  },
});

export const ada = { kind: "user", id: "ada" } as const;

export async function openShelf() {
  const thread = await openThread({ definition: shelf, log: memoryLog(), threadId: "test" });
  /** Another person's update. */
  const act = (update: UpdateOf<typeof shelf>) => thread.dispatch(update, { actor: { kind: "user", id: "bob" } });
  return { thread, act };
}

/**
 * A thread as a page has it, over a client. While `hold` is on, its submissions wait. `wire` counts
 * its connections, and how often the thread was looked for.
 */
export async function openPage() {
  const { thread, act } = await openShelf();
  const held: (() => void)[] = [];
  const gate = { hold: false, release: () => held.splice(0).forEach((send) => send()) };
  const wire = { asked: 0, connects: 0, open: 0 };
  const wired: typeof thread = Object.assign(Object.create(thread) as typeof thread, {
    async submit(...given: Parameters<typeof thread.submit>) {
      if (gate.hold) await new Promise<void>((resolve) => void held.push(resolve));
      return thread.submit(...given);
    },
    onCommit(listener: Parameters<typeof thread.onCommit>[0]) {
      wire.connects += 1;
      wire.open += 1;
      const end = thread.onCommit(listener);
      return () => {
        wire.open -= 1;
        end();
      };
    },
  });
  const find = { reach: (): Thread | undefined | Promise<Thread | undefined> => wired };
  const client = createClient({
    threads() {
      wire.asked += 1;
      return find.reach();
    },
    actor: ada,
  });
  const page = client.thread(shelf, "test");
  return { thread, wired, act, client, page, gate, wire, find };
}
