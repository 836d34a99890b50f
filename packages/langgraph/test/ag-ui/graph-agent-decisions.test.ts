// A run that a server began only to carry out what a person said about proposals.

import type { Message } from "@ag-ui/core";
import { graphAgent } from "@opstate/langgraph/ag-ui";
import { AIMessage, createAgent, fakeModel } from "langchain";
import { expect, it } from "vitest";
import { ada, openSample } from "../support/board.ts";

const asked: Message = { id: "u1", role: "user", content: "Clear the board" };
const answered: Message = { id: "a1", role: "assistant", content: "Shall I?" };

it.each([
  ["says nothing when no one else said anything", [asked, answered], [{}], 0],
  [
    "answers when a person wrote something beside",
    [asked, answered, { id: "u2", role: "user", content: "And then?" }],
    [{}],
    1,
  ],
  ["is an ordinary one without decisions", [asked, answered], [], 1],
] as [string, Message[], object[], number][])("%s", async (_name, messages, decisions, calls) => {
  const thread = await openSample();
  const model = fakeModel().respond(new AIMessage({ id: "m1", content: "Hello" }));
  const agent = graphAgent(createAgent({ model, tools: [] }));
  const input = { threadId: thread.threadId, runId: "r2", messages, tools: [], context: [] };
  const events = [];
  for await (const event of agent({ input, thread, actor: ada, signal: new AbortController().signal, decisions }))
    events.push(event);
  expect(model.calls).toHaveLength(calls);
  expect(events.length > 0).toBe(calls > 0);
});
