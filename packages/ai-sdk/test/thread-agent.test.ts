// An agent of the AI SDK on a thread of a server: what it is shown, what its calls do, how it ends.

import { threadAgent } from "@opstate/ai-sdk";
import { generateText, streamText, ToolLoopAgent, type ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { ada, board, planner } from "../../agent/test/support/board.ts";
import { call, scripted, shown } from "./support/model.ts";
import { connectBoard, serveBoard } from "../../agent/test/support/board-server.ts";

const card = (id: string) => ({ id, title: `Card ${id}` });

describe("tools", () => {
  it("are the operations that the actor may use, and two that read", async () => {
    const { thread } = await serveBoard();
    const { tools } = await threadAgent({ thread, actor: planner });
    expect(Object.keys(tools)).toEqual(["add", "rename", "pay", "clear", "board_read", "board_find"]);
  });

  it("answer with the server's verdicts, in one run that can be undone", async () => {
    const { url, thread } = await serveBoard();
    const agent = await threadAgent({ thread: await connectBoard(url), actor: planner, runId: "run-1" });
    const model = scripted(
      [call("c1", "add", card("T-1")), call("c2", "rename", { index: 7, title: "x" })],
      [call("c3", "audit", {})],
      "Done.",
    );
    const { text, steps } = await generateText({ model, prompt: "Add a card", ...agent });
    expect(text).toBe("Done.");
    const results = steps[0]?.toolResults.map(({ output }) => output);
    expect(results).toMatchObject([{ verdict: { accepted: true, version: 1 } }, { verdict: { accepted: false } }]);
    const told = shown(model.doGenerateCalls[1]).join("\n");
    expect(told).toContain('Accepted: board is now at version 1. Created T-1 "Card T-1".');
    expect(told).toContain("Refused (card_not_found): No card at 7");
    expect(await thread.history()).toMatchObject([
      { commit: { actor: planner, runId: "run-1", toolCallId: "c1", operation: { type: "add" } } },
    ]);
    await thread.undo({ runId: "run-1" }, { actor: ada });
    expect(thread.getState().cards).toEqual([]);
  });

  it("refuse arguments of a wrong shape with words, and the run goes on", async () => {
    const { url } = await serveBoard();
    const agent = await threadAgent({ thread: await connectBoard(url), actor: planner });
    const model = scripted([call("c1", "add", { id: 5 })], "Sorry.");
    const { text } = await generateText({ model, prompt: "Add", ...agent });
    expect(text).toBe("Sorry.");
    expect(shown(model.doGenerateCalls[1]).join("\n")).toContain("Refused (invalid_operation)");
  });

  it("carry out the calls of one message in their order, also when they conflict", async () => {
    const { url, thread } = await serveBoard();
    const agent = await threadAgent({ thread: await connectBoard(url), actor: planner });
    const ids = Array.from({ length: 12 }, (_, index) => `T-${index}`);
    const calls = ids.flatMap((id) => [call(`a${id}`, "add", card(id)), call(`b${id}`, "add", card(id))]);
    const { steps } = await generateText({ model: scripted(calls, "Done."), prompt: "Add", ...agent });
    expect(thread.getState().cards.map(({ id }) => id)).toEqual(ids);
    const accepted = steps[0]?.toolResults.map(
      ({ output }) => typeof output === "object" && JSON.stringify(output).includes('"accepted":true'),
    );
    expect(accepted).toEqual(ids.flatMap(() => [true, false]));
  });

  it("work in `streamText` and in an agent", async () => {
    const { url, thread } = await serveBoard();
    const agent = await threadAgent({ thread: await connectBoard(url), actor: planner });
    const streamed = streamText({ model: scripted([call("c1", "add", card("T-1"))], "One."), prompt: "Add", ...agent });
    expect(await streamed.text).toBe("One.");
    const other = await threadAgent({ thread: await connectBoard(url), actor: planner });
    const loop = new ToolLoopAgent({ model: scripted([call("c2", "add", card("T-2"))], "Two."), ...other });
    expect((await loop.generate({ prompt: "Add" })).text).toBe("Two.");
    expect(thread.getState().cards.map(({ id }) => id)).toEqual(["T-1", "T-2"]);
  });
});

describe("what the model is shown", () => {
  it("is the state at the end of each call, once, and an edit in the middle", async () => {
    const { url, thread } = await serveBoard();
    const agent = await threadAgent({ thread: await connectBoard(url), actor: planner });
    const model = scripted(
      [call("c1", "add", card("T-1"))],
      async () => {
        await thread.dispatch(board.op.rename({ index: 0, title: "Hers" }), { actor: ada });
        return [call("c2", "add", card("T-2"))];
      },
      "Done.",
    );
    await generateText({ model, prompt: "Add", ...agent });
    for (const options of model.doGenerateCalls) {
      const prompt = shown(options);
      expect(prompt.join("\n").match(/<board version="\d/g)).toHaveLength(1);
      expect(prompt.at(-1)).toContain("<board version=");
    }
    const last = shown(model.doGenerateCalls[2]).join("\n");
    expect(last.match(/user ada: rename/g)).toHaveLength(1);
    expect(last).toContain('"title":"Hers"');
  });

  it("begins with what earlier calls began with, so that it is cached", async () => {
    const { url } = await serveBoard();
    const agent = await threadAgent({ thread: await connectBoard(url), actor: planner });
    const calls = ["T-1", "T-2", "T-3"].map((id) => [call(id, "add", card(id))]);
    const model = scripted(...calls, "Done.");
    await streamText({ model, instructions: "Help.", prompt: "Add", ...agent }).consumeStream();
    const prompts = model.doStreamCalls.map((options) => shown(options));
    expect(prompts).toHaveLength(4);
    for (const [at, prompt] of prompts.slice(1).entries()) {
      const before = prompts[at]?.slice(0, -1) ?? [];
      expect(prompt.slice(0, before.length)).toEqual(before);
    }
    expect(prompts[0]?.[0]).toMatch(/^system: Help\.\n\n/);
  });

  it("names what others did since its last work, in another request", async () => {
    const { url, thread } = await serveBoard();
    const first = await threadAgent({ thread: await connectBoard(url), actor: planner });
    await generateText({ model: scripted([call("c1", "add", card("T-1"))], "Done."), prompt: "Add", ...first });
    await thread.dispatch(board.op.rename({ index: 0, title: "Hers" }), { actor: ada });
    const second = await threadAgent({ thread: await connectBoard(url), actor: planner });
    const model = scripted("I see.");
    await generateText({ model, prompt: "What changed?", ...second });
    expect(shown(model.doGenerateCalls[0]).at(-1)).toMatch(/<board-changes>[^]*Hers[^]*<\/board-changes>/);
  });

  it("can be in the system message, for models that accept nothing after a result", async () => {
    const { url } = await serveBoard();
    const agent = await threadAgent({ thread: await connectBoard(url), actor: planner, context: { place: "system" } });
    const model = scripted([call("c1", "add", card("T-1"))], "Done.");
    await generateText({ model, prompt: "Add", ...agent });
    const prompt = shown(model.doGenerateCalls[1]);
    expect(prompt[0]).toContain('<board version="1">');
    expect(prompt.at(-1)).toMatch(/^tool: Accepted/);
  });
});

describe("a call has one effect", () => {
  it("when its message is made again in another process", async () => {
    const { url, thread } = await serveBoard();
    for (let attempt = 0; attempt < 2; attempt++) {
      const agent = await threadAgent({ thread: await connectBoard(url), actor: planner, conversation: "chat-1" });
      const model = scripted([call("c1", "add", card("T-1"))], "Done.");
      await generateText({ model, prompt: "Add", ...agent });
      expect(shown(model.doGenerateCalls[1]).join("\n")).toContain("Accepted: board is now at version 1");
    }
    expect(thread.version).toBe(1);
  });

  it("although its ids change, where the operation says what makes two calls one", async () => {
    const { url, thread } = await serveBoard();
    for (const id of ["c1", "c9"]) {
      const agent = await threadAgent({ thread: await connectBoard(url), actor: planner, runId: "run-1" });
      await generateText({ model: scripted([call(id, "pay", { invoice: "7" })], "Done."), prompt: "Pay", ...agent });
    }
    expect(thread.getState().paid).toBe(1);
  });

  it("and another message's call with the same id is another one", async () => {
    const { url, thread } = await serveBoard();
    const agent = await threadAgent({ thread: await connectBoard(url), actor: planner, conversation: "chat-1" });
    const model = scripted(
      [call("call_0", "pay", { invoice: "7" })],
      [call("call_0", "add", card("T-1"))],
      [call("call_0", "add", card("T-2"))],
      "Done.",
    );
    await generateText({ model, prompt: "Go", ...agent });
    expect(thread.version).toBe(3);
  });
});

it("a model that repeats a refused call is stopped", async () => {
  const { url } = await serveBoard();
  const agent = await threadAgent({ thread: await connectBoard(url), actor: planner });
  const step = (id: string) => [call(id, "rename", { index: 7, title: "x" })];
  const model = scripted(...["1", "2", "3", "4", "5"].map(step));
  const { steps } = await generateText({ model, prompt: "Rename", ...agent });
  expect(steps).toHaveLength(3);
  expect(JSON.stringify(steps[2]?.toolResults)).toContain('I stopped: \\"rename\\" was refused 3 times');
});

it("calls that need approval wait as proposals where no approver is named", async () => {
  const { url, thread } = await serveBoard();
  await thread.dispatch(board.op.add(card("T-1")), { actor: ada });
  const agent = await threadAgent({ thread: await connectBoard(url), actor: planner });
  const model = scripted([call("c1", "clear", {})], "It waits.");
  const messages: ModelMessage[] = [{ role: "user", content: "Clear" }];
  await generateText({ model, messages, ...agent });
  expect(shown(model.doGenerateCalls[1]).join("\n")).toContain("it waits for a person's approval");
  expect(await thread.proposals()).toHaveLength(1);
  expect(thread.getState().cards).toHaveLength(1);
});

it("an approver without a conversation is a mistake, named as such", async () => {
  const { thread } = await serveBoard();
  await expect(threadAgent({ thread, actor: planner, approver: ada })).rejects.toThrow(
    "`approver` needs a `conversation`",
  );
});
