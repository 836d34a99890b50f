// An agent without a thread: its own field decides.

import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { operationTools, opstateMiddleware, replacementTool } from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel, type BaseMessage } from "langchain";
import { describe, expect, it } from "vitest";
import { agent as agentActor, board, layout, sample } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { shown } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };
const actor = () => agentActor;
const build = replacementTool(board, { field: "board", name: "buildBoard", description: "Build a board", actor });

describe("an agent whose field decides", () => {
  it("rewrites each unanswered message with its own id before the model is called again", async () => {
    const model = fakeModel()
      .respond(call(["remove", { cardId: "T-1" }, "a"], ["remove", { cardId: "T-1" }, "b"]))
      .respond(say("done"));
    const agent = createAgent({
      model,
      tools: operationTools(board, { field: "board" }),
      middleware: [opstateMiddleware(board, { field: "board" })],
    });
    const histories: BaseMessage[][] = [];
    for await (const { messages } of await agent.stream({ messages: "go", board: sample }, { streamMode: "values" }))
      histories.push(messages);
    const waiting = histories.map(results).find((found) => found.length > 0) ?? [];
    const settled = results(histories.at(-1) ?? []);
    expect(waiting.map(({ text }) => text)).toEqual(["The verdict follows.", "The verdict follows."]);
    expect(settled.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
    expect(settled.map(({ tool_call_id }) => tool_call_id)).toEqual(["a", "b"]);
    expect(settled.map(({ text }) => text.split(" ", 1)[0])).toEqual(["Accepted:", "Refused"]);
    expect(results(model.calls[1]?.messages ?? []).map(({ text }) => text)).toEqual(settled.map(({ text }) => text));
  });

  it("shows the model the field's state with each call, and adds nothing to the history", async () => {
    const model = fakeModel()
      .respond(call(["remove", { cardId: "T-1" }]))
      .respond(say("done"));
    const agent = createAgent({
      model,
      tools: operationTools(board, { field: "board" }),
      middleware: [opstateMiddleware(board, { field: "board" })],
    });
    const { messages } = await agent.invoke({ messages: "go", board: sample });
    expect(model.calls.map((request) => /<board version="(\d)">/.exec(shown(request.messages))?.[1])).toEqual([
      "1",
      "2",
    ]);
    expect(shown(model.calls[1]?.messages)).not.toContain("Task T-1");
    expect(JSON.stringify(messages)).not.toContain("<board");
  });

  it('offers with `narrow: "tools"` what is legal at each step: a tool that builds while there is nothing, operations afterwards', async () => {
    const offered: (readonly string[])[] = [];
    const watch = createMiddleware({
      name: "watch",
      wrapModelCall(request, handler) {
        offered.push(request.tools.map((candidate) => String(candidate["name"])));
        return handler(request);
      },
    });
    const model = fakeModel()
      .respond(call(["buildBoard", { columns: [{ columnId: "todo", cards: [{ cardId: "N-1", title: "New" }] }] }]))
      .respond(call(["remove", { cardId: "N-1" }]))
      .respond(say("done"));
    const agent = createAgent({
      model,
      tools: [build, ...operationTools(board, { field: "board", actor })],
      middleware: [opstateMiddleware(board, { field: "board", actor, narrow: "tools" }), watch],
    });
    const { board: field } = await agent.invoke({ messages: "go" });
    expect(field.state).toEqual({ columns: [{ columnId: "todo", cardCount: 0, cards: [] }] });
    expect(offered).toEqual([
      ["buildBoard"],
      ...Array.from({ length: 2 }, () => ["buildBoard", "move", "remove", "rename", "explode"]),
    ]);
  });

  it("adds the verdicts of the last calls of a run when the model is not called again", async () => {
    const [, remove] = operationTools(board, { field: "board" });
    Object.assign(remove!, { returnDirect: true });
    const agent = createAgent({
      model: fakeModel().respond(call(["remove", { cardId: "T-1" }])),
      tools: [remove!],
      middleware: [opstateMiddleware(board, { field: "board" })],
    });
    const { messages, board: field } = await agent.invoke({ messages: "go", board: sample });
    expect(layout(field.state)).toEqual({ todo: ["T-2", "T-3"], done: [] });
    expect(results(messages).map(({ text }) => text.split(":", 1)[0])).toEqual(["Accepted"]);
  });

  it("has one effect per call when the state is sent back and a run is resumed", async () => {
    const model = fakeModel();
    for (const cardId of ["T-1", "T-2"]) model.respond(call(["remove", { cardId }, "call_0"])).respond(say("done"));
    const agent = createAgent({
      model,
      tools: operationTools(board, { field: "board" }),
      middleware: [opstateMiddleware(board, { field: "board" })],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke({ messages: "go", board: sample }, config);
    await agent.invoke(null as never, config);
    const { board: field } = await agent.invoke({ messages: "go on" }, config);
    expect(field.version).toBe(3);
    expect(Object.keys(field.outcomes)).toHaveLength(2);
    // Sent back as it was, another process's checkpoint included, it changes nothing.
    const again = await agent.graph.getState(config);
    expect(again.values["board"]).toEqual(field);
  });

  it("throws an error that says what is missing when the graph has no such field", async () => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode(operationTools(board, { field: "board" }), { handleToolErrors: false }))
      .addEdge(START, "tools")
      .compile();
    await expect(graph.invoke({ messages: [call(["remove", { cardId: "T-1" }])] })).rejects.toThrow(
      'The tool "remove" needs a snapshotField "board" in its graph, and there is none.',
    );
  });
});
