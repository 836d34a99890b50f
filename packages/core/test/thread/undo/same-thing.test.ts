// What undo keeps changes the things that it changed at first, and no other: one test for each way
// in which an operation may find its thing.

import { type DraftOf, memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, asRecorded, type Board, boardWith, openBoard, outcome } from "./scenario-board.ts";

describe("what an undo keeps", () => {
  it("never changes a card of the same id in the board that a run had replaced", async () => {
    const { agent, user, undoRun, thread } = await openBoard();
    const before = thread.getState();
    const columns = before.columns.map((column, index) => ({
      name: column.name,
      cards:
        index === 0
          ? [
              { id: "T-2", title: "launch" },
              { id: "T-7", title: "plan" },
            ]
          : [],
    }));
    await agent({ type: "$replace", value: { ...before, columns } });
    await user({ type: "edit", id: "T-2", title: "Ada's" }, "edit");
    const refused = await undoRun();
    expect(outcome(refused)).toMatchObject({ code: "conflict", reason: "dependents", dependents: ["edit"] });
    expect(outcome(refused)).toMatchObject({ why: [{ would: expect.stringContaining('"two" (T-2)') }] });
    expect(outcome(await undoRun("drop"))).toMatchObject({ dropped: [2] });
    expect(thread.getState()).toEqual(before);
  });

  it("names an added card whose computed id is another's by now", async () => {
    const { agent, user, undoRun, thread, cards } = await openBoard();
    await agent({ type: "clear", column: "todo" });
    await agent({ type: "clear", column: "done" });
    await user({ type: "addComputed", column: "todo", title: "mine" }, "add");
    expect(cards("todo")).toEqual([{ id: "T-1", title: "mine" }]);
    await user({ type: "edit", id: "T-1", title: "edited" }, "edit");
    expect(outcome(await undoRun())).toMatchObject({ reason: "dependents", dependents: ["add", "edit"] });
    await undoRun("drop");
    expect(thread.getState().columns).toEqual(boardWith().initial.columns);
  });

  it("keeps an added card with its own id, and its edit, when the run's clearing is undone", async () => {
    const { agent, user, undoRun, cards, titles } = await openBoard();
    await agent({ type: "clear", column: "todo" });
    await user({ type: "add", column: "todo", title: "mine" });
    const id = cards("todo")[0]?.id ?? "";
    await user({ type: "edit", id, title: "edited" });
    expect(outcome(await undoRun())).toEqual(asRecorded);
    expect(titles("todo")).toEqual(["one", "two", "three", "four", "edited"]);
    expect(cards("todo").at(-1)?.id).toBe(id);
  });

  it("leaves a card with the computed id that its author saw", async () => {
    const { agent, user, undoRun, cards } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "agent's" });
    await user({ type: "addComputed", column: "todo", title: "mine" });
    await user({ type: "edit", id: "T-11", title: "edited" });
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2], dropped: [] });
    expect(cards("todo").at(-1)).toEqual({ id: "T-11", title: "edited" });
  });

  it("keeps what a reducer did that does something else by now", async () => {
    const log = memoryLog();
    const old = await openBoard(log);
    await old.agent({ type: "rename", title: "agent's" });
    for (let time = 0; time < 5; time++) await old.user({ type: "inc" }, `inc ${time}`);
    await old.thread.close();
    const { undoRun, thread } = await openBoard(log, boardWith({ step: 100 }));
    expect(outcome(await undoRun())).toEqual(asRecorded);
    expect(thread.getState()).toMatchObject({ n: 5, title: "Board" });
  });

  it("leaves things where a reducer put them that puts them elsewhere by now", async () => {
    const log = memoryLog();
    const old = await openBoard(log);
    await old.agent({ type: "rename", title: "agent's" });
    await old.user({ type: "add", column: "todo", title: "mine" });
    await old.user({ type: "move", id: "T-2", to: "done" });
    const { columns } = old.thread.getState();
    await old.thread.close();
    const { undoRun, redo, thread } = await openBoard(log, boardWith({ otherEnd: true }));
    expect(outcome(await undoRun())).toEqual(asRecorded);
    expect(thread.getState()).toMatchObject({ title: "Board", columns });
    await redo();
    expect(thread.getState()).toMatchObject({ title: "agent's", columns });
  });

  it("names what followed from it when a reducer does something else by now", async () => {
    const log = memoryLog();
    const old = await openBoard(log);
    for (let time = 0; time < 5; time++) await old.user({ type: "inc" }, `inc ${time}`);
    await old.thread.close();
    const { thread } = await openBoard(log, boardWith({ step: 100 }));
    const verdict = await thread.undo({ ids: ["inc 2"] }, { actor: { kind: "user", id: "ada" } });
    expect(outcome(verdict)).toMatchObject({ reason: "dependents", dependents: ["inc 3", "inc 4"] });
    expect(thread.getState().n).toBe(5);
  });

  it("computes anew what depends on a value that goes", async () => {
    const { agent, user, undoRun, thread, redo } = await openBoard();
    await agent({ type: "count", by: 5 });
    await user({ type: "count", by: 7 });
    expect(outcome(await undoRun())).toEqual({ recomputed: [2], carried: [], dropped: [] });
    expect(thread.getState().n).toBe(7);
    await redo();
    expect(thread.getState().n).toBe(12);
  });

  it("finds by id in a list that the run shifted", async () => {
    const { agent, user, undoRun, titles } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "top", top: true });
    await user({ type: "edit", id: "T-3", title: "edited" });
    expect(outcome(await undoRun())).toEqual(asRecorded);
    expect(titles("todo")).toEqual(["one", "two", "edited", "four"]);
  });

  it("finds by id in a list that the run sorted", async () => {
    const { agent, user, undoRun, titles } = await openBoard();
    await agent({ type: "sort", column: "todo" });
    expect(titles("todo")).toEqual(["four", "one", "three", "two"]);
    await user({ type: "edit", id: "T-3", title: "edited" });
    expect(outcome(await undoRun())).toEqual(asRecorded);
    expect(titles("todo")).toEqual(["one", "two", "edited", "four"]);
  });

  it("edits a card that the run had moved with two others", async () => {
    const { agent, user, undoRun, titles } = await openBoard();
    await agent({ type: "moveMany", ids: ["T-1", "T-2", "T-4"], to: "done" });
    await user({ type: "edit", id: "T-2", title: "edited" });
    expect(titles("done")).toEqual(["nine", "one", "edited", "four"]);
    expect(outcome(await undoRun())).toEqual(asRecorded);
    expect(titles("todo")).toEqual(["one", "edited", "three", "four"]);
  });

  it("edits a card that the run had moved and edited in one operation", async () => {
    const { agent, user, undoRun, titles } = await openBoard();
    await agent({ type: "move", id: "T-2", to: "done", title: "agent's" });
    await user({ type: "edit", id: "T-2", title: "edited" });
    expect(outcome(await undoRun())).toEqual(asRecorded);
    expect(titles("todo")).toEqual(["one", "edited", "three", "four"]);
    expect(titles("done")).toEqual(["nine"]);
  });

  it("edits one of several cards that the run had moved and edited in one operation", async () => {
    const { agent, user, undoRun, titles } = await openBoard();
    await agent({ type: "moveMany", ids: ["T-1", "T-2", "T-4"], to: "done", prefix: "agent's " });
    await user({ type: "edit", id: "T-2", title: "edited" });
    expect(outcome(await undoRun())).toEqual(asRecorded);
    expect(titles("todo")).toEqual(["one", "edited", "three", "four"]);
  });

  it("keeps what a replacement changed, and not what it repeated", async () => {
    const { agent, user, undoRun, thread, titles } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "agent's" });
    const value = structuredClone(thread.getState()) as DraftOf<typeof thread.definition>;
    const third = value.columns[0]?.cards[2];
    if (third !== undefined) third.title = "Ada's";
    await user({ type: "$replace", value });
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2], dropped: [] });
    expect(titles("todo")).toEqual(["one", "two", "Ada's", "four"]);
  });

  it("keeps what a patch changed, in the place where its thing is", async () => {
    const { agent, thread, undoRun, titles } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "top", top: true });
    await thread.dispatch(
      { type: "$patch", patch: [{ op: "replace", path: "/columns/0/cards/3/title", value: "Ada's" }] } as never,
      { actor: ada },
    );
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2], dropped: [] });
    expect(titles("todo")).toEqual(["one", "two", "Ada's", "four"]);
  });

  it("keeps what a replacement put in the place of the run's card", async () => {
    const { agent, user, undoRun, thread, titles } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "agent's" });
    const value = structuredClone(thread.getState()) as Board;
    value.columns[0]?.cards.splice(4, 1, { id: "T-20", title: "Ada's" });
    await user({ type: "$replace", value });
    await user({ type: "edit", id: "T-20", title: "edited" });
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2], dropped: [] });
    expect(titles("todo")).toEqual(["one", "two", "three", "four", "edited"]);
  });

  it("removes the card that was at the position then", async () => {
    const { agent, user, undoRun, titles } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "top", top: true });
    await user({ type: "removeAt", column: "todo", index: 2 });
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2], dropped: [] });
    expect(titles("todo")).toEqual(["one", "three", "four"]);
  });

  it("leaves a card alone that comes back into a column that was cleared since", async () => {
    const { agent, user, undoRun, titles } = await openBoard();
    await agent({ type: "remove", id: "T-2" });
    await user({ type: "clear", column: "todo" });
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2], dropped: [] });
    expect(titles("todo")).toEqual(["two"]);
  });

  it("leaves the worker that was free then with the job", async () => {
    const { agent, user, undoRun, thread } = await openBoard();
    await agent({ type: "assign", job: "a" });
    await user({ type: "assign", job: "b" });
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2], dropped: [] });
    expect(thread.getState().workers.map(({ job }) => job)).toEqual([null, "b", null]);
  });

  it("gives the job to the worker that is free now where the definition says retarget", async () => {
    const { agent, user, undoRun, thread, redo } = await openBoard();
    await agent({ type: "assignAny", job: "a" });
    await user({ type: "assignAny", job: "b" });
    expect(outcome(await undoRun())).toEqual({ recomputed: [2], carried: [], dropped: [] });
    expect(thread.getState().workers.map(({ job }) => job)).toEqual(["b", null, null]);
    await redo();
    expect(thread.getState().workers.map(({ job }) => job)).toEqual(["a", "b", null]);
  });

  it("needs nothing of a card that was removed since", async () => {
    const { agent, user, undoRun, thread } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "agent's" });
    await user({ type: "remove", id: "T-10" });
    expect(outcome(await undoRun())).toEqual(asRecorded);
    expect(thread.getState()).toEqual(boardWith().initial);
  });

  it("names what is refused without the run, with the reason", async () => {
    const { agent, user, undoRun } = await openBoard();
    await agent({ type: "start" });
    await user({ type: "finish", strict: true }, "finish");
    expect(outcome(await undoRun())).toMatchObject({
      dependents: ["finish"],
      why: [
        {
          id: "finish",
          version: 2,
          type: "finish",
          code: "refused",
          reason: "not_started",
          would: "would be refused: It was not started",
        },
      ],
    });
  });

  it("names what would silently do nothing without the run", async () => {
    const { agent, user, undoRun, thread } = await openBoard();
    await agent({ type: "start" });
    await user({ type: "finish", strict: false }, "finish");
    expect(outcome(await undoRun())).toMatchObject({
      dependents: ["finish"],
      why: [{ would: 'would do nothing; it did set "status" to "finished"' }],
    });
    expect(outcome(await undoRun("keep"))).toMatchObject({ carried: [2] });
    expect(thread.getState().status).toBe("finished");
  });

  it("leaves a bill as it was made, at the rate of then", async () => {
    const { agent, user, undoRun, thread } = await openBoard();
    await agent({ type: "setRate", rate: 5 });
    await user({ type: "bill" });
    await user({ type: "bill" });
    expect(outcome(await undoRun())).toEqual({ recomputed: [], carried: [2, 3], dropped: [] });
    expect(thread.getState().bills.map(({ rate }) => rate)).toEqual([5, 5]);
    expect(thread.getState().rate).toBe(3);
  });
});

