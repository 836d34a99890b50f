// A person who goes back and forth many times.

import { defineState, memoryLog, openThread } from "@opstate/core";
import { expect, it } from "vitest";
import { z } from "zod";

const ada = { kind: "user", id: "ada" };

const notes = defineState({
  name: "notes",
  schema: z.object({ notes: z.array(z.object({ id: z.string(), text: z.string() })) }),
  initial: { notes: [] },
  operations: {
    write: {
      input: z.object({ text: z.string() }),
      apply(draft, { text }, { id }) {
        draft.notes.push({ id: id("N-"), text });
      },
    },
  },
});

it("undoes and redoes some hundred times", async () => {
  const thread = await openThread({ definition: notes, log: memoryLog(), threadId: "t" });
  await thread.dispatch(notes.op.write({ text: "one" }), { actor: ada, id: "toggle 0" });
  await thread.dispatch(notes.op.write({ text: "two" }), { actor: ada });
  const both = thread.getState();
  for (let round = 1; round <= 250; round++) {
    const verdict = await thread.undo({ ids: [`toggle ${round - 1}`] }, { actor: ada, id: `toggle ${round}` });
    expect(verdict.accepted).toBe(true);
    if (round % 2 === 1) expect(thread.getState().notes.map(({ text }) => text)).toEqual(["two"]);
    else expect(thread.getState()).toEqual(both);
  }
});
