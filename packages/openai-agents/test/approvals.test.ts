// Approvals by the SDK's own interruptions, also when the run goes on in another process.

import { threadAgent } from "@opstate/openai-agents";
import { Agent, run, RunState, setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel, type ScriptedModelInput } from "@openai/agents/testing";
import { describe, expect, it } from "vitest";
import { ada, board, planner } from "../../agent/test/support/board.ts";
import { connectBoard, serveBoard } from "../../agent/test/support/board-server.ts";
import { ADA, sqliteFile } from "../../agent/test/support/server.ts";

setTracingDisabled(true);

const CARD = board.op.add({ id: "T-1", title: "One" });
const clear = functionCall("clear", {}, { callId: "c1" });

/** A process of the run: an agent of its own, over HTTP. */
async function process(url: string, steps: readonly ScriptedModelInput[], approver = ADA) {
  const { tools, toolUseBehavior, callModelInputFilter } = await threadAgent({
    thread: await connectBoard(url),
    actor: planner,
    conversation: "run-1",
    approver: { headers: approver },
  });
  const model = new ScriptedModel(steps);
  return {
    agent: new Agent({ name: "Planner", model, tools, toolUseBehavior }),
    model,
    options: { callModelInputFilter },
  };
}

/** A run that waits for an answer, as the text that another process goes on with. */
async function waiting(url: string, calls = [clear]): Promise<string> {
  const { agent, options } = await process(url, [calls]);
  const { interruptions, state } = await run(agent, "Clear the board", options);
  expect(interruptions).toHaveLength(1);
  return state.toString();
}

interface Answer {
  readonly approve: boolean;
  readonly message?: string;
  readonly approver?: typeof ADA;
}

/** Goes on with it in another process. Gives what the model was shown then. */
async function goOn(url: string, kept: string, { approve, message, approver }: Answer): Promise<string> {
  const { agent, model, options } = await process(url, [[assistantMessage("All right.")]], approver);
  const state = await RunState.fromString(agent, kept);
  for (const item of state.getInterruptions())
    if (approve) state.approve(item);
    else state.reject(item, message === undefined ? {} : { message });
  const { finalOutput } = await run(agent, state, options);
  expect(finalOutput).toBe("All right.");
  return JSON.stringify(model.calls[0]?.request.input);
}

async function started() {
  const { url, thread } = await serveBoard();
  await thread.dispatch(CARD, { actor: ada });
  return { url, thread, kept: await waiting(url) };
}

describe("a call that needs approval", () => {
  it("is a proposal that pages see, while the run waits", async () => {
    const { thread } = await started();
    expect(thread.getState().cards).toHaveLength(1);
    expect(await thread.proposals()).toMatchObject([{ actor: planner, operation: { type: "clear" } }]);
  });

  it("is carried out under the name of the person who said yes, in another process", async () => {
    const { url, thread, kept } = await started();
    const told = await goOn(url, kept, { approve: true });
    expect(told).toContain("Accepted: board is now at version 3.");
    expect(told).toContain("Approved by user");
    expect(thread.getState().cards).toEqual([]);
    expect((await thread.history()).at(-1)).toMatchObject({ commit: { actor: ada, operation: { type: "$approve" } } });
  });

  it("is declined in the thread when the person said no, with the reason", async () => {
    const { url, thread, kept } = await started();
    const told = await goOn(url, kept, { approve: false, message: "Keep it" });
    expect(told).toContain("Refused (declined): user");
    expect(told).toContain("Keep it");
    expect(await thread.proposals()).toEqual([]);
    expect(thread.getState().cards).toHaveLength(1);
  });

  it("is declined without a reason, too", async () => {
    const { url, thread, kept } = await started();
    const told = await goOn(url, kept, { approve: false });
    expect(told).toContain("Refused (declined): user");
    expect(told).not.toContain("and said");
    expect(await thread.proposals()).toEqual([]);
  });

  it("that was approved on a page meanwhile is true in the run, also after a no there", async () => {
    const { url, thread, kept } = await started();
    const [proposal] = await thread.proposals();
    await thread.approve(proposal?.id ?? "", { actor: ada, allows: () => true });
    expect(await goOn(url, kept, { approve: false })).toContain("Accepted: board is now at version 3.");
  });

  it("that was declined on a page meanwhile is refused after a yes in the run", async () => {
    const { url, thread, kept } = await started();
    const [proposal] = await thread.proposals();
    await thread.decline(proposal?.id ?? "", { actor: ada, allows: () => true });
    expect(await goOn(url, kept, { approve: true })).toContain("Refused (declined)");
    expect(thread.getState().cards).toHaveLength(1);
  });

  it("has one effect, however often the run goes on from there", async () => {
    const { url, thread, kept } = await started();
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await goOn(url, kept, { approve: true })).toContain("Accepted: board is now at version 3.");
    expect(thread.version).toBe(3);
  });

  it("waits on when the person has no right to approve", async () => {
    const { url, thread, kept } = await started();
    const approver = { authorization: "user bob read,write" };
    expect(await goOn(url, kept, { approve: true, approver })).toContain("The answer was not allowed (forbidden)");
    expect(await thread.proposals()).toHaveLength(1);
  });

  it("goes on on another server after a restart", async () => {
    const open = sqliteFile();
    const log = open();
    const first = await serveBoard(log);
    await first.thread.dispatch(CARD, { actor: ada });
    const kept = await waiting(first.url);
    await first.thread.close();
    await first.server.close();
    await log.close();
    const second = await serveBoard(open());
    await goOn(second.url, kept, { approve: true });
    expect(second.thread.getState().cards).toEqual([]);
  });
});

it("calls beside one that waits are carried out, and the answer belongs to its own call", async () => {
  const { url, thread } = await serveBoard();
  const add = (callId: string, title: string) => functionCall("add", { id: "T-1", title }, { callId });
  const kept = await waiting(url, [add("c1", "One"), functionCall("clear", {}, { callId: "c2" }), add("c3", "Again")]);
  expect(thread.getState().cards).toMatchObject([{ title: "One" }]);
  const told = await goOn(url, kept, { approve: false });
  expect(told).toContain("Accepted: board is now at version");
  expect(told).toContain("Refused (card_exists)");
  expect(told).toContain("Refused (declined)");
});
