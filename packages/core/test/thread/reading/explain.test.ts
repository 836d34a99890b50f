import { type Actor, defineState, memoryLog, openThread, OpstateError } from "@opstate/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, bob, robot } from "../tally.ts";

const Card = z.object({ id: z.string(), text: z.string() });
const at = z.object({ list: z.int(), index: z.int() });

/**
 * Every text is the id of the submission that wrote it. So the state itself says which commit
 * `explain` must name.
 */
const boards = defineState({
  name: "boards",
  schema: z.object({
    lists: z.array(z.object({ cards: z.array(Card), count: z.int() })),
    notes: z.record(z.string(), z.string()),
  }),
  initial: {
    lists: [0, 1].map((list) => ({
      cards: [0, 1, 2].map((card) => ({ id: `${list}${card}`, text: "initial" })),
      count: 3,
    })),
    notes: { "1": "initial", "7": "initial" },
  },
  derive: { "/lists/*/count": (list) => list.cards.length },
  operations: {
    insert: {
      input: at.extend({ text: z.string() }),
      apply: (draft, { list, index, text }) => void cards(draft, list).splice(index, 0, { id: text, text }),
    },
    remove: { input: at, apply: (draft, { list, index }) => void cards(draft, list).splice(index, 1) },
    edit: {
      input: at.extend({ text: z.string() }),
      apply(draft, { list, index, text }) {
        const card = cards(draft, list)[index];
        if (card !== undefined) card.text = text;
      },
    },
    move: {
      input: at.extend({ toList: z.int(), to: z.int() }),
      apply(draft, { list, index, toList, to }) {
        cards(draft, toList).splice(to, 0, ...cards(draft, list).splice(index, 1));
      },
    },
    moveTwo: {
      input: at.extend({ toList: z.int().optional(), to: z.int() }),
      apply(draft, { list, index, toList = list, to }) {
        const two = cards(draft, list).splice(index, 2);
        cards(draft, toList).splice(to, 0, ...two.reverse());
      },
    },
    sort: {
      input: z.object({ list: z.int() }),
      apply: (draft, { list }) => void cards(draft, list).sort((a, b) => (a.id < b.id ? 1 : -1)),
    },
    swap: { input: z.object({}), apply: (draft) => void draft.lists.reverse() },
    note: {
      input: z.object({ key: z.string(), text: z.string() }),
      apply: (draft, { key, text }) => void (draft.notes[key] = text),
    },
    unnote: { input: z.object({ key: z.string() }), apply: (draft, { key }) => void delete draft.notes[key] },
  },
});

function cards(draft: { lists: { cards: { id: string; text: string }[] }[] }, list: number) {
  return draft.lists[list % 2]?.cards ?? [];
}

const open = () => openThread({ definition: boards, log: memoryLog(), threadId: "t" });
const place = { list: fc.nat(1), index: fc.nat(4) };
const key = fc.constantFrom("0", "1", "2", "7");
const step = fc.oneof(
  fc.record({ type: fc.constant("insert"), ...place }),
  fc.record({ type: fc.constant("remove"), ...place }),
  fc.record({ type: fc.constant("edit"), ...place }),
  fc.record({ type: fc.constant("move"), ...place, toList: fc.nat(1), to: fc.nat(4) }),
  fc.record({ type: fc.constant("moveTwo"), ...place, to: fc.nat(4) }),
  fc.record({ type: fc.constant("sort"), list: fc.nat(1) }),
  fc.constant({ type: "swap" }),
  fc.record({ type: fc.constant("note"), key }),
  fc.record({ type: fc.constant("unnote"), key }),
);

