import { memoryLog, openThread } from "@opstate/core";
import { board, type BoardOperation, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { edited, editableFields } from "../../src/proposals/editable.ts";
import { previewOf } from "../../src/proposals/preview.ts";

const agent = { kind: "agent", id: "agent" };

async function proposed(...operations: BoardOperation[]) {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "demo" });
  await thread.dispatch({ type: "$replace", value: sampleBoard }, { actor: { kind: "system", id: "demo" } });
  for (const operation of operations) await thread.propose(operation, { actor: agent });
  return { thread, state: thread.getState(), proposals: await thread.proposals() };
}

/** "done: T-2 after T-19" for each ghost. */
async function ghosts(...operations: BoardOperation[]) {
  const { state, proposals } = await proposed(...operations);
  const preview = previewOf(state, proposals);
  const shown = [...preview.ghosts].flatMap(([columnId, list]) =>
    list.map(({ card, after }) => `${columnId}: ${card.cardId.length > 5 ? card.title : card.cardId} after ${after}`),
  );
  return { shown, marks: [...preview.marks].map(([cardId, { what }]) => `${cardId} ${what}`) };
}

describe("the preview of proposals", () => {
  it("shows cards where they would be, one proposal after the other", async () => {
    const { shown, marks } = await ghosts(
      board.op.move({ cardId: "T-1", toColumn: "done" }),
      board.op.move({ cardId: "T-2", toColumn: "done" }),
      board.op.move({ cardId: "T-3", toColumn: "review", position: 0 }),
      board.op.addCard({ columnId: "backlog", title: "New" }),
      board.op.addCard({ columnId: "backlog", title: "Newer" }),
    );
    expect(shown).toEqual([
      "done: T-1 after T-19",
      "done: T-2 after T-19",
      "review: T-3 after undefined",
      "backlog: New after T-38",
      "backlog: Newer after T-38",
    ]);
    expect(marks).toEqual(["T-1 move", "T-2 move", "T-3 move"]);
  });

  it("shows an added card under the id that it gets when the proposal is accepted", async () => {
    const { thread, state, proposals } = await proposed(board.op.addCard({ columnId: "backlog", title: "New" }));
    const [ghost] = previewOf(state, proposals).ghosts.get("backlog") ?? [];
    await thread.approve(proposals[0]!.id, { actor: { kind: "user", id: "ada" } });
    expect(thread.getState()?.columns[0]?.cards.at(-1)).toEqual(ghost?.card);
  });

  it("marks what would go and what would change, and shows nothing of what would be refused", async () => {
    const { shown, marks } = await ghosts(
      board.op.remove({ cardId: "T-15" }),
      board.op.move({ cardId: "T-15", toColumn: "done" }),
      board.op.editCard({ cardId: "T-8", title: "Search" }),
      board.op.addColumn({ title: "Blocked" }),
      board.op.move({ cardId: "T-42", toColumn: "done", position: 0 }),
      board.op.editCard({ cardId: "T-1", priority: 1 }),
    );
    expect(marks).toEqual(["T-15 remove", "T-8 change", "T-42 move", "T-1 change"]);
    expect(shown).toEqual(["done: T-8 after T-8", "done: T-42 after undefined", "backlog: T-1 after T-1"]);
  });
});

describe("what may be edited of a proposal", () => {
  it("is what it says and where it goes; the rest stays", () => {
    const add = board.op.addCard({ columnId: "backlog", title: "New", priority: 2 });
    expect(editableFields(add)).toEqual({ title: "New", priority: 2 });
    expect(edited(add, { title: "Better", priority: 2 })).toEqual({ ...add, title: "Better" });
    expect(editableFields(board.op.move({ cardId: "T-1", toColumn: "done", position: 0 }))).toEqual({
      toColumn: "done",
    });
    expect(editableFields(board.op.remove({ cardId: "T-1" }))).toEqual({});
  });
});
