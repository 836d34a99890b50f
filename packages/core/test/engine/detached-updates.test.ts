import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createReplica, defineState, memoryLog, openThread, threadTransport } from "../../src/index.ts";

const notes = defineState({
  name: "notes",
  schema: z.object({ list: z.array(z.object({ marker: z.string() })) }),
  initial: { list: [] },
  operations: {
    add: {
      input: z.object({ note: z.object({ marker: z.string() }) }),
      apply(draft, { note }) {
        draft.list.push(note);
      },
    },
  },
});
const ada = { kind: "user", id: "ada" } as const;
const add = (marker = "a") => ({ type: "add" as const, note: { marker } });

/**
 * How often a walk has read the member "marker" since the call: once a walk and object that has it.
 */
function countWalks(): () => number {
  const read = vi.spyOn(Object, "getOwnPropertyDescriptor");
  return () => read.mock.calls.filter(([, key]) => key === "marker").length;
}

describe("an update is walked", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("once by a thread", async () => {
    const thread = await openThread({ definition: notes, log: memoryLog(), threadId: "t" });
    const walks = countWalks();
    expect(await thread.dispatch(add(), { actor: ada })).toMatchObject({ accepted: true });
    expect(walks()).toBe(1);
  });

  it("once by a thread when it is a batch", async () => {
    const thread = await openThread({ definition: notes, log: memoryLog(), threadId: "t" });
    const walks = countWalks();
    const batch = { type: "$batch" as const, operations: [add("a"), add("b")] };
    expect(await thread.dispatch(batch, { actor: ada })).toMatchObject({ accepted: true });
    expect(walks()).toBe(2);
  });

  it("once by a replica and once by its thread", async () => {
    const thread = await openThread({ definition: notes, log: memoryLog(), threadId: "t" });
    const replica = createReplica({
      definition: notes,
      transport: threadTransport(thread, { actor: ada }),
      actor: ada,
    });
    const walks = countWalks();
    expect(await replica.dispatch(add())).toMatchObject({ accepted: true });
    expect(walks()).toBe(2);
    replica.close();
  });

  it("each time by `transition`, as its sender may have changed it", () => {
    const update = add("a");
    const walks = countWalks();
    notes.transition(notes.initial, update);
    update.note.marker = "b";
    const next = notes.transition(notes.initial, update);
    expect(walks()).toBe(2);
    expect(next.state.list).toEqual([{ marker: "b" }]);
  });
});

it("an operation over its own limit is refused, though a state could be as large", async () => {
  const thread = await openThread({ definition: notes, log: memoryLog(), threadId: "t" });
  const verdict = await thread.dispatch(add("x".repeat(300_000)), { actor: ada });
  expect(verdict).toMatchObject({ accepted: false, rejection: { code: "too_large" } });
});
