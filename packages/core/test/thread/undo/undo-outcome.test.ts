// What a page reads of an undo: what it did, and what prevents it.

import { defineState, memoryLog, openThread } from "@opstate/core";
import { dependentsOf, type OnDependent, undoOutcome, type UndoTarget } from "@opstate/core/thread";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const ada = { kind: "user", id: "ada" };
const agent = { kind: "agent", id: "agent" };

const Card = z.object({ id: z.string(), title: z.string() });
const cards = defineState({
  name: "cards",
  schema: z.object({ cards: z.array(Card), total: z.int() }),
  initial: {
    cards: [
      { id: "T-1", title: "Write" },
      { id: "T-2", title: "Announce" },
    ],
    total: 0,
  },
  replace: { allow: ["agent"] },
  operations: {
    add: {
      input: z.object({ title: z.string() }),
      apply: (draft, { title }, { id }) => void draft.cards.push({ id: id("T-"), title }),
    },
    rename: {
      input: z.object({ id: z.string(), title: z.string() }),
      apply(draft, { id, title }, { reject }) {
        const card = draft.cards.find((each) => each.id === id);
        if (card === undefined) return reject("card_not_found", `No card "${id}"`);
        card.title = title;
      },
    },
    count: {
      input: z.object({ by: z.int() }),
      apply: (draft, { by }) => void (draft.total += by),
    },
    bill: {
      input: z.object({}),
      apply(draft, _, { reject, id }) {
        if (draft.total === 0) return reject("nothing_to_bill", "Nothing is open");
        draft.cards.push({ id: id("T-"), title: "Bill" });
      },
    },
    removeAt: { input: z.object({ at: z.int() }), apply: (draft, { at }) => void draft.cards.splice(at, 1) },
  },
});

async function started() {
  const thread = await openThread({ definition: cards, log: memoryLog(), threadId: "t" });
  const undo = (target: UndoTarget, options: { readonly onDependent?: OnDependent } = {}) =>
    thread.undo(target, { actor: ada, ...options });
  const byAgent = (update: Parameters<typeof thread.dispatch>[0]) =>
    thread.dispatch(update, { actor: agent, runId: "run" });
  const undoRun = (onDependent?: "drop" | "keep") =>
    undo({ runId: "run" }, onDependent === undefined ? {} : { onDependent });
  return { thread, undo, byAgent, undoRun, titles: () => thread.getState().cards.map(({ title }) => title) };
}

/** The run replaces the cards by others with the same ids, and ada renames one. */
async function renamedInReplaced() {
  const all = await started();
  const { thread, byAgent } = all;
  await byAgent({ cards: [{ id: "T-2", title: "Sketch" }], total: 0 });
  await thread.dispatch(cards.op.rename({ id: "T-2", title: "Sketch it" }), { actor: ada, id: "rename" });
  return all;
}

async function refusalOf(verdict: ReturnType<Awaited<ReturnType<typeof started>>["undoRun"]>) {
  const given = await verdict;
  if (given.accepted) throw new Error("it was not refused");
  return given.rejection;
}