describe("a redo", () => {
  it("at once gives the very state", async () => {
    const { agent, user, undoRun, redo, thread } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "agent's" });
    await agent({ type: "count", by: 5 });
    await agent({ type: "sort", column: "todo" });
    await user({ type: "addComputed", column: "todo", title: "mine" });
    await user({ type: "edit", id: "T-11", title: "edited" });
    await user({ type: "count", by: 7 });
    await user({ type: "removeAt", column: "todo", index: 1 });
    const before = thread.getState();
    expect(await undoRun()).toMatchObject({ accepted: true });
    expect(thread.getState().n).toBe(7);
    expect(outcome(await redo())).toEqual(asRecorded);
    expect(thread.getState()).toEqual(before);
  });

  it("keeps what was done since the undo", async () => {
    const { agent, user, undoRun, redo, titles } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "agent's", top: true });
    await undoRun();
    await user({ type: "edit", id: "T-3", title: "edited" });
    await user({ type: "add", column: "todo", title: "mine" });
    expect(outcome(await redo())).toEqual(asRecorded);
    expect(titles("todo")).toEqual(["agent's", "one", "two", "edited", "four", "mine"]);
  });

  it("names the edit of a card that it removes again", async () => {
    const { agent, user, undoRun, redo, titles } = await openBoard();
    await agent({ type: "remove", id: "T-2" });
    await undoRun();
    await user({ type: "edit", id: "T-2", title: "edited" }, "edit");
    expect(outcome(await redo())).toMatchObject({
      dependents: ["edit"],
      why: [{ would: 'would be refused: No card "T-2"' }],
    });
    expect(titles("todo")).toEqual(["one", "edited", "three", "four"]);
  });

  it("of an undo of an undo is a redo, as often as one likes", async () => {
    const { agent, user, undoRun, redo, thread } = await openBoard();
    const ada = { actor: { kind: "user", id: "ada" } };
    await agent({ type: "count", by: 5 });
    await user({ type: "count", by: 7 });
    await undoRun();
    await thread.undo({ ids: ["u"] }, { ...ada, id: "u2" });
    expect(thread.getState().n).toBe(12);
    await thread.undo({ ids: ["u2"] }, { ...ada, id: "u3" });
    expect(thread.getState().n).toBe(7);
    await user({ type: "count", by: 1 });
    await thread.undo({ ids: ["u3"] }, { ...ada, id: "u4" });
    expect(thread.getState().n).toBe(13);
    await redo();
    expect(thread.getState().n).toBe(13);
  });

  it("after a restart begins from what the undo recorded", async () => {
    const log = memoryLog();
    const first = await openBoard(log);
    await first.agent({ type: "addComputed", column: "todo", title: "agent's" });
    await first.agent({ type: "count", by: 5 });
    await first.user({ type: "addComputed", column: "todo", title: "mine" });
    await first.user({ type: "count", by: 7 }, "seven");
    await first.user({ type: "count", by: 1 });
    await first.undoRun();
    await first.thread.close();
    const { thread, cards } = await openBoard(log, boardWith({ step: 3 }));
    await thread.undo({ ids: ["seven"] }, { actor: { kind: "user", id: "ada" } });
    expect(thread.getState().n).toBe(1);
    expect(cards("todo").at(-1)).toEqual({ id: "T-11", title: "mine" });
  });
});
