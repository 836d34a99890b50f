// A replacement names ids of its own, and what empties a list computes ids that were free there.
// Where an undo brings back a thing that has one of them, it is named: there are never two things
// of one id without a question.

import { memoryLog, type ReadonlyDeep } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, type Board, openBoard, outcome, robot } from "./scenario-board.ts";

type Card = ReadonlyDeep<Board["columns"][number]["cards"][number]>;

/** The board with other cards in the first column, as a person or an agent writes it: whole. */
function withCards(board: ReadonlyDeep<Board>, cards: readonly Card[]): ReadonlyDeep<Board> {
  return { ...board, columns: board.columns.map((one, at) => (at === 0 ? { ...one, cards: [...cards] } : one)) };
}

/** The robot's run removes T-2. */
async function openRemoved() {
  const log = memoryLog();
  const board = await openBoard(log);
  await board.agent({ type: "remove", id: "T-2" });
  const replace = (change: (cards: readonly Card[]) => readonly Card[]) => {
    const value = withCards(board.thread.getState(), change(board.cards("todo")));
    return board.user({ type: "$replace", value }, "replace");
  };
  return { ...board, log, replace };
}

const ids = (cards: readonly Card[]) => cards.map(({ id }) => id);

describe("a replacement that gives a card an id that comes back", () => {
  it.each([
    ["a new card", (cards: readonly Card[]) => [...cards, { id: "T-2", title: "mine" }]],
    [
      "a card that was another one",
      (cards: readonly Card[]) => cards.map((card) => (card.id === "T-3" ? { ...card, id: "T-2" } : card)),
    ],
    ["the very card", (cards: readonly Card[]) => [...cards, { id: "T-2", title: "two" }]],
  ])("is named: %s", async (_, change) => {
    const { thread, replace, undoRun, cards } = await openRemoved();
    expect(await replace(change)).toMatchObject({ accepted: true });
    const before = thread.getState();
    expect(outcome(await undoRun())).toMatchObject({
      reason: "dependents",
      dependents: ["replace"],
      why: [{ would: expect.stringContaining('"two" (T-2) has the value already') }],
    });
    expect(thread.getState()).toBe(before);
    expect(outcome(await undoRun("drop"))).toMatchObject({ dropped: [2] });
    expect(ids(cards("todo"))).toEqual(["T-1", "T-2", "T-3", "T-4"]);
  });

  it("is kept when that is requested", async () => {
    const { replace, undoRun, cards } = await openRemoved();
    await replace((all) => [...all, { id: "T-2", title: "mine" }]);
    expect(outcome(await undoRun("keep"))).toMatchObject({ carried: [2] });
    expect(cards("todo").filter(({ id }) => id === "T-2")).toHaveLength(2);
  });

  it("is named after a restart, and when it was in a batch", async () => {
    const { log, thread, cards, user } = await openRemoved();
    const value = withCards(thread.getState(), [...cards("todo"), { id: "T-2", title: "mine" }]);
    const operations = [
      { type: "rename", title: "Ada's" },
      { type: "$replace", value: { ...value, title: "Ada's" } },
    ];
    expect(await user({ type: "$batch", operations } as never, "batch")).toMatchObject({ accepted: true });
    await thread.close();
    const again = await openBoard(log);
    expect(outcome(await again.undoRun())).toMatchObject({ reason: "dependents", dependents: ["batch"] });
  });

  it("is kept as it is when its ids are its own", async () => {
    const { replace, undoRun, cards } = await openRemoved();
    await replace((all) => [...all.filter(({ id }) => id !== "T-4"), { id: "T-7", title: "two" }]);
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2], dropped: [] });
    expect(ids(cards("todo"))).toEqual(["T-1", "T-2", "T-3", "T-7"]);
  });

  it("is kept where it only repeats the ids of what is there", async () => {
    const { replace, undoRun, cards } = await openRemoved();
    await replace((all) => all.map((card) => ({ ...card, title: `${card.title}!` })));
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2], dropped: [] });
    expect(cards("todo")).toHaveLength(4);
    expect(cards("todo")).toContainEqual({ id: "T-2", title: "two" });
    expect(cards("todo")).toContainEqual({ id: "T-3", title: "three!" });
  });

  it("is not merged into a parent that has the id", async () => {
    const { thread, user, cards } = await openBoard();
    const branch = await thread.branch();
    const value = withCards(branch.getState(), [...cards("todo"), { id: "T-10", title: "branch's" }]);
    await branch.dispatch({ type: "$replace", value }, { actor: robot, id: "replace" });
    await user({ type: "addComputed", column: "done", title: "Ada's" });
    expect(await branch.diff()).toMatchObject([{ holds: false }]);
    expect(await branch.merge({ actor: ada })).toMatchObject([
      { verdict: { accepted: false, rejection: { code: "conflict", reason: "other_thing" } } },
    ]);
    expect(cards("todo")).toHaveLength(4);
  });
});

describe("a batch that empties a column and adds a card with a computed id", () => {
  const operations = [
    { type: "clear", column: "todo" },
    { type: "addComputed", column: "todo", title: "mine" },
  ];
  const batch = { type: "$batch", operations } as never;

  it("is named when the id is that of a card which comes back, and is kept when that is requested", async () => {
    const { user, agent, undoRun, cards } = await openBoard();
    await user({ type: "addComputed", column: "todo", title: "ten" }, "ten");
    await agent({ type: "remove", id: "T-10" });
    await user(batch, "batch");
    expect(cards("todo")).toEqual([{ id: "T-10", title: "mine" }]);
    expect(outcome(await undoRun())).toMatchObject({
      reason: "dependents",
      dependents: ["batch"],
      why: [{ would: expect.stringContaining('"ten" (T-10) has the value already') }],
    });
    expect(outcome(await undoRun("keep"))).toMatchObject({ carried: [3] });
    expect(cards("todo").map(({ title }) => title)).toEqual(["ten", "mine"]);
  });

  it("is carried when the id is free, and leaves alone the card that comes back", async () => {
    const { user, agent, undoRun, cards } = await openBoard();
    await agent({ type: "remove", id: "T-2" });
    await user(batch, "batch");
    expect(outcome(await undoRun())).toMatchObject({ carried: [2] });
    expect(cards("todo")).toEqual([
      { id: "T-2", title: "two" },
      { id: "T-10", title: "mine" },
    ]);
  });

  it("is not merged into a parent that has the id", async () => {
    const { thread, user, cards } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch(batch, { actor: robot, id: "batch" });
    await user({ type: "addComputed", column: "todo", title: "Ada's" }, "add");
    expect(await branch.diff()).toMatchObject([{ holds: false }]);
    expect(await branch.merge({ actor: ada })).toMatchObject([
      { verdict: { accepted: false, rejection: { code: "conflict", reason: "other_thing" } } },
    ]);
    expect(ids(cards("todo"))).toEqual(["T-1", "T-2", "T-3", "T-4", "T-10"]);
  });
});
