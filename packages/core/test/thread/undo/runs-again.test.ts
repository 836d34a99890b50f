// How often an undo runs reducers: what it costs is what lies behind the first difference.

import { defineState, memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada } from "../tally.ts";

let runs = 0;
const list = defineState({
  name: "list",
  schema: z.object({ items: z.array(z.string()), title: z.string() }),
  initial: { items: [], title: "" },
  operations: {
    add: {
      input: z.object({ item: z.string() }),
      apply(draft, { item }) {
        runs += 1;
        draft.items.push(item);
      },
    },
    title: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }) {
        runs += 1;
        draft.title = title;
      },
    },
  },
});

type Opened = Awaited<ReturnType<ReturnType<typeof opener>>>;

function opener() {
  const log = memoryLog();
  return () => openThread({ definition: list, log, threadId: "t" });
}

/** How many runs an undo takes in a process that has run nothing of the thread. */
async function runsOf(open: () => Promise<Opened>, id: string, as?: string): Promise<number> {
  const thread = await open();
  runs = 0;
  const undone = await thread.undo({ ids: [id] }, { actor: ada, ...(as !== undefined && { id: as }) });
  await thread.close();
  expect(undone).toMatchObject({ accepted: true });
  return runs;
}

describe("an undo", () => {
  it("runs what is kept behind it at most twice, nothing before it, and nothing for a redo at once", async () => {
    const open = opener();
    const thread = await open();
    for (let at = 0; at < 200; at++)
      await thread.dispatch(list.op.add({ item: `item ${at}` }), { actor: ada, id: `${at}` });
    for (const title of ["a", "b"]) await thread.dispatch(list.op.title({ title }), { actor: ada, id: title });
    await thread.close();
    const before = thread.getState();
    expect(await runsOf(open, "b", "last")).toBe(0);
    expect(await runsOf(open, "last")).toBe(0);
    // Kept: eight of the list, and both titles.
    expect(await runsOf(open, "191", "middle")).toBeLessThanOrEqual(2 * 10);
    expect(await runsOf(open, "middle")).toBe(0);
    const after = await open();
    expect(after.getState()).toEqual(before);
    await after.close();
  });
});
