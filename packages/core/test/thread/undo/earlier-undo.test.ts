// Undos that an earlier release stored did again by the reducer what they kept, whatever came of
// it.
// Such a log stays what it is, and can be undone and redone.

import { memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, type Board, openBoard } from "./scenario-board.ts";

/**
 * The agent adds T-10, Ada adds T-11 and edits it. The agent's run was undone: by the reducer
 * Ada's card became T-10, and her edit of T-11 was dropped.
 */
async function refolded() {
  const log = memoryLog();
  const first = await openBoard(log);
  await first.agent({ type: "addComputed", column: "todo", title: "agent's" }, "one");
  await first.user({ type: "addComputed", column: "todo", title: "mine" }, "two");
  await first.user({ type: "edit", id: "T-11", title: "edited" }, "three");
  await first.user({ type: "count", by: 7 }, "four");
  await first.thread.close();
  const card = { id: "T-10", title: "mine" };
  await log.append("board", 4, [
    {
      receipt: { actor: ada, id: "u", hash: "h", outcome: { accepted: true, version: 5 } },
      commit: {
        version: 5,
        id: "u",
        operation: { type: "$undo", ids: ["one"], dropped: ["three"], versions: [1, 3] } as { type: string },
        actor: ada,
        at: "2026-01-01T00:00:00.000Z",
        patches: [
          { op: "remove", path: "/columns/0/cards/5" },
          { op: "replace", path: "/columns/0/cards/4", value: card },
          { op: "replace", path: "/columns/0/count", value: 5 },
        ],
        inverse: [
          { op: "replace", path: "/columns/0/cards/4", value: { id: "T-10", title: "agent's" } },
          { op: "add", path: "/columns/0/cards/5", value: { id: "T-11", title: "edited" } },
          { op: "replace", path: "/columns/0/count", value: 6 },
        ],
        definitionVersion: 1,
      },
    },
  ]);
  return openBoard(log);
}

describe("an undo of an earlier release", () => {
  it("left the state that its log has", async () => {
    const { cards } = await refolded();
    expect(cards("todo").at(-1)).toEqual({ id: "T-10", title: "mine" });
  });

  it("is redone to the state before it", async () => {
    const { redo, thread, cards } = await refolded();
    expect(await redo()).toMatchObject({ accepted: true });
    expect(cards("todo").slice(4)).toEqual([
      { id: "T-10", title: "agent's" },
      { id: "T-11", title: "edited" },
    ]);
    expect(thread.getState()).toEqual(await thread.stateAt(4));
  });

  it("does not prevent an undo of what was done before it, or after it", async () => {
    const { thread, user, cards } = await refolded();
    await user({ type: "edit", id: "T-10", title: "later" }, "later");
    const before = thread.getState() as Board;
    expect(await thread.undo({ ids: ["four"] }, { actor: ada, id: "u2" })).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ ...before, n: 0 });
    expect(await thread.undo({ ids: ["later"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(cards("todo").at(-1)).toEqual({ id: "T-10", title: "mine" });
    expect(await thread.undo({ ids: ["u2"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(thread.getState().n).toBe(7);
    expect(cards("todo").at(-1)).toEqual({ id: "T-10", title: "mine" });
  });
});
