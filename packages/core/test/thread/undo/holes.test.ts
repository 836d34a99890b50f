// What was put into a thing by a move is left out where that thing is made again: whatever keys the
// data itself has.

import { type Actor, defineState, memoryLog, openThread, type StateOf } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const ada: Actor = { kind: "user", id: "ada" };
const robot: Actor = { kind: "agent", id: "robot" };

const Part = z.record(z.string(), z.string());
const Box = z.object({ id: z.string(), parts: z.array(Part), inner: z.looseObject({}).optional() });

const boxes = defineState({
  name: "boxes",
  schema: z.object({ boxes: z.array(Box), loose: z.array(Part) }),
  replace: { allow: ["user"] },
  initial: { boxes: [], loose: [{ label: "one" }, { label: "two" }] },
  operations: {
    /** Its id follows from what is there: made without what came before, it would be another. */
    add: {
      input: z.object({ parts: z.array(Part) }),
      apply: (draft, { parts }) => void draft.boxes.push({ id: `B-${draft.boxes.length + 1}`, parts }),
    },
    /** A box with a part that was loose. */
    pack: {
      input: z.object({}),
      apply: (draft) =>
        void draft.boxes.push({
          id: `B-${draft.boxes.length + 1}`,
          parts: [...draft.loose.splice(0, 1), { label: "new" }],
        }),
    },
    addAt: {
      input: z.object({ at: z.int() }),
      apply: (draft, { at }, { id }) => void draft.boxes.splice(at, 0, { id: id("B-"), parts: [] }),
    },
    /** Below a fixed key of the box that is there. */
    packAt: {
      input: z.object({ at: z.int(), more: Part.optional() }),
      apply(draft, { at, more }, { reject }) {
        const box = draft.boxes[at];
        if (box === undefined) return reject("no_box");
        box.inner = { parts: [...draft.loose.splice(0, 1), ...(more === undefined ? [] : [more])] };
      },
    },
  },
});

async function open(initial: StateOf<typeof boxes>["boxes"] = []) {
  const thread = await openThread({ definition: boxes, log: memoryLog(), threadId: "t" });
  if (initial.length > 0)
    await thread.dispatch({ type: "$replace", value: { ...boxes.initial, boxes: initial } } as never, { actor: ada });
  await thread.dispatch(boxes.op.addAt({ at: 0 }), { actor: robot, id: "robot's" });
  return { thread, undo: () => thread.undo({ ids: ["robot's"] }, { actor: ada }) };
}

describe("a thing that is kept as it was made", () => {
  it("has the parts that look like a hole", async () => {
    const { thread, undo } = await open();
    const parts = [{ $thing: "x" }, { label: "y" }, { $thing: "/loose#0" }];
    await thread.dispatch(boxes.op.add({ parts }), { actor: ada });
    expect(await undo()).toMatchObject({ accepted: true });
    expect(thread.getState().boxes).toEqual([{ id: "B-2", parts }]);
  });

  it("has what was moved into it once, and nothing in its place", async () => {
    const { thread, undo } = await open();
    await thread.dispatch(boxes.op.pack({}), { actor: ada });
    const before = thread.getState().boxes[1];
    expect(await undo()).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ boxes: [before], loose: [{ label: "two" }] });
  });

  it("has what was moved below a key of it once, and nothing in its place", async () => {
    const { thread, undo } = await open();
    for (const at of [9, 9]) await thread.dispatch(boxes.op.addAt({ at }), { actor: ada });
    // Without the robot's box, another one would be there.
    await thread.dispatch(boxes.op.packAt({ at: 1, more: { $thing: "x" } }), { actor: ada });
    const [, packed, other] = thread.getState().boxes;
    expect(await undo()).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ boxes: [packed, other], loose: [{ label: "two" }] });
  });

  it("has it once also where the thing was there from the beginning", async () => {
    const { thread, undo } = await open([
      { id: "A", parts: [] },
      { id: "B", parts: [] },
    ]);
    await thread.dispatch(boxes.op.packAt({ at: 1, more: { $thing: "x" } }), { actor: ada });
    const [, packed, other] = thread.getState().boxes;
    expect(await undo()).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ boxes: [packed, other], loose: [{ label: "two" }] });
  });
});
