// An agent of the OpenAI Agents SDK on a thread of a server, with a scripted model.

import { threadAgent, type ThreadAgentOptions } from "@opstate/openai-agents";
import { Agent, MemorySession, run, setTracingDisabled, type AgentInputItem } from "@openai/agents";
import {
  assistantMessage,
  functionCall,
  modelResponder,
  ScriptedModel,
  type ScriptedModelInput,
} from "@openai/agents/testing";
import { describe, expect, it } from "vitest";
import { ada, board, planner } from "../../agent/test/support/board.ts";
import { connectBoard, serveBoard } from "../../agent/test/support/board-server.ts";

setTracingDisabled(true);

const card = (id: string) => ({ id, title: `Card ${id}` });
const call = (callId: string, name: string, input: Record<string, unknown>) => functionCall(name, input, { callId });

/** An agent over HTTP, whose model has a script. */
async function agentOf(
  url: string,
  steps: readonly ScriptedModelInput[],
  options: Partial<ThreadAgentOptions<typeof board>> = {},
) {
  const { tools, toolUseBehavior, callModelInputFilter, session } = await threadAgent({
    thread: await connectBoard(url),
    actor: planner,
    ...options,
  });
  const model = new ScriptedModel(steps);
  const agent = new Agent({ name: "Planner", instructions: "Help.", model, tools, toolUseBehavior });
  return { agent, model, session, options: { callModelInputFilter } };
}

/** What the model was shown in a call: the instructions, then the items. */
function shown(model: ScriptedModel, index: number): readonly string[] {
  const request = model.calls[index]?.request;
  const input = typeof request?.input === "string" ? [request.input] : (request?.input ?? []);
  return [request?.systemInstructions ?? "", ...input.map((item) => (typeof item === "string" ? item : textOf(item)))];
}

function textOf(item: AgentInputItem): string {
  if (item.type === "function_call_result") return `result: ${JSON.stringify(item.output)}`;
  if (item.type === "function_call") return `call ${item.name}`;
  return "content" in item && typeof item.content === "string" ? item.content : JSON.stringify(item);
}

describe("tools", () => {
  it("answer with the server's verdicts, in one run that can be undone", async () => {
    const { url, thread } = await serveBoard();
    const { agent, model, options } = await agentOf(
      url,
      [[call("c1", "add", card("T-1")), call("c2", "rename", { index: 7, title: "x" })], [assistantMessage("Done.")]],
      { runId: "run-1" },
    );
    const { finalOutput } = await run(agent, "Add a card", options);
    expect(finalOutput).toBe("Done.");
    const told = shown(model, 1).join("\n");
    expect(told).toContain("Accepted: board is now at version 1. Created T-1");
    expect(told).toContain("Refused (card_not_found): No card at 7");
    expect(await thread.history()).toMatchObject([{ commit: { actor: planner, runId: "run-1", toolCallId: "c1" } }]);
    await thread.undo({ runId: "run-1" }, { actor: ada });
    expect(thread.getState().cards).toEqual([]);
  });

  it("refuse arguments of a wrong shape with words, and the run goes on", async () => {
    const { url } = await serveBoard();
    const { agent, model, options } = await agentOf(url, [
      [call("c1", "add", { id: 5 })],
      [assistantMessage("Sorry.")],
    ]);
    expect((await run(agent, "Add", options)).finalOutput).toBe("Sorry.");
    expect(shown(model, 1).join("\n")).toContain("Refused (invalid_operation)");
  });

  it("carry out the calls of one message in their order, also when they conflict", async () => {
    const { url, thread } = await serveBoard();
    const ids = Array.from({ length: 12 }, (_, index) => `T-${index}`);
    const calls = ids.flatMap((id) => [call(`a${id}`, "add", card(id)), call(`b${id}`, "add", { id, title: "again" })]);
    const { agent, options } = await agentOf(url, [calls, [assistantMessage("Done.")]]);
    await run(agent, "Add", options);
    expect(thread.getState().cards).toEqual(ids.map(card));
  });

  it("work in a streamed run", async () => {
    const { url, thread } = await serveBoard();
    const { agent, options } = await agentOf(url, [[call("c1", "add", card("T-1"))], [assistantMessage("One.")]]);
    const result = await run(agent, "Add", { ...options, stream: true });
    await result.completed;
    expect(result.finalOutput).toBe("One.");
    expect(thread.getState().cards).toHaveLength(1);
  });
});

