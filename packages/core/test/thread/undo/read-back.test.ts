// What an undo stored is read back as it was made: what was carried by its patches has the names that
// it had then, so what came after it still finds its things.

import { createReplica, memoryLog, type ReadonlyDeep, threadTransport } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, type Board, openBoard } from "./scenario-board.ts";

/** The board with another title on a card, as a person or an agent writes it: whole. */
function withTitle(board: ReadonlyDeep<Board>, id: string, title: string): ReadonlyDeep<Board> {
  const columns = board.columns.map((column) => ({
    ...column,
    cards: column.cards.map((card) => (card.id === id ? { ...card, title } : card)),
  }));
  return { ...board, columns };
}

/** A column is cleared, that is undone, a card is replaced and edited; then the clearing is redone. */
async function replacedAndCleared() {
  const log = memoryLog();
  const board = await openBoard(log);
  const { thread, user } = board;
  await user({ type: "clear", column: "todo" }, "clear");
  await thread.undo({ ids: ["clear"] }, { actor: ada, id: "back" });
  await user({ type: "$replace", value: withTitle(thread.getState(), "T-2", "written") }, "replace");
  await user({ type: "edit", id: "T-2", title: "edited" }, "edit");
  expect(await thread.undo({ ids: ["back"] }, { actor: ada, id: "again" })).toMatchObject({ accepted: true });
  expect(board.cards("todo")).toEqual([{ id: "T-2", title: "edited" }]);
  return { ...board, log };
}

describe("what an undo carried", () => {
  it("is known to a later undo of what was done to it", async () => {
    const { thread, cards } = await replacedAndCleared();
    expect(await thread.undo({ ids: ["edit"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(cards("todo")).toEqual([{ id: "T-2", title: "written" }]);
  });

  it("is known after a restart, and to a page", async () => {
    const { log, thread } = await replacedAndCleared();
    await thread.close();
    const { thread: reopened, cards } = await openBoard(log);
    expect(await reopened.undo({ ids: ["edit"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(cards("todo")).toEqual([{ id: "T-2", title: "written" }]);
    const replica = createReplica({
      definition: reopened.definition,
      transport: threadTransport(reopened, { actor: ada }),
      snapshot: { version: 0, state: reopened.definition.initial },
    });
    await expect.poll(() => replica.getState()).toEqual(reopened.getState());
    replica.close();
  });

  it("goes with what it was part of", async () => {
    const { thread, cards } = await replacedAndCleared();
    expect(await thread.undo({ ids: ["replace"] }, { actor: ada })).toMatchObject({
      accepted: false,
      rejection: { reason: "dependents", details: { dependents: ["edit"] } },
    });
    expect(await thread.undo({ ids: ["replace"] }, { actor: ada, onDependent: "drop" })).toMatchObject({
      accepted: true,
    });
    expect(cards("todo")).toEqual([]);
  });
});
