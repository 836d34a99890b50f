// What only an authority decides is shown by a page's replica at once, and removed by the
// verdict.

import { createReplica, defineState, memoryLog, openThread, threadTransport } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada } from "../thread/tally.ts";

const Note: z.ZodType<{ text: string; tags: string[]; extra?: unknown }> = z.object({
  text: z.string(),
  tags: z.array(z.string()),
  extra: z.unknown().optional(),
});
const notes = defineState({
  name: "notes",
  schema: z.object({ notes: z.array(Note) }),
  initial: { notes: [{ text: "first", tags: [] }] },
  limits: { operation: { bytes: 200 }, state: { depth: 6 } },
  onFailure: () => undefined,
  operations: {
    add: {
      input: z.object({ text: z.string() }),
      apply: (draft, { text }) => void draft.notes.push({ text, tags: [] }),
    },
    double: {
      input: z.object({ text: z.string() }),
      apply: (draft) => {
        let extra: unknown = "deep";
        for (let level = 0; level < 8; level++) extra = [extra];
        draft.notes[0]!.extra = extra;
      },
    },
    revive: { input: z.object({}), apply: (draft) => void (draft.notes[0]!.extra = { lc: 1, type: "constructor" }) },
    tag: {
      input: z.object({ tags: z.array(z.string()) }),
      apply(draft, { tags }) {
        tags.push("written to the input");
        draft.notes[0]!.tags = tags;
      },
    },
    search: {
      input: z.object({}),
      apply: (draft) => void draft.notes.some((note) => note.tags.push("written in a search") > 0),
    },
    callback: {
      input: z.object({}),
      apply: (draft) => void draft.notes.filter((note) => note.tags.push("written in a callback") > 0),
    },
  },
});

describe("what the page's build accepts and the full one refuses", () => {
  it.each([
    ["more bytes than an operation may have", notes.op.add({ text: "x".repeat(300) }), "too_large"],
    ["a state deeper than it may be", notes.op.double({ text: "" }), "too_large"],
    ["an object that LangChain would revive", notes.op.revive({}), "invalid_state"],
    ["a write to the input", notes.op.tag({ tags: ["a"] }), "failed"],
    ["a write in a callback that reads", notes.op.callback({}), "failed"],
  ])("shows and takes back %s", async (_, operation, code) => {
    const thread = await openThread({ definition: notes, log: memoryLog(), threadId: "t" });
    const replica = createReplica({ definition: notes, transport: threadTransport(thread, { actor: ada }) });
    await replica.ready();
    const before = replica.getState();
    const sent = structuredClone(operation);
    const verdict = replica.dispatch(operation);
    expect(replica.getState()).not.toEqual(before);
    expect(replica.sync.getState().pending).toHaveLength(1);
    expect(replica.sync.getState().pending[0]!.operation).toEqual(sent);
    expect(await verdict).toMatchObject({ accepted: false, rejection: { code } });
    expect(replica.getState()).toEqual(before);
    expect(replica.sync.getState()).toMatchObject({ pending: [], rejections: [{ verdict: { rejection: { code } } }] });
    expect(thread.version).toBe(0);
  });

  it("refuses a write in a search by itself, with words, and leaves the state as it is", () => {
    const before = structuredClone(notes.initial);
    const result = notes.transition(notes.initial, notes.op.search({}));
    expect(result).toMatchObject({
      accepted: false,
      rejection: {
        code: "failed",
        message: '"search" failed: TypeError: Cannot add property 0, object is not extensible; use for...of.',
      },
    });
    expect(notes.initial).toEqual(before);
  });

  it("still sends what comes after", async () => {
    const thread = await openThread({ definition: notes, log: memoryLog(), threadId: "t" });
    const replica = createReplica({ definition: notes, transport: threadTransport(thread, { actor: ada }) });
    await replica.ready();
    const verdicts = Promise.all([
      replica.dispatch(notes.op.add({ text: "x".repeat(300) })),
      replica.dispatch(notes.op.add({ text: "second" })),
    ]);
    expect(replica.getState().notes).toHaveLength(3);
    expect((await verdicts).map(({ accepted }) => accepted)).toEqual([false, true]);
    expect(replica.getState()).toEqual(thread.getState());
    expect(thread.getState().notes.map(({ text }) => text)).toEqual(["first", "second"]);
  });
});

describe("what the code of an operation throws", () => {
  const fail = (): never => {
    throw new Error("no");
  };
  const thrown: unknown[] = [];
  const faulty = defineState({
    name: "faulty",
    schema: z.object({ n: z.int(), twice: z.int() }),
    initial: { n: 0, twice: 0 },
    derive: { "/twice": ({ n }) => (n > 9 ? fail() : 2 * n) },
    onFailure(error) {
      thrown.push(error);
      fail();
    },
    operations: {
      set: { input: z.object({ n: z.int() }), apply: (draft, { n }) => void (draft.n = n) },
      crash: { input: z.object({}), apply: () => (undefined as unknown as { deletedAt: string }).deletedAt as never },
      mute: {
        input: z.object({}),
        apply() {
          // oxlint-disable-next-line typescript/only-throw-error -- what an author may do
          throw new Proxy({}, { get: fail, getPrototypeOf: fail });
        },
      },
    },
  });

  it.each([
    ["crash", `"crash" failed: TypeError: Cannot read properties of undefined (reading 'deletedAt').`],
    ["mute", '"mute" failed.'],
  ] as const)("is reported to its hook and in the verdict: %s", (type, message) => {
    thrown.length = 0;
    expect(faulty.transition(faulty.initial, { type })).toMatchObject({ rejection: { code: "failed", message } });
    expect(thrown).toHaveLength(1);
  });

  it("is reported to its hook alone where a derive rule threw", () => {
    thrown.length = 0;
    expect(faulty.transition(faulty.initial, faulty.op.set({ n: 10 }))).toMatchObject({
      rejection: { code: "invalid_state", message: '"set" failed.' },
    });
    expect(thrown).toMatchObject([{ message: "no" }]);
  });
});
