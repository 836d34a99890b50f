import { board, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { groupRuns } from "../../src/timeline/group-runs.ts";
import { LOG, logNow } from "../../src/timeline/log.ts";
import { type RunStep, runStatus } from "../../src/timeline/run-status.ts";
import { ada, agent, openBoard as openThread, pageOf } from "../board-thread.ts";

async function openBoard() {
  const thread = await openThread();
  const page = pageOf(thread);
  page.history.with(LOG).subscribe(() => undefined);

  /** The run's status once the log has reached the thread's version. */
  async function status(hasOpenProposals = false) {
    await expect.poll(() => logNow(page).entries[0]?.version).toBe(thread.version);
    const runs = groupRuns(logNow(page).entries).flatMap((item) => (item.kind === "run" ? [item.run] : []));
    const run = runs.find(({ runId }) => runId === "run");
    if (!run) throw new Error("the log has no run");
    return runStatus(run, logNow(page), hasOpenProposals);
  }

  /** Does what the button would do. */
  function perform(step: RunStep | undefined) {
    if (!step) throw new Error("there is nothing to do about the run");
    return page.undo(step.target);
  }

  return { thread, status, perform };
}

const move = (cardId: string) => board.op.move({ cardId, toColumn: "done" });

describe("what can be done about a run", () => {
  it("undoes what it did, and then redoes it", async () => {
    const { thread, status, perform } = await openBoard();
    for (const cardId of ["T-1", "T-2"]) await thread.dispatch(move(cardId), { actor: agent, runId: "run" });
    const before = thread.getState();
    expect(await status()).toMatchObject({ what: "2 changes", undone: false, step: { label: "Undo this run" } });
    expect(await perform((await status()).step)).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual(sampleBoard);
    expect(await status()).toMatchObject({
      undone: true,
      step: { label: "Redo this run", title: "Bring it back: Undo: a run of the agent, 2 changes" },
    });
    await perform((await status()).step);
    expect(thread.getState()).toEqual(before);
    expect(await status()).toMatchObject({ undone: false, step: { label: "Undo this run" } });
  });

  it("still undoes the rest when a part of it is undone", async () => {
    const { thread, status, perform } = await openBoard();
    for (const cardId of ["T-1", "T-2"])
      await thread.dispatch(move(cardId), { actor: agent, runId: "run", id: cardId });
    await thread.undo({ ids: ["T-1"] }, { actor: ada });
    expect(await status()).toMatchObject({ undone: false, step: { label: "Undo this run" } });
    await perform((await status()).step);
    expect(thread.getState()).toEqual(sampleBoard);
  });

  it("withdraws proposals while they wait, and undoes those that were accepted", async () => {
    const { thread, status, perform } = await openBoard();
    await thread.propose(move("T-1"), { actor: agent, runId: "run", id: "first" });
    await thread.propose(move("T-2"), { actor: agent, runId: "run", id: "second" });
    expect(await status(true)).toMatchObject({ what: "2 proposals", undone: false, step: { label: "Withdraw" } });
    await thread.approve("first", { actor: ada });
    expect(await status(true)).toMatchObject({ step: { label: "Undo this run" } });
    await perform((await status(true)).step);
    expect(thread.getState()).toEqual(sampleBoard);
    expect(await status(true)).toMatchObject({ undone: true, step: { label: "Withdraw" } });
    await perform((await status(true)).step);
    expect((await thread.proposals()).length).toBe(0);
  });

  it("undoes what it did with what was approved for it, in whatever run the approval came", async () => {
    const { thread, status, perform } = await openBoard();
    await thread.dispatch(move("T-1"), { actor: agent, runId: "run" });
    await thread.propose(move("T-2"), { actor: agent, runId: "run", id: "p" });
    await thread.approve("p", { actor: ada, runId: "the next run" });
    expect(await status()).toMatchObject({ undone: false, step: { label: "Undo this run" } });
    await perform((await status()).step);
    expect(thread.getState()).toEqual(sampleBoard);
    expect(await status()).toMatchObject({ undone: true, step: { label: "Redo this run" } });
  });

  it("leaves a run alone that changed nothing", async () => {
    const { thread, status } = await openBoard();
    await thread.propose(move("T-1"), { actor: agent, runId: "run", id: "first" });
    await thread.decline("first", { actor: ada });
    expect(await status()).toMatchObject({ what: "1 proposal", undone: false, step: undefined });
  });
});
