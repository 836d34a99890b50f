// Undo by run or actor selects by the author: the one who proposed what was approved, or did on
// a branch what was merged. Whether the sender may undo it depends on the commit's actor: the one
// who approved or merged it.

import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally } from "../tally.ts";

const open = () => openThread({ definition: tally, log: memoryLog(), threadId: "t" });
const name = (name: string) => ({ type: "name", name }) as const;
const add = (by: number) => ({ type: "add", by }) as const;

/**
 * The agent adds 1 by itself, proposes 10 in the same run, and 100 on a branch; Ada says yes to
 * both, in a run of her own.
 */
async function approvedAndMerged() {
  const thread = await open();
  await thread.dispatch(add(1), { actor: robot, runId: "r", id: "own" });
  await thread.propose(add(10), { actor: robot, runId: "r", id: "p" });
  await thread.dispatch(name("kept"), { actor: ada });
  await thread.approve("p", { actor: ada, runId: "ada's", id: "yes" });
  const branch = await thread.branch();
  await branch.dispatch(add(100), { actor: robot, runId: "r", id: "on a branch" });
  await branch.merge({ actor: ada });
  expect(thread.getState()).toEqual({ count: 111, names: ["kept"], size: 1 });
  return thread;
}

describe("undo of a run or an actor", () => {
  it.each([{ runId: "r" }, { actor: robot }])(
    "undoes what was approved and merged for %j, and redoes it",
    async (target) => {
      const thread = await approvedAndMerged();
      const undone = await thread.undo(target, { actor: bob, id: "u" });
      expect(undone).toMatchObject({
        accepted: true,
        commit: {
          operation: {
            versions: [
              [1, 2],
              [4, 5],
            ],
          },
        },
      });
      expect(thread.getState()).toEqual({ count: 0, names: ["kept"], size: 1 });
      expect(await thread.proposals()).toEqual([]);
      // Again, it changes nothing.
      expect(await thread.undo(target, { actor: bob })).toEqual({ accepted: true, version: 6 });
      await thread.undo({ ids: ["u"] }, { actor: bob, id: "redo" });
      expect(thread.getState()).toEqual({ count: 111, names: ["kept"], size: 1 });
      // What was decided is decided still.
      expect(await thread.proposals()).toEqual([]);
      await thread.undo({ ids: ["redo"] }, { actor: bob });
      expect(thread.getState().count).toBe(0);
    },
  );

  it("says which run wrote what is there: the one that it goes with", async () => {
    const thread = await open();
    await thread.propose(add(10), { actor: robot, runId: "r", id: "p" });
    await thread.approve("p", { actor: ada, runId: "ada's" });
    expect(await thread.explain("/count")).toMatchObject({ actor: ada, runId: "r", commit: { runId: "ada's" } });
  });

  it("leaves out what only was approved or merged by an actor, or in a run of theirs", async () => {
    const thread = await approvedAndMerged();
    expect(await thread.undo({ runId: "ada's" }, { actor: ada })).toEqual({ accepted: true, version: 5 });
    expect(await thread.undo({ actor: ada }, { actor: ada })).toMatchObject({
      commit: { operation: { versions: [3] } },
    });
    expect(thread.getState()).toEqual({ count: 111, names: [], size: 0 });
  });

  it("undoes by run what was approved on a branch and merged", async () => {
    const thread = await open();
    const branch = await thread.branch();
    await branch.propose(add(7), { actor: robot, runId: "r", id: "p" });
    await branch.approve("p", { actor: ada, runId: "ada's" });
    expect(await branch.diff()).toMatchObject([{ actor: robot, runId: "r" }]);
    await branch.merge({ actor: bob });
    expect(thread.getState().count).toBe(7);
    await thread.undo({ runId: "r" }, { actor: bob });
    expect(thread.getState().count).toBe(0);
  });

  it("undoes what was approved after `since`, though it was proposed before", async () => {
    const thread = await approvedAndMerged();
    await thread.undo({ runId: "r", since: 2 }, { actor: bob });
    expect(thread.getState().count).toBe(1);
  });
});

describe("an actor that may undo its own work only", () => {
  const own = () => false;

  it("cannot undo what another actor approved or merged for it", async () => {
    const thread = await approvedAndMerged();
    for (const target of [{ runId: "r" }, { actor: robot }, { actor: robot, since: 2 }]) {
      const refused = await thread.undo(target, { actor: robot });
      expect(refused).toMatchObject({
        accepted: false,
        rejection: { code: "forbidden", details: { version: 4, actor: ada } },
      });
      expect(refused).toMatchObject({
        rejection: { message: expect.stringMatching(/^Version 4 was approved by the user "ada"/) },
      });
    }
    expect(await thread.undo({ runId: "r", since: 4 }, { actor: robot })).toMatchObject({
      rejection: { code: "forbidden", message: expect.stringMatching(/^Version 5 was merged by the user "ada"/) },
    });
    expect(thread.getState().count).toBe(111);
    // What they did by themselves they name.
    expect(await thread.undo({ ids: ["own"] }, { actor: robot })).toMatchObject({ accepted: true });
  });

  it("undoes what it approved itself, and nothing else of its author's", async () => {
    const thread = await approvedAndMerged();
    expect(await thread.undo({ actor: robot }, { actor: ada, allows: own })).toMatchObject({
      rejection: { code: "forbidden", details: { version: 1, actor: robot } },
    });
    expect(await thread.undo({ actor: robot, since: 2 }, { actor: bob, allows: own })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    // By id they could all along.
    expect(await thread.undo({ actor: robot, since: 2 }, { actor: ada, allows: own })).toMatchObject({
      accepted: true,
    });
    expect(thread.getState().count).toBe(1);
  });
});

describe("undo by the id of a merge", () => {
  it("finds it as the work of the one who merged it, and of no one else", async () => {
    const thread = await approvedAndMerged();
    const commits = (await thread.history()).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    const id = commits.find((commit) => commit.operation.type === "$merge")?.id ?? "none";
    expect(await thread.undo({ ids: [id], actor: bob }, { actor: bob })).toMatchObject({
      accepted: false,
      rejection: { reason: "unknown_id" },
    });
    await thread.undo({ ids: [id], actor: ada }, { actor: ada });
    expect(thread.getState().count).toBe(11);
  });
});
