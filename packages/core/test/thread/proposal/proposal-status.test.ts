import { type Log, memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, steady, tally, elsewhere } from "../tally.ts";

const open = (log: Log = memoryLog()) =>
  openThread({ definition: tally, log: elsewhere(log), threadId: "t", ...steady() });

/** A thread in which the robot has proposed, as "p" at version 1, to wipe the list. */
async function withProposal(options: { readonly expiresAt?: string } = {}) {
  const log = memoryLog();
  const thread = await open(log);
  await thread.propose({ type: "wipe" }, { actor: robot, id: "p", runId: "r", ...options });
  return { thread, log };
}

describe("the status of a proposal", () => {
  it("is undefined when there is none of the id", async () => {
    const { thread } = await withProposal();
    expect(await thread.proposal("q")).toBeUndefined();
    expect(await thread.proposal("p", { proposedAt: 7 })).toBeUndefined();
  });

  it("is open, with the proposal as the list has it", async () => {
    const { thread } = await withProposal();
    const [proposal] = await thread.proposals();
    expect(await thread.proposal("p")).toEqual({ status: "open", proposal });
    expect(await thread.proposal("p", { proposedAt: 1 })).toEqual({ status: "open", proposal });
  });

  it("is expired once its time is over, until it is declined", async () => {
    const { thread } = await withProposal({ expiresAt: "2000-01-01T00:00:00Z" });
    expect(await thread.proposals()).toEqual([]);
    expect(await thread.proposal("p")).toMatchObject({ status: "expired", proposal: { id: "p", version: 1 } });
    await thread.decline("p", { actor: ada });
    expect(await thread.proposal("p")).toMatchObject({ status: "decided", how: "declined", by: ada, version: 2 });
  });

  it("is approved, with the commit that did it, also after a restart", async () => {
    const { thread, log } = await withProposal();
    const verdict = await thread.approve("p", { actor: bob });
    const status = await thread.proposal("p");
    expect(status).toEqual({
      status: "decided",
      how: "approved",
      by: bob,
      version: 2,
      commit: verdict.accepted && verdict.commit,
    });
    expect(await (await open(log)).proposal("p")).toEqual(status);
  });

  it("is declined, with the reason", async () => {
    const { thread } = await withProposal();
    await thread.decline("p", { actor: ada, reason: "not today" });
    expect(await thread.proposal("p")).toMatchObject({ how: "declined", by: ada, version: 2, reason: "not today" });
  });

  it("is withdrawn when its proposer declines it", async () => {
    const { thread } = await withProposal();
    await thread.decline("p", { actor: robot });
    expect(await thread.proposal("p")).toMatchObject({ how: "taken_back", by: robot, version: 2 });
  });

  it("is withdrawn when its commit is undone, and open again when that is redone", async () => {
    const { thread } = await withProposal();
    await thread.undo({ runId: "r" }, { actor: ada, id: "u" });
    expect(await thread.proposal("p")).toMatchObject({ how: "taken_back", by: ada, version: 2 });
    await thread.undo({ ids: ["u"] }, { actor: ada });
    expect(await thread.proposal("p")).toMatchObject({ status: "open" });
  });

  it("stays approved when it was undone and redone before", async () => {
    const { thread } = await withProposal();
    await thread.undo({ runId: "r" }, { actor: ada, id: "u" });
    await thread.undo({ ids: ["u"] }, { actor: ada });
    await thread.approve("p", { actor: bob });
    expect(await thread.proposal("p")).toMatchObject({ how: "approved", by: bob, version: 4 });
  });

  it("stays approved when proposal and approval are undone later", async () => {
    const { thread } = await withProposal();
    await thread.approve("p", { actor: bob });
    await thread.undo({ runId: "r" }, { actor: ada });
    expect(await thread.proposal("p")).toMatchObject({ how: "approved", by: bob, version: 2 });
  });

  it("is ambiguous when two actors' open proposals bear the id, and says which there are", async () => {
    const { thread } = await withProposal();
    await thread.propose({ type: "reset" }, { actor: ada, id: "p" });
    expect(await thread.proposal("p")).toEqual({ status: "ambiguous", versions: [1, 2] });
    expect(await thread.proposal("p", { proposedAt: 2 })).toMatchObject({ status: "open", proposal: { actor: ada } });
  });

  it("is that of the open one, where another of the id was decided", async () => {
    const { thread } = await withProposal();
    await thread.propose({ type: "reset" }, { actor: ada, id: "p" });
    await thread.decline("p", { actor: bob, proposedAt: 2 });
    expect(await thread.proposal("p")).toMatchObject({ status: "open", proposal: { version: 1 } });
    expect(await thread.proposal("p", { proposedAt: 2 })).toMatchObject({ how: "declined", by: bob });
  });

  it("is known by the decision alone when compaction removed the proposal", async () => {
    const { thread } = await withProposal();
    await thread.approve("p", { actor: bob });
    await thread.compact({ before: 2 });
    expect(await thread.proposal("p")).toMatchObject({ how: "approved", by: bob, version: 2 });
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    await thread.compact({ before: 3 });
    expect(await thread.proposal("p")).toBeUndefined();
  });
});
