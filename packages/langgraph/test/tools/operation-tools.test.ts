import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import type { Commit, Verdict } from "@opstate/core";
import { operationTools, replacementTool, threadOfRun, type StreamedVerdict } from "@opstate/langgraph";
import { AIMessage, createAgent, fakeModel, tool, ToolMessage } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { agent as agentActor, board, layout, openSample, sample } from "../support/board.ts";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };

function results(messages: readonly unknown[]): ToolMessage[] {
  return messages.filter((message) => ToolMessage.isInstance(message));
}

async function commitsOf(thread: Awaited<ReturnType<typeof openSample>>): Promise<Commit[]> {
  return (await thread.history({ after: 1 })).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
}

describe("operationTools", () => {
  it("offers what the actor may use, under the definition's names and schemas", async () => {
    const thread = await openSample();
    const tools = operationTools(board, { thread });
    expect(tools.map(({ name }) => name)).toEqual(["move", "remove", "rename", "explode"]);
    expect(
      operationTools(board, { thread, prefix: "board_", actor: { kind: "user", id: "ada" } }).map(({ name }) => name),
    ).toContain("board_archive");
    expect(convertToOpenAITool(tools[0]!)).toMatchObject({
      function: {
        name: "move",
        description: "Move a card to another column",
        parameters: { type: "object", properties: { cardId: { type: "string" } }, required: ["cardId", "to"] },
      },
    });
  });

  describe("with four conflicting parallel calls", () => {
    async function conflictingCalls() {
      const thread = await openSample();
      const model = fakeModel()
        .respond(
          call(
            ["remove", { cardId: "T-1" }, "a"],
            ["move", { cardId: "T-1", to: "done" }, "b"],
            ["move", { cardId: "T-2", to: "done" }, "c"],
            ["remove", { cardId: "T-1" }, "d"],
          ),
        )
        .respond(say("done"));
      const agent = createAgent({ model, tools: operationTools(board, { thread }) });
      const { messages } = await agent.invoke({ messages: "go" });
      return { thread, model, answers: results(messages) };
    }

    it("executes them in order", async () => {
      const { thread } = await conflictingCalls();
      expect(layout(thread.getState())).toEqual({ todo: ["T-3"], done: ["T-2"] });
    });

    it("answers each with its true verdict, in order", async () => {
      const { model, answers } = await conflictingCalls();
      expect(answers.map((message) => [message.tool_call_id, message.status])).toEqual(
        ["a", "b", "c", "d"].map((id) => [id, "success"]),
      );
      expect(answers.map(({ artifact }) => (artifact as Verdict).accepted)).toEqual([true, false, true, false]);
      expect(results(model.calls[1]?.messages ?? []).map(({ text }) => text.split(/[ :]/)[0])).toEqual([
        "Accepted",
        "Refused",
        "Accepted",
        "Refused",
      ]);
    });

    it("says what changed, or what was wrong and what would be right", async () => {
      const [a, b, c, d] = (await conflictingCalls()).answers;
      expect(a?.text).toMatch(/^Accepted: board is now at version 2\.\nChanged: /);
      expect(a?.text).toContain("removed /columns/0/cards/0");
      expect(a?.text).toContain("set /columns/0/cardCount = 2");
      expect(b?.text).toBe(
        'Refused (card_not_found): No card "T-1"\nDetails: {"available":["T-2","T-3"]}\nboard is unchanged by this call, at version 2.',
      );
      expect(c?.text).toMatch(/^Accepted: board is now at version 3/);
      expect(d?.text).toMatch(/^Refused \(card_not_found\)/);
    });
  });

  it("says that the model must stop when the same call is refused again", async () => {
    const thread = await openSample();
    const impossible = () => call(["move", { cardId: "T-9", to: "done" }]);
    const model = fakeModel().respond(impossible()).respond(impossible()).respond(say("no"));
    const { messages } = await createAgent({ model, tools: operationTools(board, { thread }) }).invoke({
      messages: "go",
    });
    const [first, second] = results(messages);
    expect(first?.text).not.toContain("do not try it again");
    expect(second?.text).toContain(
      "This was refused 2 times: do not try it again; tell the user why it cannot be done.",
    );
    expect(thread.version).toBe(1);
  });

  it("counts the refusals of this request only", async () => {
    const thread = await openSample();
    const impossible = () => call(["move", { cardId: "T-9", to: "done" }]);
    const model = fakeModel();
    for (let turn = 0; turn < 2; turn++) model.respond(impossible()).respond(impossible()).respond(say("no"));
    const agent = createAgent({ model, tools: operationTools(board, { thread }), checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "demo" } };
    await agent.invoke({ messages: "go" }, config);
    const { messages } = await agent.invoke({ messages: "again" }, config);
    const counts = results(messages).map(({ text }) => /refused (\d) times/.exec(text)?.[1]);
    expect(counts).toEqual([undefined, "2", undefined, "2"]);
    expect(results(messages).map(({ artifact }) => (artifact as Verdict & { attempt: number }).attempt)).toEqual([
      1, 2, 3, 4,
    ]);
  });

  it("accepts a provider's ids of any length, and distinguishes long ones", async () => {
    const thread = await openSample();
    const long = (end: string) => `call_${"x".repeat(300)}${end}`;
    const turn = () =>
      new AIMessage({
        id: `msg_${"y".repeat(300)}`,
        content: "",
        tool_calls: ["T-1", "T-2"].map((cardId) => ({
          type: "tool_call",
          name: "remove",
          args: { cardId },
          id: long(cardId),
        })),
      });
    const run = async () => {
      const model = fakeModel().respond(turn()).respond(say("done"));
      const { messages } = await createAgent({ model, tools: operationTools(board, { thread }) }).invoke({
        messages: "go",
      });
      return results(messages).map(({ text }) => text.split(".", 1)[0]);
    };
    const first = await run();
    expect(first).toEqual(["Accepted: board is now at version 2", "Accepted: board is now at version 3"]);
    expect(await run(), "the same calls again have no second effect").toEqual(first);
    expect(thread.version).toBe(3);
    const history = await thread.history({ after: 1 });
    expect(new Set(history.map((entry) => entry.kind === "commit" && entry.commit.toolCallId)).size).toBe(2);
  });

  it("passes arguments of any shape to the engine, which says what is wrong", async () => {
    const thread = await openSample();
    const model = fakeModel()
      .respond(call(["move", { cardId: 7 }], ["move", {}], ["explode", {}]))
      .respond(say("no"));
    const { messages } = await createAgent({ model, tools: operationTools(board, { thread }) }).invoke({
      messages: "go",
    });
    expect(results(messages).map(({ status }) => status)).toEqual(["success", "success", "success"]);
    expect(results(messages)[0]?.text).toMatch(/^Refused \(invalid_operation\): .*cardId/);
    expect(results(messages)[1]?.text).toMatch(/^Refused \(invalid_operation\)/);
    expect(results(messages)[2]?.text).toMatch(/^Refused \(failed\): .* threw an error: boom/);
    expect(thread.getState()).toEqual(sample);
  });

  it("says when nothing had to change", async () => {
    const thread = await openSample();
    const model = fakeModel()
      .respond(call(["rename", { cardId: "T-1", title: "Task T-1" }]))
      .respond(say("ok"));
    const { messages } = await createAgent({ model, tools: operationTools(board, { thread }) }).invoke({
      messages: "go",
    });
    expect(results(messages)[0]?.text).toBe("Accepted: board needed no change; it is at version 1.");
  });

  it("sets a whole state by a replacement tool, without its derived fields", async () => {
    const thread = await openSample();
    const build = replacementTool(board, { thread, name: "buildBoard", description: "Build a board" });
    expect(JSON.stringify(convertToOpenAITool(build).function.parameters)).not.toContain(
      '"required":["columnId","cardCount"',
    );
    const model = fakeModel()
      .respond(
        call(
          ["buildBoard", { columns: [{ columnId: "new", cards: [{ cardId: "N-1", title: "New" }] }] }],
          ["buildBoard", { columns: 3 }],
        ),
      )
      .respond(say("ok"));
    const { messages } = await createAgent({ model, tools: [build] }).invoke({ messages: "go" });
    expect(results(messages)[0]?.text).toMatch(/^Accepted: board is now at version 2/);
    expect(results(messages)[1]?.text).toMatch(/^Refused \(invalid_state\)/);
    expect(thread.getState()).toEqual({
      columns: [{ columnId: "new", cardCount: 1, cards: [{ cardId: "N-1", title: "New" }] }],
    });
  });

  it("has one effect when an interrupt makes a tool run again, and when the message runs again", async () => {
    const thread = await openSample();
    const ask = tool(() => String(interrupt("sure?")), { name: "ask", description: "Ask", schema: z.object({}) });
    let runs = 0;
    const counted = operationTools(board, { thread: () => (runs++, thread) });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode([...counted, ask], { handleToolErrors: false }))
      .addEdge(START, "tools")
      .addEdge("tools", END)
      .compile({ checkpointer: new MemorySaver() });
    const message = call(
      ["remove", { cardId: "T-1" }, "call_0"],
      ["ask", {}, "call_1"],
      ["remove", { cardId: "T-9" }, "call_2"],
    );
    await graph.invoke({ messages: [message] }, config);
    // The interrupt may end the run before its other calls have their verdicts.
    await expect.poll(() => thread.version).toBe(2);
    const { messages } = await graph.invoke(new Command({ resume: "yes" }), config);
    expect(runs).toBeGreaterThan(2);
    expect(results(messages).map(({ text }) => text.split("\n")[0])).toEqual([
      "Accepted: board is now at version 2.",
      "yes",
      'Refused (card_not_found): No card "T-9"',
    ]);
    const again = await graph.invoke({ messages: [message] }, { configurable: { thread_id: "another" } });
    expect(results(again.messages ?? [])).toEqual([]);
    expect((await commitsOf(thread)).map(({ id, toolCallId }) => [id, toolCallId])).toEqual([
      [`${message.id}/call_0`, "call_0"],
    ]);
  });

  it("distinguishes two calls when a provider counts its call ids from 0 in every message", async () => {
    const thread = await openSample();
    const agent = createAgent({
      model: fakeModel()
        .respond(call(["remove", { cardId: "T-1" }, "call_0"]))
        .respond(say("1"))
        .respond(call(["remove", { cardId: "T-2" }, "call_0"]))
        .respond(say("2")),
      tools: operationTools(board, { thread }),
      checkpointer: new MemorySaver(),
    });
    await agent.invoke({ messages: "go" }, config);
    await agent.invoke({ messages: "go on" }, config);
    expect(layout(thread.getState())).toEqual({ todo: ["T-3"], done: [] });
  });

  it("has one effect per task where a graph keeps no messages", async () => {
    const thread = await openSample();
    const [, remove] = operationTools(board, { thread });
    const State = z.object({ text: z.string().default("") });
    const graph = new StateGraph(State)
      .addNode("node", async (_state, runtime) => {
        const result: ToolMessage = await remove!.invoke(
          { type: "tool_call", id: "call_0", name: "remove", args: { cardId: "T-1" } },
          runtime as never,
        );
        return { text: `${result.text.split("\n")[0]} ${interrupt("more?")}` };
      })
      .addEdge(START, "node")
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({}, config);
    expect((await graph.invoke(new Command({ resume: "no" }), config)).text).toBe(
      "Accepted: board is now at version 2. no",
    );
    expect(await commitsOf(thread)).toHaveLength(1);
  });

  it("serves many threads with one agent, at once", async () => {
    const threads = new Map(
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => [`t${index}`, await openSample(`t${index}`)] as const),
      ),
    );
    const model = fakeModel();
    for (let index = 0; index < 40; index++)
      model.respond((messages) =>
        ToolMessage.isInstance(messages.at(-1))
          ? say("done")
          : call(["rename", { cardId: "T-1", title: messages.at(-1)?.text }]),
      );
    const agent = createAgent({
      model,
      tools: operationTools(board, { thread: ({ configurable }) => threads.get(configurable?.["thread_id"])! }),
      checkpointer: new MemorySaver(),
    });
    await Promise.all(
      [...threads.keys()].map((id) => agent.invoke({ messages: `of ${id}` }, { configurable: { thread_id: id } })),
    );
    for (const [id, thread] of threads) {
      expect(thread.version).toBe(2);
      expect(thread.getState()?.columns[0]?.cards[0]?.title).toBe(`of ${id}`);
    }
  });

  it("throws an error that says what is missing when there is no thread", async () => {
    const [move] = operationTools(board, { thread: threadOfRun(board) });
    await expect(move!.invoke({ cardId: "T-1", to: "done" })).rejects.toThrow('This run has no thread of "board"');
    const [other] = operationTools(board, { thread: () => undefined as never });
    await expect(other!.invoke({ cardId: "T-1", to: "done" })).rejects.toThrow("`thread` gave undefined");
  });

  it("streams each commit and refusal in the middle of the superstep", async () => {
    const thread = await openSample();
    let release = (): void => {};
    const slow = tool(() => new Promise<string>((resolve) => (release = () => resolve("late"))), {
      name: "slow",
      description: "Slow",
      schema: z.object({}),
    });
    const model = fakeModel()
      .respond(call(["slow", {}], ["remove", { cardId: "T-1" }], ["remove", { cardId: "T-1" }]))
      .respond(say("done"));
    const agent = createAgent({ model, tools: [slow, ...operationTools(board, { thread, actor: agentActor })] });
    const seen: StreamedVerdict[] = [];
    let isSlowDone = false;
    for await (const [mode, chunk] of await agent.stream({ messages: "go" }, { streamMode: ["custom", "updates"] })) {
      if (mode === "custom") {
        expect(isSlowDone).toBe(false);
        seen.push(chunk as StreamedVerdict);
        if (seen.length === 2) release();
      } else if (JSON.stringify(chunk).includes("late")) isSlowDone = true;
    }
    expect(isSlowDone).toBe(true);
    expect(seen).toMatchObject([
      {
        type: "opstate.commit",
        threadId: thread.threadId,
        commit: {
          version: 2,
          operation: { type: "remove", cardId: "T-1" },
          actor: agentActor,
          patches: expect.arrayContaining([{ op: "remove", path: "/columns/0/cards/0" }]),
        },
      },
      {
        type: "opstate.rejection",
        threadId: thread.threadId,
        version: 2,
        attempt: 1,
        rejection: { reason: "card_not_found" },
        operation: { type: "remove", cardId: "T-1" },
      },
    ]);
  });

  it("submits nothing once the run is aborted", async () => {
    const thread = await openSample();
    const [, remove] = operationTools(board, { thread });
    await expect(remove!.invoke({ cardId: "T-1" }, { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow(
      "gone",
    );
    expect(thread.version).toBe(1);
  });

  it("keeps a large commit out of the message", async () => {
    const thread = await openSample();
    const build = replacementTool(board, { thread, name: "buildBoard", description: "Build a board" });
    const cards = Array.from({ length: 500 }, (_, index) => ({ cardId: `C-${index}`, title: "x".repeat(50) }));
    const result: ToolMessage = await build.invoke({
      type: "tool_call",
      id: "c",
      name: "buildBoard",
      args: { columns: [{ columnId: "all", cards }] },
    });
    expect(result.artifact).toEqual({ accepted: true, version: 2 });
    expect(result.text.length).toBeLessThan(1000);
    expect(AIMessage.isInstance(result)).toBe(false);
  });
});
