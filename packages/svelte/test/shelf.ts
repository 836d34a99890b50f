// A small definition with a derived count, a thread of it, and a replica whose messages can be held
// back.

import {
  createReplica,
  defineState,
  memoryLog,
  openThread,
  threadTransport,
  type Transport,
  type UpdateOf,
} from "@opstate/core";
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
  /** Somebody else's update. */
  const act = (update: UpdateOf<typeof shelf>) => thread.dispatch(update, { actor: { kind: "user", id: "bob" } });
  return { thread, act };
}

/** A replica of a thread, in sync. While `hold` is on, its submissions wait. */
export async function openReplica() {
  const { thread, act } = await openShelf();
  const held: (() => void)[] = [];
  const gate = { hold: false, release: () => held.splice(0).forEach((send) => send()) };
  const inner = threadTransport(thread, { actor: ada });
  const transport: Transport = {
    connect(options) {
      const connection = inner.connect(options);
      return {
        ...connection,
        send: (submission) =>
          gate.hold ? void held.push(() => connection.send(submission)) : connection.send(submission),
      };
    },
  };
  const replica = createReplica({ definition: shelf, transport });
  await replica.ready();
  return { thread, act, replica, gate };
}
