// An agent on a state that it is not shown in full.

import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { defineState, memoryLog, openThread } from "@opstate/core";
import { operationTools, opstateMiddleware, readTools, stateField, type RunConfig } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada, board, openSample, sample } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };

describe("readTools", () => {
  it("are two tools, the same whatever the state, with schemas that a provider accepts", async () => {
    const tools = readTools(board, { thread: await openSample() });
    expect(tools.map((tool) => convertToOpenAITool(tool))).toMatchObject([
      {
        function: {
          name: "board_read",
          parameters: { type: "object", properties: { path: {}, offset: {}, limit: {} } },
        },
      },
      { function: { name: "board_find", parameters: { type: "object", required: ["text"] } } },
    ]);
  });

  it("read the newest state of the run's thread, under the middleware's name", async () => {
    const threads = new Map([
      ["ada", await openSample()],
      ["ben", await openSample()],
    ]);
    let edit: Promise<unknown> | undefined;
    const find = async ({ context }: RunConfig) => {
      await edit;
      return threads.get(String(context?.["user"]))!;
    };
    const model = fakeModel()
      .respond(() => {
        edit = threads.get("ben")?.dispatch(board.op.rename({ cardId: "T-2", title: "by Ada" }), { actor: ada });
        return call(
          ["mine_find", { text: "BY ADA" }],
          ["mine_read", { path: "/columns/0/cards/1/title" }],
          ["mine_read", { path: "/colums" }],
        );
      })
      .respond(say("done"));
    const { messages } = await createAgent({
      model,
      tools: readTools(board, { thread: find, middleware: "mine" }),
      middleware: [opstateMiddleware(board, { thread: find, name: "mine" })],
    }).invoke({ messages: "go" }, { context: { user: "ben" } } as never);
    expect(results(messages).map(({ text, status }) => [status, text])).toEqual([
      ["success", 'mine at version 2. 1 item has "BY ADA" in a text:\n/columns/0/cards/1: T-2 "by Ada", in todo'],
      ["success", 'mine at version 2. /columns/0/cards/1/title: "by Ada"'],
      ["success", 'mine at version 2. There is no "colums" in "". Nearest: /columns.'],
    ]);
  });

  it("accept arguments of any shape", async () => {
    const [read] = readTools(board, { thread: await openSample() });
    expect(await read!.invoke({ path: 3 })).toContain("A path is a JSON Pointer such as /columns, not the number 3.");
  });

  it("read a field that decides, in an agent and in a graph of one's own", async () => {
    const turn = () => call(["board_find", { text: "task t-3" }]);
    const agent = createAgent({
      model: fakeModel().respond(turn()).respond(say("done")),
      tools: [...operationTools(board, { field: "board" }), ...readTools(board, { field: "board" })],
      middleware: [opstateMiddleware(board, { field: "board" })],
    });
    const found = '1 item has "task t-3" in a text:\n/columns/0/cards/2: T-3 "Task T-3", in todo';
    const { messages } = await agent.invoke({ messages: "go", board: sample });
    expect(results(messages)[0]?.text).toBe(`board at version 1. ${found}`);

    const graph = new StateGraph(new StateSchema({ messages: MessagesValue, board: stateField(board) }))
      .addNode("tools", new ToolNode(readTools(board, { field: "board" })))
      .addEdge(START, "tools")
      .compile();
    expect(results((await graph.invoke({ messages: [turn()], board: sample })).messages)[0]?.text).toBe(found);
  });

  it("say what is missing where there is no such field", async () => {
    const [read] = readTools(board, { field: "board" });
    await expect(read!.invoke({})).rejects.toThrow('The read tools of "board" need a field "board" in their graph');
  });

  it("let a call that names what was found find it among 10,000, though others edit meanwhile", async () => {
    const list = defineState({
      name: "list",
      schema: z.object({ items: z.array(z.object({ id: z.string(), title: z.string() })) }),
      initial: { items: Array.from({ length: 10_000 }, (_, n) => ({ id: `i-${n}`, title: `Item ${n}` })) },
      operations: {
        rename: {
          input: z.object({ id: z.string(), title: z.string() }),
          apply(draft, { id, title }, { reject }) {
            const item = draft.items.find((candidate) => candidate.id === id);
            if (!item) return reject("item_not_found", `No item "${id}"`);
            item.title = title;
          },
        },
        removeFirst: {
          input: z.object({}),
          apply(draft) {
            draft.items.shift();
          },
        },
      },
    });
    const thread = await openThread({ definition: list, log: memoryLog(), threadId: "long" });
    const model = fakeModel()
      .respond(call(["list_find", { text: "item 9876" }]))
      .respond((messages) => {
        const found = messages.findLast(({ type }) => type === "tool");
        void thread.dispatch(list.op.removeFirst({}), { actor: ada });
        const id = /: (i-\d+) "Item 9876"/.exec(found!.text)?.[1];
        return call(["rename", { id, title: "Found" }]);
      })
      .respond(say("done"));
    const { messages } = await createAgent({
      model,
      tools: [...operationTools(list, { thread }), ...readTools(list, { thread })],
      middleware: [opstateMiddleware(list, { thread })],
    }).invoke({ messages: "go" }, config);
    expect(results(messages).map(({ text }) => text.split(/[\n.]/, 1)[0])).toEqual([
      "list at version 0",
      "Accepted: list is now at version 2",
    ]);
    expect(thread.getState().items[9875]).toEqual({ id: "i-9876", title: "Found" });
  });
});
