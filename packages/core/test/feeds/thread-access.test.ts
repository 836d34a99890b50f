import { memoryLog, openThread } from "@opstate/core";
import { accessThread } from "@opstate/core/feeds";
import { describe, expect, it } from "vitest";
import { ada, robot, tally } from "../thread/tally.ts";

const name = (text: string) => ({ type: "name", name: text }) as const;

async function started() {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  return { thread, human: accessThread(thread, ada), agent: accessThread(thread, robot) };
}

describe("accessThread", () => {
  it("does everything as its actor", async () => {
    const { thread, human, agent } = await started();
    await agent.propose(name("a"), { id: "p" });
    const [proposal] = await human.proposals();
    expect(proposal).toMatchObject({ id: "p", actor: robot });
    expect(await agent.approve("p")).toMatchObject({ accepted: false });
    expect(await human.approve("p", { proposedAt: 1, id: "yes" })).toMatchObject({
      accepted: true,
      commit: { actor: ada },
    });
    await agent.propose(name("b"), { id: "q" });
    expect(await human.decline("q", { reason: "not now" })).toMatchObject({ accepted: true });
    expect(await human.stateAt(1)).toEqual({ version: 1, state: { count: 0, names: [], size: 0 } });
    expect(await human.explain("/names/0")).toMatchObject({ commit: { id: "yes" } });
    const undone = await human.undo({ ids: ["yes"] }, { id: "back" });
    expect(undone).toMatchObject({ accepted: true });
    expect(thread.getState().names).toEqual([]);
    expect(await human.redo("back")).toMatchObject({ accepted: true });
    expect(thread.getState().names).toEqual(["a"]);
    expect(await human.history({ limit: 1 })).toMatchObject([{ kind: "commit", commit: { id: "p" } }]);
  });

  it("has the rights that it is given", async () => {
    const { thread } = await started();
    await thread.dispatch(name("a"), { actor: ada, id: "a" });
    expect(await accessThread(thread, robot).undo({ ids: ["a"] })).toMatchObject({ accepted: false });
    expect(await accessThread(thread, robot, (right) => right === "undo").undo({ ids: ["a"] })).toMatchObject({
      accepted: true,
    });
  });

  it("works on branches by their id", async () => {
    const { thread, human, agent } = await started();
    const { threadId } = await human.branch({ name: "try" });
    expect(threadId).toBe("t~try");
    const branch = await thread.openBranch(threadId);
    await branch?.dispatch(name("b"), { actor: robot, id: "b" });
    expect(await human.branches()).toMatchObject([{ threadId }]);
    const seen = agent.openBranch(threadId);
    expect(await seen.diff()).toMatchObject([{ id: "b" }]);
    expect(await human.openBranch(threadId).merge({ ids: ["b"] })).toMatchObject([{ verdict: { accepted: true } }]);
    expect(thread.getState().names).toEqual(["b"]);
    await seen.discard();
    await expect(seen.diff()).rejects.toThrow('no branch "t~try"');
  });
});
