// A merge changes on the parent the things that were changed on the branch, and no other.

import { type Branch, memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, type Board, boardWith, openBoard, robot } from "../undo/scenario-board.ts";

const merge = async (branch: Branch, ids?: readonly string[]) =>
  (await branch.merge({ actor: ada, ...(ids === undefined ? {} : { ids }) })).map(({ verdict }) => verdict);

describe("a merge", () => {
  it("never changes the parent's card of the id that was computed on the branch too", async () => {
    const { thread, user, cards } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch({ type: "addComputed", column: "todo", title: "agent's" }, { actor: robot, id: "add" });
    await branch.dispatch({ type: "edit", id: "T-10", title: "refined" }, { actor: robot, id: "edit" });
    await user({ type: "addComputed", column: "todo", title: "Ada's" });
    const wanted = [
      { code: "conflict", reason: "other_thing", message: expect.stringContaining('"Ada\'s" (T-10) has the value') },
      { code: "conflict", reason: "dependents", message: expect.stringContaining('"Ada\'s" (T-10)') },
    ];
    expect(await branch.diff()).toMatchObject(wanted.map((rejection) => ({ holds: false, rejection })));
    expect(await merge(branch)).toMatchObject(wanted.map((rejection) => ({ accepted: false, rejection })));
    expect(cards("todo").at(-1)).toEqual({ id: "T-10", title: "Ada's" });
  });

  it("brings what was made on the branch with its own id, and what was done to it since", async () => {
    const { thread, user, titles } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch({ type: "add", column: "todo", title: "agent's" }, { actor: robot, id: "add" });
    const id = branch.getState().columns[0]?.cards.at(-1)?.id ?? "";
    await branch.dispatch({ type: "edit", id, title: "refined" }, { actor: robot, id: "edit" });
    await user({ type: "add", column: "todo", title: "Ada's" });
    expect(await branch.diff()).toMatchObject([{ holds: true }, { holds: true }]);
    expect(await merge(branch, ["add"])).toMatchObject([{ accepted: true }]);
    expect(thread.getState().columns[0]?.cards.at(-1)?.id).toBe(id);
    expect(await merge(branch, ["edit"])).toMatchObject([{ accepted: true }]);
    expect(titles("todo")).toEqual(["one", "two", "three", "four", "Ada's", "refined"]);
  });

  it("brings what a replacement made of a card, though the card itself was not merged", async () => {
    const { thread, titles } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch({ type: "add", column: "todo", title: "agent's" }, { actor: robot, id: "add" });
    const value = structuredClone(branch.getState()) as Board;
    for (const card of value.columns[0]?.cards ?? []) if (card.title === "agent's") card.title = "refined";
    await branch.dispatch({ type: "$replace", value }, { actor: robot, id: "refine" });
    expect((await branch.merge({ actor: ada, ids: ["refine"] }))[0]).toMatchObject({
      verdict: { accepted: true, commit: { operation: { carried: true } } },
    });
    expect(titles("todo")).toEqual(["one", "two", "three", "four", "refined"]);
  });

  it("computes anew what depends on a value of the parent, and says so", async () => {
    const { thread, user } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch({ type: "count", by: 5 }, { actor: robot });
    await user({ type: "count", by: 7 });
    expect(await merge(branch)).toMatchObject([{ accepted: true, commit: { operation: { recomputed: true } } }]);
    expect(thread.getState().n).toBe(12);
  });

  it("removes the card that was at the position on the branch", async () => {
    const { thread, user, titles } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch({ type: "removeAt", column: "todo", index: 1 }, { actor: robot });
    await user({ type: "addComputed", column: "todo", title: "top", top: true });
    expect(await merge(branch)).toMatchObject([{ accepted: true, commit: { operation: { carried: true } } }]);
    expect(titles("todo")).toEqual(["top", "one", "three", "four"]);
  });

  it("says that it carries what an undo on the branch kept of a change", async () => {
    const { thread, cards } = await openBoard();
    await thread.dispatch({ type: "clear", column: "todo" }, { actor: ada });
    const branch = await thread.branch();
    for (const title of ["a", "b"])
      await branch.dispatch({ type: "add", column: "todo", title }, { actor: robot, id: title });
    await branch.dispatch({ type: "removeAt", column: "todo", index: 1 }, { actor: robot, id: "remove" });
    // Without the first one, the second one is at another position.
    await branch.undo({ ids: ["a"] }, { actor: ada, onDependent: "keep" });
    const merged = await merge(branch);
    expect(merged).toMatchObject([
      { accepted: true, commit: { operation: { operation: { title: "b" } } } },
      { accepted: true, commit: { operation: { operation: { type: "removeAt" }, carried: true } } },
    ]);
    expect(merged[0]).not.toHaveProperty("commit.operation.carried");
    expect(cards("todo")).toEqual([]);
  });

  it("removes nothing for an approval that found nothing to remove on the branch", async () => {
    const { thread, cards } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch({ type: "clear", column: "todo" }, { actor: robot, id: "clear" });
    await branch.propose({ type: "clear", column: "todo" }, { actor: robot, id: "p" });
    await branch.approve("p", { actor: ada, id: "approval" });
    expect(await branch.diff()).toMatchObject([{ holds: true }, { holds: true }]);
    expect(await merge(branch, ["approval"])).toMatchObject([{ accepted: true }]);
    expect(cards("todo")).toHaveLength(4);
    expect(await merge(branch)).toMatchObject([{ accepted: true }, { accepted: true }]);
    expect(cards("todo")).toEqual([]);
  });

  it("keeps the source of what it carries out", async () => {
    const { thread } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch({ type: "count", by: 5 }, { actor: robot, id: "five" });
    const [verdict] = await merge(branch);
    expect(verdict).toMatchObject({
      commit: {
        operation: { source: { actor: robot, id: "five", at: expect.any(String), branch: branch.incarnation } },
      },
    });
  });

  it("can be done again when it was undone, under an id of its own", async () => {
    const log = memoryLog();
    const { thread, cards } = await openBoard(log);
    const branch = await thread.branch();
    await branch.dispatch({ type: "add", column: "todo", title: "agent's" }, { actor: robot, id: "add", runId: "r" });
    const [first] = await merge(branch);
    expect(first).toMatchObject({ accepted: true, version: 1 });
    await thread.undo({ runId: "r" }, { actor: ada, id: "u" });
    expect(cards("todo")).toHaveLength(4);
    expect(await branch.diff()).toMatchObject([{ holds: true }]);
    const [second] = await merge(branch);
    expect(second).toMatchObject({ accepted: true, version: 3 });
    expect(cards("todo").map(({ title }) => title)).toEqual(["one", "two", "three", "four", "agent's"]);
    expect((await merge(branch))[0]).toEqual(second);
    expect(await branch.diff()).toMatchObject([{ merged: 3 }]);
    const receipts = await log.receipt("board", { kind: "system", id: "opstate" }, `merge-${branch.incarnation}-1`);
    expect(receipts?.outcome).toEqual({ accepted: true, version: 1 });
  });

  it("is the one that came back, for a server that did not know yet that it had", async () => {
    const log = { ...memoryLog(), watch: () => () => undefined };
    const { thread } = await openBoard(log);
    const branch = await thread.branch();
    await branch.dispatch({ type: "count", by: 5 }, { actor: robot });
    await merge(branch);
    await thread.undo({ ids: [`merge-${branch.incarnation}-1`] }, { actor: ada, id: "undo" });
    const { thread: other } = await openBoard(log);
    const late = await other.openBranch(branch.threadId);
    await thread.undo({ ids: ["undo"] }, { actor: ada });
    expect(late === undefined ? [] : await merge(late)).toMatchObject([{ accepted: true, version: 1 }]);
    expect(await late?.diff()).toMatchObject([{ merged: 1 }]);
    expect(other.getState().n).toBe(5);
  });

  it("is the one that came back, not one that found nothing to do meanwhile", async () => {
    const { thread, user } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch({ type: "rename", title: "branch's" }, { actor: robot });
    await merge(branch);
    await thread.undo({ ids: [`merge-${branch.incarnation}-1`] }, { actor: ada, id: "undo" });
    await user({ type: "rename", title: "branch's" });
    expect(await merge(branch)).toEqual([{ accepted: true, version: 3 }]);
    await thread.undo({ ids: ["undo"] }, { actor: ada, onDependent: "drop" });
    expect(await branch.diff()).toMatchObject([{ merged: 1 }]);
  });

  it("meets a parent that was undone and redone since the fork by the things of then", async () => {
    const { thread, agent, undoRun, redo, titles } = await openBoard();
    await agent({ type: "addComputed", column: "todo", title: "top", top: true });
    const branch = await thread.branch();
    await branch.dispatch({ type: "edit", id: "T-3", title: "branch's" }, { actor: robot, id: "edit" });
    await branch.dispatch({ type: "edit", id: "T-10", title: "branch's top" }, { actor: robot, id: "edit top" });
    await undoRun();
    expect(await branch.diff()).toMatchObject([{ holds: true }, { holds: false }]);
    expect(await merge(branch, ["edit"])).toMatchObject([{ accepted: true }]);
    expect(titles("todo")).toEqual(["one", "two", "branch's", "four"]);
    await redo();
    expect(await merge(branch, ["edit top"])).toMatchObject([{ accepted: true }]);
    expect(titles("todo")).toEqual(["branch's top", "one", "two", "branch's", "four"]);
  });

  describe("of a card that was made on the branch with an id that the parent has by now", () => {
    /** Two changes on a branch: a card T-10, and its title. */
    async function made(branch: Branch) {
      await branch.dispatch({ type: "addComputed", column: "todo", title: "ours" }, { actor: robot, id: "add" });
      await branch.dispatch({ type: "edit", id: "T-10", title: "refined" }, { actor: robot, id: "edit" });
    }

    it("does not change what another branch merged with its first change", async () => {
      const { thread, titles } = await openBoard();
      const [branch, other] = [await thread.branch(), await thread.branch()];
      await made(branch);
      await other.dispatch({ type: "addComputed", column: "todo", title: "ours" }, { actor: robot });
      expect(await merge(other)).toMatchObject([{ accepted: true }]);
      expect(await merge(branch, ["edit"])).toMatchObject([{ accepted: false, rejection: { code: "conflict" } }]);
      expect(titles("todo").at(-1)).toBe("ours");
    });

    it("does not change what a discarded branch of its name merged with its first change", async () => {
      const { thread, titles } = await openBoard();
      const discarded = await thread.branch(0, { id: "mine" });
      await discarded.dispatch({ type: "addComputed", column: "todo", title: "ours" }, { actor: robot });
      expect(await merge(discarded)).toMatchObject([{ accepted: true }]);
      await discarded.discard();
      const branch = await thread.branch(0, { id: "mine" });
      await made(branch);
      expect(await merge(branch, ["edit"])).toMatchObject([{ accepted: false, rejection: { code: "conflict" } }]);
      expect(titles("todo").at(-1)).toBe("ours");
    });
  });

  it("knows after a restart which of two things that it brought is which", async () => {
    const log = memoryLog();
    const { thread } = await openBoard(log);
    const first = await thread.branch();
    // The first card is below the second one, so the patches of the merge name them the other way.
    const cards = [
      { type: "addComputed", column: "todo", title: "below" },
      { type: "addComputed", column: "todo", title: "top", top: true },
    ] as const;
    await first.dispatch({ type: "$batch", operations: cards }, { actor: robot });
    expect(await merge(first)).toMatchObject([{ accepted: true }]);
    await thread.close();
    const { thread: again, titles } = await openBoard(log);
    const branch = await again.openBranch(first.threadId);
    await branch?.dispatch({ type: "edit", id: "T-10", title: "below, refined" }, { actor: robot, id: "edit" });
    expect(branch && (await merge(branch, ["edit"]))).toMatchObject([{ accepted: true }]);
    expect(titles("todo")).toEqual(["top", "one", "two", "three", "four", "below, refined"]);
  });

  it("finds the thing when the parent's log lost what was committed since the last look", async () => {
    const log = memoryLog();
    const { thread, user, titles } = await openBoard(log);
    const branch = await thread.branch();
    await branch.dispatch({ type: "edit", id: "T-2", title: "branch's" }, { actor: robot, id: "edit" });
    expect(await branch.diff()).toMatchObject([{ holds: true }]);
    await user({ type: "remove", id: "T-1" });
    await user({ type: "count", by: 1 });
    await log.compact("board", { version: 2, state: thread.getState(), definitionVersion: 1 });
    await user({ type: "count", by: 1 });
    expect(await merge(branch)).toMatchObject([{ accepted: true }]);
    expect(titles("todo")).toEqual(["branch's", "three", "four"]);
  });

  it("compares by content below the floor of the parent", async () => {
    const log = memoryLog();
    const { thread, user, titles } = await openBoard(log);
    const branch = await thread.branch();
    await branch.dispatch({ type: "edit", id: "T-3", title: "branch's" }, { actor: robot, id: "same" });
    await branch.dispatch({ type: "edit", id: "T-1", title: "branch's" }, { actor: robot, id: "other" });
    await user({ type: "remove", id: "T-2" });
    await user({ type: "edit", id: "T-1", title: "Ada's" });
    // A log that an earlier release compacted, whatever branches there were.
    await log.compact("board", { version: 2, state: await thread.stateAt(2), definitionVersion: 1 });
    expect(await branch.diff()).toMatchObject([{ holds: true }, { holds: false }]);
    expect(await merge(branch)).toMatchObject([
      { accepted: true },
      { accepted: false, rejection: { code: "conflict" } },
    ]);
    expect(titles("todo")).toEqual(["Ada's", "branch's", "four"]);
  });

  it("knows what was done on a branch since its own floor, and what is done next", async () => {
    const log = memoryLog();
    const { thread, user, titles } = await openBoard(log);
    const branch = await thread.branch();
    const edit = (id: string, title: string) =>
      branch.dispatch({ type: "edit", id, title }, { actor: robot, id: title });
    await edit("T-1", "below the floor");
    await edit("T-3", "b");
    await edit("T-1", "c");
    await user({ type: "remove", id: "T-2" });
    // By its log: a branch has no compaction of its own.
    await log.compact(branch.threadId, { version: 1, state: await branch.stateAt(1), definitionVersion: 1 });
    const holds = async () => (await branch.diff()).map((change) => [change.id, change.holds]);
    expect(await holds()).toEqual([
      ["b", true],
      ["c", false],
    ]);
    await edit("T-4", "d");
    await edit("T-3", "e");
    expect(await holds()).toEqual([
      ["b", true],
      ["c", false],
      ["d", true],
      ["e", true],
    ]);
    const accepted = (verdicts: Awaited<ReturnType<typeof merge>>) => verdicts.map((verdict) => verdict.accepted);
    expect(accepted(await merge(branch))).toEqual([true, false, true, true]);
    expect(titles("todo")).toEqual(["one", "e", "d"]);
    await edit("T-3", "f");
    expect(accepted(await merge(branch, ["f"]))).toEqual([true]);
    expect(titles("todo")).toEqual(["one", "f", "d"]);
  });

  it("meets its parent anew when its own floor has moved since it met it", async () => {
    const log = memoryLog();
    const { thread, user } = await openBoard(log);
    const branch = await thread.branch();
    for (const title of ["below the floor", "b"])
      await branch.dispatch({ type: "edit", id: title === "b" ? "T-3" : "T-1", title }, { actor: robot, id: title });
    const ids = async () => (await branch.diff()).map(({ id, holds }) => [id, holds]);
    expect(await ids()).toEqual([
      ["below the floor", true],
      ["b", true],
    ]);
    await log.compact(branch.threadId, { version: 1, state: await branch.stateAt(1), definitionVersion: 1 });
    await user({ type: "edit", id: "T-4", title: "Ada's" });
    expect(await ids()).toEqual([["b", true]]);
  });

  it("is judged by what the branch did, not by what its code does today", async () => {
    const log = memoryLog();
    const old = await openBoard(log);
    const started = await old.thread.branch();
    await started.dispatch({ type: "inc" }, { actor: robot });
    await old.thread.close();
    const { thread } = await openBoard(log, boardWith({ step: 100 }));
    const branch = await thread.openBranch(started.threadId);
    expect(branch === undefined ? [] : await merge(branch)).toMatchObject([
      { accepted: true, commit: { operation: { carried: true } } },
    ]);
    expect(thread.getState().n).toBe(1);
  });

  it("brings things to where the branch put them, though its code puts them elsewhere today", async () => {
    const log = memoryLog();
    const old = await openBoard(log);
    const started = await old.thread.branch();
    await started.dispatch({ type: "add", column: "todo", title: "agent's" }, { actor: robot });
    await started.dispatch({ type: "move", id: "T-2", to: "done" }, { actor: robot });
    const { columns } = started.getState();
    await old.user({ type: "rename", title: "Ada's" });
    await old.thread.close();
    const { thread } = await openBoard(log, boardWith({ otherEnd: true }));
    const branch = await thread.openBranch(started.threadId);
    expect(branch === undefined ? [] : await merge(branch)).toMatchObject([{ accepted: true }, { accepted: true }]);
    expect(thread.getState()).toMatchObject({ title: "Ada's", columns });
  });

  it("is undone on the branch as its author's, with the ids of then", async () => {
    const { thread } = await openBoard();
    const branch = await thread.branch();
    await branch.dispatch({ type: "clear", column: "todo" }, { actor: robot, id: "clear" });
    await branch.dispatch({ type: "add", column: "todo", title: "mine" }, { actor: ada, id: "add" });
    const minted = branch.getState().columns[0]?.cards[0]?.id;
    await branch.undo({ ids: ["clear"] }, { actor: ada });
    expect(branch.getState().columns[0]?.cards.at(-1)?.id).toBe(minted);
    expect(branch.getState().columns[0]?.cards).toHaveLength(5);
  });
});

describe("compaction", () => {
  it("stops at the version that the oldest branch began with", async () => {
    const { thread, user } = await openBoard();
    for (let time = 0; time < 3; time++) await user({ type: "inc" });
    const branch = await thread.branch(2);
    await user({ type: "inc" });
    expect(await thread.compact({ keep: 0 })).toBe(2);
    await branch.discard();
    expect(await thread.compact({ keep: 0 })).toBe(4);
  });
});
