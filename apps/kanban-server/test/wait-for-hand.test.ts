// A run with `waitForHand` goes on when a person has changed the board, and says what they did.

import { HumanMessage } from "@langchain/core/messages";
import { board } from "@opstate/kanban-domain";
import { expect, test, vi } from "vitest";
import { createKanbanAgent } from "../src/agent.ts";
import { OfflineModel } from "../src/offline-model/offline-model.ts";
import { ada, boardThread, said } from "./support/board-run.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const agent = createKanbanAgent({ model: new OfflineModel({ delayMs: 0 }) });
const REQUEST = "Move T-1 to In Progress, then move T-2 to Review";

function start(thread: Awaited<ReturnType<typeof boardThread>>, signal?: AbortSignal) {
  const opstate = { thread, runId: "run-1" };
  const configurable = { thread_id: thread.threadId, opstate, waitForHand: true };
  const firstChange = new Promise<void>((resolve) => {
    thread.onCommit(({ runId }) => runId === "run-1" && resolve());
  });
  const run = agent.invoke({ messages: [new HumanMessage(REQUEST)] }, { configurable, ...(signal && { signal }) });
  return { firstChange, run };
}

test("the agent goes on after a person's change, and says what it was", async () => {
  const thread = await boardThread();
  const { firstChange, run } = start(thread);
  await firstChange;
  await thread.dispatch(board.op.move({ cardId: "T-3", fromColumn: "backlog", toColumn: "done" }), { actor: ada });
  const { messages } = await run;
  expect(said(messages).join("\n")).toMatch(
    /Meanwhile, ada moved 'Keyboard shortcuts, with a list of them' \(T-3\) from Backlog to Done\./,
  );
  const runs = (await thread.history()).flatMap((entry) => (entry.kind === "commit" ? [entry.commit.runId] : []));
  // The sample, the first change of the run, the hand, and what the run did after it.
  expect(runs).toEqual([undefined, "run-1", undefined, "run-1"]);
});

test("a run that is stopped does not wait any longer", async () => {
  const thread = await boardThread();
  const stop = new AbortController();
  const { firstChange, run } = start(thread, stop.signal);
  await firstChange;
  stop.abort();
  await expect(run).rejects.toThrow(/abort/i);
  expect(thread.version).toBe(2);
});