describe("dependentsOf", () => {
  it("says what each would do now, and that nothing of it can stay", async () => {
    const { undoRun, titles } = await renamedInReplaced();
    expect(dependentsOf(await refusalOf(undoRun()))).toEqual({
      total: 1,
      named: [
        {
          id: "rename",
          version: 2,
          type: "rename",
          code: "conflict",
          reason: "other_thing",
          would: 'would set "title" of "Announce" (T-2) to "Sketch it" instead of "Sketch" (T-2)',
          stays: false,
        },
      ],
    });
    expect(titles()).toEqual(["Sketch it"]);
  });

  it("says that what it changed is there still, so that it can stay", async () => {
    const { thread, byAgent, undoRun, titles } = await started();
    await byAgent(cards.op.count({ by: 5 }));
    await thread.dispatch(cards.op.bill({}), { actor: ada, id: "bill" });
    const found = dependentsOf(await refusalOf(undoRun()));
    expect(found?.named).toMatchObject([
      {
        id: "bill",
        code: "refused",
        reason: "nothing_to_bill",
        would: "would be refused: Nothing is open",
        stays: true,
      },
    ]);
    expect(undoOutcome(await undoRun("keep"))).toMatchObject({ carried: [2], dropped: [] });
    expect(titles()).toEqual(["Write", "Announce", "Bill"]);
  });

  it("names up to 20 and counts all, in a refusal of at most 2 KB", async () => {
    const { thread, byAgent, undoRun } = await started();
    await byAgent(cards.op.add({ title: "A card with a title that is as long as titles of cards are on many boards" }));
    const card = thread.getState().cards.at(-1)?.id ?? "";
    for (let time = 0; time < 25; time += 1)
      await thread.dispatch(cards.op.rename({ id: card, title: `Title ${time} ${"x".repeat(100)}` }), { actor: ada });
    const rejection = await refusalOf(undoRun());
    const found = dependentsOf(rejection);
    expect(found).toMatchObject({ total: 25, named: { length: 20 } });
    expect(found?.named[0]).toMatchObject({
      version: 2,
      stays: false,
      would: expect.stringContaining("would be refused"),
    });
    expect(JSON.stringify(rejection).length).toBeLessThanOrEqual(2048);
  });

  it("says of five what each would do", async () => {
    const { thread, byAgent, undoRun } = await started();
    await byAgent(cards.op.add({ title: "A" }));
    const card = thread.getState().cards.at(-1)?.id ?? "";
    for (let time = 0; time < 5; time += 1)
      await thread.dispatch(cards.op.rename({ id: card, title: "x".repeat(150 + time) }), { actor: ada });
    const found = dependentsOf(await refusalOf(undoRun()));
    expect(found?.named.map(({ would }) => typeof would)).toEqual(Array.from({ length: 5 }, () => "string"));
  });

  it("is undefined for any other refusal", async () => {
    const { undo } = await started();
    const unknown = await undo({ ids: ["nobody's"] });
    expect(unknown.accepted ? "accepted" : dependentsOf(unknown.rejection)).toBeUndefined();
  });
});

describe("undoOutcome", () => {
  it("lists what was dropped", async () => {
    const { undoRun, titles } = await renamedInReplaced();
    expect(undoOutcome(await undoRun("drop"))).toEqual({ undone: [1], dropped: [2], recomputed: [], carried: [] });
    expect(titles()).toEqual(["Write", "Announce"]);
  });

  it("does not list as kept what is gone with its things", async () => {
    const { undoRun, titles, undo } = await renamedInReplaced();
    const verdict = await undoRun("keep");
    expect(undoOutcome(verdict)).toEqual({ undone: [1], dropped: [], recomputed: [], carried: [] });
    expect(titles()).toEqual(["Write", "Announce"]);
    // A redo brings it back with them.
    await undo({ ids: [verdict.accepted ? (verdict.commit?.id ?? "") : ""] });
    expect(titles()).toEqual(["Sketch it"]);
  });

  it("lists what was computed anew", async () => {
    const { thread, byAgent, undoRun } = await started();
    await byAgent(cards.op.count({ by: 5 }));
    await thread.dispatch(cards.op.count({ by: 7 }), { actor: ada });
    expect(undoOutcome(await undoRun())).toEqual({ undone: [1], dropped: [], recomputed: [2], carried: [] });
  });

  it("lists what was carried to its things", async () => {
    const { thread, byAgent, undoRun, titles } = await started();
    await byAgent(cards.op.removeAt({ at: 0 }));
    await thread.dispatch(cards.op.removeAt({ at: 0 }), { actor: ada });
    expect(undoOutcome(await undoRun())).toEqual({ undone: [1], dropped: [], recomputed: [], carried: [2] });
    expect(titles()).toEqual(["Write"]);
  });

  it("is undefined for a refusal, for nothing to undo and for other verdicts", async () => {
    const { thread, undoRun } = await renamedInReplaced();
    expect(undoOutcome(await undoRun())).toBeUndefined();
    expect(undoOutcome(undefined)).toBeUndefined();
    expect(undoOutcome(await thread.dispatch(cards.op.count({ by: 1 }), { actor: ada }))).toBeUndefined();
  });
});