describe("what the model is shown", () => {
  it("is the state at the end of each call, once, and an edit in the middle", async () => {
    const { url, thread } = await serveBoard();
    const { agent, model, options } = await agentOf(url, [
      [call("c1", "add", card("T-1"))],
      modelResponder(async () => {
        await thread.dispatch(board.op.rename({ index: 0, title: "Hers" }), { actor: ada });
        return [call("c2", "add", card("T-2"))];
      }),
      [assistantMessage("Done.")],
    ]);
    await run(agent, "Add", options);
    for (const index of [0, 1, 2]) {
      expect(
        shown(model, index)
          .join("\n")
          .match(/<board version=\\?"\d/g),
      ).toHaveLength(1);
      expect(shown(model, index).at(-1)).toContain("<board version=");
    }
    const last = shown(model, 2).join("\n");
    expect(last.match(/user ada: rename/g)).toHaveLength(1);
    expect(shown(model, 0)[0]).toMatch(/^Help\.\n\n/);
  });

  it("enters neither the history of the run nor that of a session", async () => {
    const { url } = await serveBoard();
    const kept = new MemorySession();
    for (const id of ["T-1", "T-2"]) {
      const { agent, model, session, options } = await agentOf(url, [
        [call(id, "add", card(id))],
        [assistantMessage("Done.")],
      ]);
      const { history } = await run(agent, "Add", { ...options, session: session(kept) });
      expect(JSON.stringify(history)).not.toContain("<board version");
      expect(JSON.stringify(await kept.getItems())).not.toContain("<board version");
      expect(shown(model, 1).at(-1)).toContain("<board version=");
    }
    expect(await kept.getItems()).toHaveLength(8);
  });

  it("is shown once where a session kept what an earlier call showed", async () => {
    const { url } = await serveBoard();
    const session = new MemorySession();
    for (const id of ["T-1", "T-2"]) {
      const { agent, model, options } = await agentOf(url, [[call(id, "add", card(id))], [assistantMessage("Done.")]]);
      await run(agent, "Add", { ...options, session });
      expect(
        shown(model, 1)
          .join("\n")
          .match(/<board version=\\?"\d/g),
      ).toHaveLength(1);
    }
  });
});

describe("a call has one effect", () => {
  it("when its run is made again in another process", async () => {
    const { url, thread } = await serveBoard();
    for (let attempt = 0; attempt < 2; attempt++) {
      const { agent, model, options } = await agentOf(
        url,
        [[call("c1", "add", card("T-1"))], [assistantMessage("Done.")]],
        { conversation: "run-1" },
      );
      await run(agent, "Add", options);
      expect(shown(model, 1).join("\n")).toContain("Accepted: board is now at version 1");
    }
    expect(thread.version).toBe(1);
  });

  it("although its ids change, where the operation says what makes two calls one", async () => {
    const { url, thread } = await serveBoard();
    for (const id of ["c1", "c9"]) {
      const { agent, options } = await agentOf(
        url,
        [[call(id, "pay", { invoice: "7" })], [assistantMessage("Done.")]],
        { runId: "run-1" },
      );
      await run(agent, "Pay", options);
    }
    expect(thread.getState().paid).toBe(1);
  });

  it("and another step's call with the same key is another one", async () => {
    const { url, thread } = await serveBoard();
    const { agent, options } = await agentOf(url, [
      [call("c1", "pay", { invoice: "7" })],
      [call("c2", "pay", { invoice: "7" })],
      [assistantMessage("Done.")],
    ]);
    await run(agent, "Pay twice", options);
    expect(thread.getState().paid).toBe(2);
  });
});

it("a model that repeats a refused call is stopped", async () => {
  const { url } = await serveBoard();
  const steps = ["1", "2", "3", "4"].map((id) => [call(id, "rename", { index: 7, title: "x" })]);
  const { agent, model, options } = await agentOf(url, steps);
  const { finalOutput } = await run(agent, "Rename", options);
  expect(finalOutput).toContain('I stopped: "rename" was refused 3 times');
  expect(model.calls).toHaveLength(3);
});

it("calls that need approval wait as proposals where no approver is named", async () => {
  const { url, thread } = await serveBoard();
  await thread.dispatch(board.op.add(card("T-1")), { actor: ada });
  const { agent, model, options } = await agentOf(url, [[call("c1", "clear", {})], [assistantMessage("It waits.")]]);
  const { interruptions } = await run(agent, "Clear", options);
  expect(interruptions).toEqual([]);
  expect(shown(model, 1).join("\n")).toContain("it waits for a person's approval");
  expect(await thread.proposals()).toHaveLength(1);
});
