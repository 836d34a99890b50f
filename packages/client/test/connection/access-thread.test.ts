import { memoryLog, openThread } from "@opstate/core";
import { accessThread } from "../../src/connection/access-thread.ts";
import { describe, expect, it } from "vitest";
import { ada, robot, tally } from "../tally.ts";

const name = (text: string) => ({ type: "name", name: text }) as const;

async function started() {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  return { thread, human: accessThread(thread, ada), agent: accessThread(thread, robot) };
}

describe("accessThread", () => {
  it("proposes and approves as its actor", async () => {
    const { human, agent } = await started();
    await agent.propose(name("a"), { id: "p" });
    const [proposal] = await human.proposals();
    expect(proposal).toMatchObject({ id: "p", actor: robot });
    expect(await agent.approve("p")).toMatchObject({ accepted: false });
    expect(await human.approve("p", { proposedAt: 1, id: "yes" })).toMatchObject({
      accepted: true,
      commit: { actor: ada },
    });
  });

  it("declines as its actor", async () => {
    const { human, agent } = await started();
    await agent.propose(name("b"), { id: "q" });
    expect(await human.decline("q", { reason: "not now" })).toMatchObject({ accepted: true, commit: { actor: ada } });
  });

  it("reads states, explanations and the history", async () => {
    const { thread, human } = await started();
    await thread.dispatch(name("a"), { actor: robot, id: "a" });
    expect(await human.stateAt(0)).toEqual({ version: 0, state: { count: 0, names: [] } });
    expect(await human.explain("/names/0")).toMatchObject({ commit: { id: "a" } });
    expect(await human.history({ limit: 1 })).toMatchObject([{ kind: "commit", commit: { id: "a" } }]);
  });

  it("undoes and redoes as its actor", async () => {
    const { thread, human } = await started();
    await thread.dispatch(name("a"), { actor: robot, id: "a" });
    expect(await human.undo({ ids: ["a"] }, { id: "back" })).toMatchObject({ accepted: true, commit: { actor: ada } });
    expect(thread.getState().names).toEqual([]);
    expect(await human.redo("back")).toMatchObject({ accepted: true, commit: { actor: ada } });
    expect(thread.getState().names).toEqual(["a"]);
  });

  it("has the default rights of its actor", async () => {
    const { thread } = await started();
    await thread.dispatch(name("a"), { actor: ada, id: "a" });
    expect(await accessThread(thread, robot).undo({ ids: ["a"] })).toMatchObject({ accepted: false });
  });

  it("has the rights that it is given", async () => {
    const { thread } = await started();
    await thread.dispatch(name("a"), { actor: ada, id: "a" });
    expect(await accessThread(thread, robot, (right) => right === "undo").undo({ ids: ["a"] })).toMatchObject({
      accepted: true,
    });
  });

  async function withBranch() {
    const { thread, human, agent } = await started();
    const { threadId } = await human.branch({ name: "try" });
    const branch = await thread.openBranch(threadId);
    await branch?.dispatch(name("b"), { actor: robot, id: "b" });
    return { thread, human, agent, threadId };
  }

  it("makes and lists branches", async () => {
    const { human, threadId } = await withBranch();
    expect(threadId).toBe("t~try");
    expect(await human.branches()).toMatchObject([{ threadId }]);
  });

  it("compares and merges a branch by its id", async () => {
    const { thread, human, agent, threadId } = await withBranch();
    expect(await agent.openBranch(threadId).diff()).toMatchObject([{ id: "b" }]);
    expect(await human.openBranch(threadId).merge({ ids: ["b"] })).toMatchObject([{ verdict: { accepted: true } }]);
    expect(thread.getState().names).toEqual(["b"]);
  });

  it("discards a branch by its id", async () => {
    const { agent, threadId } = await withBranch();
    const branch = agent.openBranch(threadId);
    await branch.discard();
    await expect(branch.diff()).rejects.toThrow('no branch "t~try"');
  });
});
