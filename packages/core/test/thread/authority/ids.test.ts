// An id with half of a surrogate pair is refused wherever it enters a thread, and the message says
// why. Such text in a state or an operation is data like any other.

import { describe, expect, it } from "vitest";
import { defineState, memoryLog, openThread } from "@opstate/core";
import { type DispatchOptions, isId } from "@opstate/core/thread";
import { z } from "zod";

const half = "a\ud83d";
const ada = { kind: "user", id: "ada" };
const note = defineState({
  name: "note",
  version: 1,
  schema: z.object({ text: z.string(), words: z.record(z.string(), z.string()) }),
  initial: { text: "", words: {} },
  operations: {
    write: { input: z.object({ text: z.string() }), apply: (draft, { text }) => void (draft.text = text) },
    keep: { input: z.object({ text: z.string() }), apply: (draft, { text }) => void (draft.words[text] = text) },
  },
});
const open = async (log = memoryLog()) => openThread({ definition: note, log, threadId: "t" });

describe("an id with half of a surrogate pair", () => {
  it.each<[string, Partial<DispatchOptions>, string]>([
    ["id", { id: half }, "invalid_operation"],
    ["runId", { runId: half }, "invalid_operation"],
    ["toolCallId", { toolCallId: half }, "invalid_operation"],
    ["actor", { actor: { kind: "user", id: half } }, "forbidden"],
    ["actor", { actor: { kind: half, id: "ada" } }, "forbidden"],
  ])("is refused as the %s of a submission of any kind", async (name, options, code) => {
    const thread = await open();
    const all = { actor: ada, ...options };
    const verdicts = [
      await thread.dispatch(note.op.write({ text: "x" }), all),
      await thread.propose(note.op.write({ text: "x" }), all),
      await thread.undo({ ids: ["s1"] }, all),
      await thread.approve("p1", all),
      await thread.decline("p1", all),
    ];
    for (const verdict of verdicts) {
      const message = expect.stringContaining("without control characters and halves of surrogate pairs");
      expect(verdict).toMatchObject({ accepted: false, rejection: { code, path: `/${name}`, message } });
    }
    expect(thread.version).toBe(0);
    expect((await thread.dispatch(note.op.write({ text: "x" }), { actor: ada, id: "a\ufffd" })).accepted).toBe(true);
  });

  const invalidId = { code: "invalid_id", message: expect.stringContaining("must be well-formed text") };

  it("cannot name a thread", async () => {
    const log = memoryLog();
    await expect(openThread({ definition: note, log, threadId: half })).rejects.toMatchObject(invalidId);
    expect(await log.list()).toHaveLength(0);
  });

  it("cannot name a branch, neither to make nor to open it", async () => {
    const log = memoryLog();
    const thread = await open(log);
    await expect(thread.branch(0, { id: half })).rejects.toMatchObject(invalidId);
    await expect(thread.openBranch(half)).rejects.toMatchObject(invalidId);
    expect(await log.list()).toHaveLength(1);
  });

  it("cannot name what to undo", async () => {
    const thread = await open();
    await expect(thread.undo({ runId: half }, { actor: ada })).rejects.toMatchObject(invalidId);
    await expect(thread.undo({ actor: { kind: half, id: "ada" } }, { actor: ada })).rejects.toMatchObject(invalidId);
  });

  it("is not stored when mintId returns it", async () => {
    const thread = await openThread({ definition: note, log: memoryLog(), threadId: "t", mintId: () => half });
    await expect(thread.dispatch(note.op.write({ text: "x" }), { actor: ada })).rejects.toMatchObject({
      code: "invalid_id",
    });
    expect([thread.version, thread.getState().text]).toEqual([0, ""]);
  });

  it("is refused by isId, as are ids that are empty, too long or not text", () => {
    expect(["a", "👍", "\ufffd", "x".repeat(200)].map(isId)).toEqual([true, true, true, true]);
    expect(["", half, "\udc00\ud800", "a\u0000", "x".repeat(201), 7, undefined].some(isId)).toBe(false);
  });
});

describe("text with half of a surrogate pair in data", () => {
  it("is read again as it was: in states, keys, operations, refusals and undo", async () => {
    const log = memoryLog();
    const thread = await open(log);
    const other = "a\ud83e";
    for (const text of [half, other]) {
      expect(await thread.dispatch(note.op.write({ text }), { actor: ada })).toMatchObject({ accepted: true });
      expect(await thread.dispatch(note.op.keep({ text }), { actor: ada, id: `of ${text === half}` })).toMatchObject({
        accepted: true,
      });
    }
    await thread.submit({ type: half }, { actor: ada });
    await thread.undo({ ids: ["of true"] }, { actor: ada });
    await thread.close();
    const again = await open(log);
    expect(again.getState()).toEqual({ text: other, words: { [other]: other } });
    expect((await again.stateAt(4)).words).toEqual({ [half]: half, [other]: other });
    expect((await log.refusals("t"))[0]?.operation).toEqual({ type: half });
  });
});
