// One effect per AI message and tool call, however often tools, nodes and runs are repeated:
// counted by commits.

import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  MessagesValue,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import type { Commit } from "@opstate/core";
import { operationsNode, operationTools, opstateMiddleware, snapshotField, stateField } from "@opstate/langgraph";
import { AIMessage, createAgent, fakeModel, tool, ToolMessage } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { board, layout, openSample, sample } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { conversation } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };
const ask = tool(() => String(interrupt("sure?")), { name: "ask", description: "Ask", schema: z.object({}) });

async function commitsOf(thread: Awaited<ReturnType<typeof openSample>>): Promise<Commit[]> {
  return (await thread.history({ after: 1 })).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
}

describe("one effect per call", () => {
  it("when a step is tried again after a sibling failed", async () => {
    const thread = await openSample();
    let attempts = 0;
    const flaky = tool(
      () => {
        if (attempts++ < 2) throw new Error("flaky");
        return "ok";
      },
      { name: "flaky", description: "Flaky", schema: z.object({}) },
    );
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode([flaky, ...operationTools(board, { thread })], { handleToolErrors: false }), {
        retryPolicy: { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false, retryOn: () => true },
      })
      .addEdge(START, "tools")
      .addEdge("tools", END)
      .compile({ checkpointer: new MemorySaver() });
    const message = call(
      ["remove", { cardId: "T-1" }, "call_0"],
      ["flaky", {}, "call_1"],
      ["remove", { cardId: "T-1" }, "call_2"],
    );
    const { messages } = await graph.invoke({ messages: [message] }, config);
    expect(attempts).toBe(3);
    expect((await commitsOf(thread)).map(({ toolCallId }) => toolCallId)).toEqual(["call_0"]);
    expect(results(messages).map(({ text }) => text.split(/[ :]/, 1)[0])).toEqual(["Accepted", "ok", "Refused"]);
  });

  it("for each of two calls whose ids are long, or no well-formed text", async () => {
    const thread = await openSample();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode(operationTools(board, { thread })))
      .addEdge(START, "tools")
      .addEdge("tools", END)
      .compile();
    const ids = ["call\ud83d", "call\ud83e", `${"x".repeat(100)}\ud83d`, `${"x".repeat(100)}\ud83e`, "call\u0000"];
    const titles = ids.map((_, index) => `Title ${index}`);
    const message = call(...ids.map((id, index) => ["rename", { cardId: "T-1", title: titles[index] }, id] as const));
    await graph.invoke({ messages: [message] }, config);
    const commits = await commitsOf(thread);
    expect(new Set(commits.map(({ operation }) => "title" in operation && operation.title))).toEqual(new Set(titles));
    expect(new Set(commits.map(({ toolCallId }) => toolCallId)).size).toBe(ids.length);
  });

  it.each([
    ["v1", 1],
    ["v2", 2],
  ] as const)("of an agent (%s) that is interrupted by %i calls and resumed, with a thread", async (version, asks) => {
    const thread = await openSample();
    const questions = Array.from({ length: asks }, (_, index) => ["ask", {}, `call_${index + 1}`] as const);
    const model = fakeModel()
      .respond(call(["remove", { cardId: "T-1" }, "call_0"], ...questions))
      .respond(say("done"));
    const agent = createAgent({
      model,
      version,
      tools: [ask, ...operationTools(board, { thread })],
      middleware: [opstateMiddleware(board, { thread, field: "board" })],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke({ messages: "go" }, config);
    const { tasks } = await agent.graph.getState(config);
    const open = tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => String(id)));
    expect(open).toHaveLength(asks);
    for (const id of open) await agent.invoke(new Command({ resume: { [id]: "yes" } }), config);
    const { values } = await agent.graph.getState(config);
    expect(results(values["messages"]).map(({ text }) => text.split(/[ :]/, 1)[0])).toEqual([
      "Accepted",
      ...questions.map(() => "yes"),
    ]);
    expect(await commitsOf(thread)).toHaveLength(1);
  });

  it.each(["v1", "v2"] as const)("of an agent (%s) that is interrupted and resumed, with a field", async (version) => {
    const model = fakeModel()
      .respond(call(["remove", { cardId: "T-1" }, "call_0"], ["ask", {}, "call_1"]))
      .respond(say("done"));
    const agent = createAgent({
      model,
      version,
      tools: [ask, ...operationTools(board, { field: "board" })],
      middleware: [opstateMiddleware(board, { field: "board" })],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke({ messages: "go", board: sample }, config);
    const { board: field, messages } = await agent.invoke(new Command({ resume: "yes" }), config);
    expect(field.version).toBe(2);
    expect(Object.keys(field.outcomes)).toHaveLength(1);
    expect(results(messages).map(({ text }) => text.split(/[ :]/, 1)[0])).toEqual(["Accepted", "yes"]);
  });

  it.each([
    ["stateField", stateField(board)],
    ["snapshotField", snapshotField(board)],
  ] as const)("of an operationsNode that is run again, with a %s", async (_name, field) => {
    let visits = 0;
    const State = new StateSchema({
      messages: MessagesValue,
      board: field as ReturnType<typeof stateField<typeof board>>,
    });
    const graph = new StateGraph(State)
      .addNode("operations", operationsNode(board, { field: "board" }))
      .addNode("again", () => ({}))
      .addEdge(START, "operations")
      .addEdge("operations", "again")
      .addConditionalEdges("again", () => (visits++ < 2 ? "operations" : END))
      .compile({ checkpointer: new MemorySaver() });
    const rename = (title: string) => ["rename", { cardId: "T-1", title }] as const;
    const message = call(rename("a"), rename("b"), ["remove", { cardId: "T-2" }]);
    const { messages, board: held } = await graph.invoke({ messages: [message], board: sample }, config);
    expect(visits).toBe(3);
    expect(results(messages)).toHaveLength(3);
    expect(JSON.stringify(held)).toContain('"title":"b"');
    expect(JSON.stringify(held)).not.toContain("T-2");
    const { board: after } = await graph.invoke({ messages: [say("fine")] }, config);
    expect(after).toEqual(held);
  });

  it("by a provider that reuses call_0, with a hundred threads on one agent at once", async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `t${index}`);
    const threads = new Map(await Promise.all(ids.map(async (id) => [id, await openSample(id)] as const)));
    const model = fakeModel();
    // Two runs of two calls for each thread; what is answered follows from the conversation alone.
    for (let index = 0; index < ids.length * 4; index++)
      model.respond((messages) => {
        const last = conversation(messages).at(-1);
        if (ToolMessage.isInstance(last)) return say("done");
        const count = messages.filter((message) => AIMessage.isInstance(message)).length;
        return call(
          ["rename", { cardId: "T-1", title: last?.text }, "call_0"],
          ["remove", { cardId: count === 0 ? "T-2" : "T-3" }, "call_1"],
        );
      });
    const source = ({ configurable }: { configurable?: Record<string, unknown> }) =>
      threads.get(String(configurable?.["thread_id"]))!;
    const agent = createAgent({
      model,
      tools: operationTools(board, { thread: async (run) => source(run) }),
      middleware: [opstateMiddleware(board, { thread: source, field: "board" })],
      checkpointer: new MemorySaver(),
    });
    const at = (id: string) => ({ configurable: { thread_id: id } });
    for (const round of ["first", "second"])
      await Promise.all(ids.map((id) => agent.invoke({ messages: `${round} of ${id}` }, at(id))));
    for (const [id, thread] of threads) {
      expect(await commitsOf(thread)).toHaveLength(4);
      expect(layout(thread.getState())).toEqual({ todo: ["T-1"], done: [] });
      expect(thread.getState()?.columns[0]?.cards[0]?.title).toBe(`second of ${id}`);
    }
  });
});
