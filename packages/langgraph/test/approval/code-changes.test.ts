// Code that changes while an operation waits for approval: the run is resumed by another version
// of its definition.

import { Command, MemorySaver } from "@langchain/langgraph";
import { defineState, memoryLog, openThread } from "@opstate/core";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { expect, it } from "vitest";
import * as z from "zod";
import { ada } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };
const planner = { kind: "agent", id: "planner" };
const byId = z.object({ id: z.string() });
const older = definitionWith("remove", byId);

/** `removes` is the operation's code: whether an item goes. */
function definitionWith(
  name: string,
  input: z.ZodType<{ readonly id: string }>,
  removes: (item: string, id: string) => boolean = (item, id) => item === id,
) {
  return defineState({
    name: "list",
    schema: z.object({ items: z.array(z.string()) }),
    initial: { items: ["A", "B"] },
    operations: {
      [name]: {
        description: "Remove an item",
        input,
        approve: ["agent"],
        apply(draft, { id }) {
          draft.items = draft.items.filter((item) => !removes(item, id));
        },
      },
    },
  });
}

/** A run that waits for `remove A` under the older code, and how it goes on under the newer one. */
async function waiting(newer: typeof older) {
  const log = memoryLog();
  const checkpointer = new MemorySaver();
  const open = (definition: typeof older) => openThread({ definition, log, threadId: "list" });
  const before = await open(older);
  const agentOn = (definition: typeof older, thread: typeof before, model: ReturnType<typeof fakeModel>) =>
    createAgent({
      model,
      tools: operationTools(definition, { thread, actor: planner, approver: ada }),
      middleware: [opstateMiddleware(definition, { thread, field: "list", actor: planner })],
      checkpointer,
    });
  await agentOn(older, before, fakeModel().respond(call(["remove", { id: "A" }]))).invoke({ messages: "go" }, config);
  const [{ id: proposal } = { id: "" }] = await before.proposals();
  return {
    before,
    proposal,
    async resume(input: unknown) {
      await before.close();
      const thread = await open(newer);
      const model = fakeModel().respond(say("done"));
      const { messages } = await agentOn(newer, thread, model).invoke(input as Command, config);
      return { thread, told: results(messages)[0]?.text ?? "" };
    },
  };
}

it.each([
  ["accepts", new Command({ resume: { type: "accept" } })],
  ["declines", new Command({ resume: { type: "decline" } })],
  ["answers nothing", null],
])(
  "a proposal of an operation that is gone is withdrawn when the run goes on, and a person %s",
  async (_name, answer) => {
    const { proposal, resume } = await waiting(definitionWith("delete", byId));
    const { thread, told } = await resume(answer);
    expect(told).toMatch(/^Refused \(withdrawn\): .*There is no operation .*remove.* any more\./);
    expect(told).toContain("list is unchanged by this call");
    // What the model can call instead.
    expect(told).toContain("try one of [delete]");
    expect(await thread.proposals()).toEqual([]);
    expect(await thread.proposal(proposal)).toMatchObject({ status: "decided", how: "taken_back", by: planner });
    expect(thread.getState().items).toEqual(["A", "B"]);
  },
);

it("what a page decided before the code changed is reported", async () => {
  const { before, proposal, resume } = await waiting(definitionWith("delete", byId));
  await before.approve(proposal, { actor: ada });
  const { thread, told } = await resume(null);
  expect(told).toMatch(/^Accepted: list is now at version 2\./);
  expect(told).toContain('Approved by user "ada".');
  expect(thread.getState().items).toEqual(["B"]);
});

it("an operation whose input changed is refused by today's, and its proposal is withdrawn", async () => {
  const { resume } = await waiting(definitionWith("remove", z.object({ id: z.string(), reason: z.string() })));
  const { thread, told } = await resume(new Command({ resume: { type: "accept" } }));
  expect(told).toMatch(/^Refused \(invalid_operation\): \/reason is missing/);
  expect(await thread.proposals()).toEqual([]);
});

it("an operation whose code changed does only what its approver was shown", async () => {
  const { resume } = await waiting(definitionWith("remove", byId, () => true));
  const { thread, told } = await resume(new Command({ resume: { type: "accept" } }));
  expect(told).toMatch(/^Refused/);
  expect(thread.getState().items).toEqual(["A", "B"]);
});

it("a proposal whose tool alone is gone stays open, and the model reads so", async () => {
  const log = memoryLog();
  const thread = await openThread({ definition: older, log, threadId: "list" });
  const checkpointer = new MemorySaver();
  const agentWith = (tools: ReturnType<typeof operationTools>, model: ReturnType<typeof fakeModel>) =>
    createAgent({ model, tools, middleware: [opstateMiddleware(older, { thread, field: "list" })], checkpointer });
  const tools = operationTools(older, { thread, approver: ada });
  await agentWith(tools, fakeModel().respond(call(["remove", { id: "A" }]))).invoke({ messages: "go" }, config);
  const others = operationTools(definitionWith("delete", byId), { field: "other" });
  const { messages } = await agentWith(others, fakeModel().respond(say("done"))).invoke(null as never, config);
  expect(results(messages)[0]?.text).toMatch(/^Proposed as /);
  expect(await thread.proposals()).toHaveLength(1);
});
