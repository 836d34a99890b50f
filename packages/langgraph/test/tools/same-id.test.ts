// Two calls with one id: models and providers do that, and the second one reads what it can do.

import { MemorySaver } from "@langchain/langgraph";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import { ada, board, openSample } from "../support/board.ts";
import { guardedAgent, happened, lines, openList } from "../support/guarded.ts";
import { results } from "../support/forms.ts";
import { call, say, type Call } from "../support/talk.ts";
import { handBuilt } from "../support/teams.ts";

const config = { configurable: { thread_id: "t" } };
const rename = (cardId: string, title: string): Call => ["rename", { cardId, title }, "call_0"];

describe.each([
  ["without a checkpointer", undefined],
  ["with a checkpointer", new MemorySaver()],
])("a second call of the same id, %s", (_name, checkpointer) => {
  it("is not carried out, and says why without a word of approvals", async () => {
    const thread = await openSample();
    const model = fakeModel()
      .respond(call(rename("T-1", "one"), rename("T-2", "two")))
      .respond(say("done"));
    const agent = createAgent({
      model,
      tools: operationTools(board, { thread }),
      middleware: [opstateMiddleware(board, { thread })],
      ...(checkpointer === undefined ? {} : { checkpointer }),
    });
    const { messages } = await agent.invoke({ messages: "go" }, config);
    const texts = results(messages).map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith("Accepted"))).toHaveLength(1);
    const refused = texts.find((text) => text.startsWith("Refused"));
    expect(refused).toBe(
      'Refused (same_id): Another call had the same id ("call_0"), so this one was not carried out. Call the tool again.\nboard is unchanged by this call, at version 2.',
    );
    expect(thread.version).toBe(2);
  });

  it("has the first one's verdict when it is the same call", async () => {
    const thread = await openSample();
    const model = fakeModel()
      .respond(call(rename("T-1", "one"), rename("T-1", "one")))
      .respond(say("done"));
    const agent = createAgent({ model, tools: operationTools(board, { thread }) });
    const { messages } = await agent.invoke({ messages: "go" }, config);
    expect(lines(messages)).toEqual(["Accepted: board is now at version 2.", "Accepted: board is now at version 2."]);
  });
});

it("a call that needs approval beside one of the same id that needs none", async () => {
  const thread = await openList();
  const model = fakeModel()
    .respond(call(["rename", { id: "A", title: "a" }, "call_0"], ["remove", { id: "B" }, "call_0"]))
    .respond(say("done"));
  const agent = guardedAgent(thread, model, { approver: ada, approval: "propose" });
  const { messages } = await agent.invoke({ messages: "go" }, config);
  // They are carried out side by side: whichever comes first has the id.
  const isDone = (await happened(thread)) === "rename";
  expect(new Set(lines(messages).map((line) => line.split(/:| as /, 1)[0]))).toEqual(
    new Set([isDone ? "Accepted" : "Proposed", "Refused (same_id)"]),
  );
  expect(thread.version).toBe(1);
});

it("a second call of the same id does not get the first one's verdict where the field decides", async () => {
  const model = fakeModel()
    .respond(call(rename("T-1", "one"), rename("T-2", "two")))
    .respond(say("done"));
  const agent = createAgent({
    model,
    tools: operationTools(board, { field: "board" }),
    middleware: [opstateMiddleware(board, { field: "board" })],
  });
  const start = (await openSample()).getState();
  const { messages } = await agent.invoke({ messages: "go", board: start as never }, config);
  expect(lines(messages)).toEqual([
    "Accepted: board is now at version 2.",
    'Refused (same_id): Another call had the same id ("call_0"), so this one was not carried out. Call the tool again.',
  ]);
});

it("nor where operationsNode carries the calls out", async () => {
  const team = handBuilt([rename("T-1", "one"), rename("T-2", "two")]);
  const start = (await openSample()).getState();
  const { messages, board: field } = await team.invoke({ messages: "go", board: start });
  expect(lines(messages).map((line) => line.split(":", 1)[0])).toEqual(["Accepted", "Refused (same_id)"]);
  expect(field.version).toBe(2);
});

it("300 calls of one message have 300 true verdicts, where the field decides", async () => {
  const calls = Array.from({ length: 300 }, (_, index): Call => ["rename", { cardId: "T-1", title: `${index}` }]);
  const model = fakeModel()
    .respond(call(...calls))
    .respond(say("done"));
  const agent = createAgent({
    model,
    tools: operationTools(board, { field: "board" }),
    middleware: [opstateMiddleware(board, { field: "board" })],
  });
  const start = (await openSample()).getState();
  const { messages, board: field } = await agent.invoke({ messages: "go", board: start as never }, config);
  expect(lines(messages)).toEqual(calls.map((_, index) => `Accepted: board is now at version ${index + 2}.`));
  expect(field.version).toBe(301);
});
