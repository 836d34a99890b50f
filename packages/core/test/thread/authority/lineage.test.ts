// What it costs to know the things of older versions: each commit is followed about once, whatever
// the order in which versions are asked for.

import { defineState, type Log, memoryLog, openThread, type Verdict } from "@opstate/core";
import { expect, it } from "vitest";
import { z } from "zod";

const ada = { kind: "user", id: "ada" };

const notes = defineState({
  name: "notes",
  schema: z.object({ notes: z.array(z.object({ id: z.string(), text: z.string() })) }),
  initial: { notes: [] },
  operations: {
    writeOnTop: {
      input: z.object({ text: z.string() }),
      apply(draft, { text }, { id }) {
        draft.notes.unshift({ id: id("N-"), text });
      },
    },
    editAt: {
      input: z.object({ at: z.int(), text: z.string() }),
      apply(draft, { at, text }) {
        const note = draft.notes[at];
        if (note) note.text = text;
      },
    },
  },
});

/** A log that counts the commits that are read from it. */
function counting(log: Log): { readonly log: Log; read: number } {
  const counter = {
    read: 0,
    log: {
      ...log,
      async read(...given: Parameters<Log["read"]>) {
        const commits = await log.read(...given);
        counter.read += commits.length;
        return commits;
      },
    },
  };
  return counter;
}

async function written(count: number) {
  const counter = counting(memoryLog());
  const thread = await openThread({ definition: notes, log: counter.log, threadId: "t" });
  for (let index = 1; index <= count; index++)
    await thread.dispatch(notes.op.writeOnTop({ text: `${index}` }), { actor: ada });
  const texts = () => thread.getState().notes.map(({ text }) => text);
  return { thread, counter, texts };
}

const reasonOf = (verdict: Verdict) => (verdict.accepted ? undefined : verdict.rejection.reason);

it("follows each commit about once, when pages come back with edits of many versions", async () => {
  const { thread, counter, texts } = await written(400);
  counter.read = 0;
  for (const basedOn of [10, 300, 12, 11, 301, 200, 10, 13]) {
    const things = [`/notes/${basedOn - 1}`];
    // The oldest note of all, by its place then, and by its place now.
    const verdict = await thread.dispatch(notes.op.editAt({ at: 399, text: `from ${basedOn}` }), {
      actor: ada,
      basedOn,
      things,
    });
    expect(verdict.accepted).toBe(true);
    expect(texts()[399]).toBe(`from ${basedOn}`);
  }
  expect(counter.read).toBeLessThan(1_000);
});

it("knows the same thing by versions that are asked for in any order", async () => {
  const { thread, texts } = await written(200);
  for (const basedOn of [150, 20, 100, 60, 21, 199]) {
    const other = await thread.dispatch(notes.op.editAt({ at: 0, text: "?" }), {
      actor: ada,
      basedOn,
      things: ["/notes/0"],
    });
    expect(reasonOf(other)).toBe("other_thing");
    const own = { at: 200 - basedOn, text: `${basedOn} again` };
    const verdict = await thread.dispatch(notes.op.editAt(own), { actor: ada, basedOn, things: ["/notes/0"] });
    expect(verdict.accepted).toBe(true);
    expect(texts()[200 - basedOn]).toBe(`${basedOn} again`);
  }
});