describe("explain", () => {
  /** A text is edited, its card is moved within its list, then a note is written. */
  async function edited() {
    const thread = await open();
    await thread.dispatch(
      { type: "edit", list: 0, index: 2, text: "new" },
      { actor: robot, id: "e", runId: "r", toolCallId: "c" },
    );
    await thread.dispatch({ type: "move", list: 0, index: 2, toList: 0, to: 0 }, { actor: ada, id: "m" });
    await thread.dispatch({ type: "note", key: "0", text: "n" }, { actor: bob, id: "n" });
    return thread;
  }

  it("names the commit, its actor, run and tool call, and the path it wrote to", async () => {
    const thread = await edited();
    expect(await thread.explain("/lists/0/cards/0/text")).toEqual({
      commit: expect.objectContaining({ id: "e", version: 1 }),
      actor: robot,
      runId: "r",
      toolCallId: "c",
      path: "/lists/0/cards/2/text",
    });
  });

  it("names no commit for what is as it was in the initial state", async () => {
    const thread = await edited();
    expect(await thread.explain("/lists/0/cards/0/id")).toBeUndefined();
    expect(await thread.explain("/lists/0/cards/1")).toBeUndefined();
    expect(await thread.explain("/notes/1")).toBeUndefined();
  });

  it("names the last commit that changed anything inside a list or object", async () => {
    const thread = await edited();
    expect(await thread.explain("/lists/0/cards")).toMatchObject({ commit: { id: "m" }, actor: ada });
    expect(await thread.explain("")).toMatchObject({ commit: { id: "n" }, actor: bob });
  });

  async function movedToOtherList() {
    const thread = await open();
    await thread.dispatch({ type: "edit", list: 0, index: 2, text: "new" }, { actor: robot, id: "e" });
    await thread.dispatch({ type: "move", list: 0, index: 2, toList: 1, to: 1 }, { actor: ada, id: "m" });
    return thread;
  }

  it("names the move for an item in another list, and the edit for the text inside it", async () => {
    const thread = await movedToOtherList();
    expect(await thread.explain("/lists/1/cards/1")).toMatchObject({ commit: { id: "m" } });
    expect(await thread.explain("/lists/1/cards/1/text")).toMatchObject({ commit: { id: "e" } });
    expect(await thread.explain("/lists/1/cards/2")).toBeUndefined();
    expect(await thread.explain("/lists/0/count")).toMatchObject({ commit: { id: "m" } });
  });

  it("does the same when several items move at once", async () => {
    const thread = await movedToOtherList();
    await thread.dispatch({ type: "moveTwo", list: 1, index: 1, toList: 0, to: 0 }, { actor: ada, id: "two" });
    expect(await thread.explain("/lists/0/cards/1")).toMatchObject({ commit: { id: "two" } });
    expect(await thread.explain("/lists/0/cards/1/text")).toMatchObject({ commit: { id: "e" } });
  });

  it("names no commit for an item that only changed its place in its list", async () => {
    const thread = await open();
    await thread.dispatch({ type: "moveTwo", list: 0, index: 1, toList: 0, to: 0 }, { actor: ada, id: "within" });
    expect(await thread.explain("/lists/0/cards/0")).toBeUndefined();
  });

  it("names an undo when it was the last to write", async () => {
    const thread = await open();
    await thread.dispatch({ type: "edit", list: 0, index: 1, text: "new" }, { actor: robot, id: "e" });
    await thread.undo({ ids: ["e"] }, { actor: ada, id: "u" });
    expect(await thread.explain("/lists/0/cards/1/text")).toMatchObject({
      commit: { id: "u", operation: { type: "$undo" } },
    });
  });

  it("rejects a text that is not a JSON Pointer", async () => {
    const thread = await open();
    await expect(thread.explain("lists/0")).rejects.toThrow(OpstateError);
    await expect(thread.explain("/a~2")).rejects.toThrow(/Invalid JSON Pointer/);
  });

  it("names no commit for a place that never was, and the removal for one that is gone", async () => {
    const thread = await open();
    expect(await thread.explain("/nowhere/at/all")).toBeUndefined();
    await thread.dispatch({ type: "unnote", key: "7" }, { actor: ada, id: "u" });
    expect(await thread.explain("/notes/7")).toMatchObject({ commit: { id: "u" } });
  });

  it("names the author of every text, whatever was inserted, removed, moved and sorted since", async () => {
    const found = { written: 0, initial: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 10, maxLength: 30, size: "max" }),
        async (batches) => {
          const thread = await open();
          for (const [index, steps] of batches.entries()) {
            const id = `n${index}`;
            const operations = steps.map((one, part) => ({
              ...one,
              ...("index" in one || "key" in one ? { text: part === 0 ? id : `${id}.${part}` } : {}),
            }));
            const actor: Actor = [ada, bob, robot][index % 3] ?? ada;
            const [only] = operations;
            const update: { readonly type: string } =
              operations.length === 1 && only !== undefined ? only : { type: "$batch", ...{ operations } };
            await thread.submit(update, { actor, id });
          }
          const { lists, notes } = thread.getState();
          const texts = [
            ...lists.flatMap((list, at) =>
              list.cards.map(({ text }, card) => [`/lists/${at}/cards/${card}/text`, text] as const),
            ),
            ...Object.entries(notes).map(([key, text]) => [`/notes/${key}`, text] as const),
          ];
          for (const [pointer, text] of texts) {
            const explanation = await thread.explain(pointer);
            expect([pointer, explanation?.commit.id ?? "initial"]).toEqual([pointer, text.split(".")[0]]);
            found[explanation === undefined ? "initial" : "written"] += 1;
          }
        },
      ),
      { numRuns: 100 },
    );
    expect(found.written).toBeGreaterThan(100);
    expect(found.initial).toBeGreaterThan(20);
  });
});
