// Operations that say what makes two calls one (`once`), in runs that are begun again: the model is
// called anew, and its messages and calls have new ids.

import type { StructuredToolInterface } from "@langchain/core/tools";
import { defineState, memoryLog, openThread, type Thread } from "@opstate/core";
import { operation, operationTools, opstateMiddleware } from "@opstate/langgraph";
import { type AIMessage, createAgent, fakeModel, HumanMessage, tool, ToolMessage } from "langchain";
import { expect, it } from "vitest";
import * as z from "zod";
import { call, say } from "../support/talk.ts";

const account = defineState({
  name: "account",
  schema: z.object({ paid: z.array(z.string()) }),
  initial: { paid: [] },
  operations: {
    pay: {
      description: "Pay an invoice",
      input: z.object({ invoice: z.string(), note: z.string().optional() }),
      once: ({ invoice }) => invoice,
      apply(draft, { invoice }) {
        draft.paid.push(invoice);
      },
    },
  },
});

const open = () => openThread({ definition: account, log: memoryLog(), threadId: "account" });
const pay = (invoice: string, note?: string) => call(["pay", { invoice, ...(note && { note }) }]);

const twice = (thread: Thread<typeof account>) =>
  tool(
    async ({ invoices }, config) => {
      for (const invoice of invoices) await operation(config, account.op.pay({ invoice }), { thread });
      return "paid";
    },
    { name: "pay_all", description: "Pay", schema: z.object({ invoices: z.array(z.string()) }) },
  );

/** One attempt of a run. The model ends with an error where there is `"crash"`. */
async function attempt(thread: Thread<typeof account>, runId: string, ...turns: readonly (AIMessage | "crash")[]) {
  const model = turns.reduce(
    (scripted, turn) => scripted.respond(turn === "crash" ? new Error("The process ended.") : turn),
    fakeModel(),
  );
  const tools: StructuredToolInterface[] = [...operationTools(account, { thread }), twice(thread)];
  const agent = createAgent({ model, tools });
  const ended = agent.invoke({ messages: "Pay" }, { configurable: { opstate: { thread, runId } } });
  const { messages } = await ended.catch(() => ({ messages: [] }));
  return messages.flatMap((message) => (ToolMessage.isInstance(message) ? [message.text.split("\n", 1)[0]] : []));
}

it("a run that is begun again does nothing twice, and reads the verdicts of the first time", async () => {
  const thread = await open();
  await attempt(thread, "run-1", pay("I-1"), pay("I-1"), "crash");
  const lines = await attempt(thread, "run-1", pay("I-1"), pay("I-1"), pay("I-2"), say("Done"));
  // The second call of a run is another operation than its first, which was completed.
  expect(thread.getState()).toEqual({ paid: ["I-1", "I-1", "I-2"] });
  expect(lines).toEqual([1, 2, 3].map((version) => expect.stringContaining(`now at version ${version}`)));
});

it("calls of one message are several operations, also with one key, and known again", async () => {
  const thread = await open();
  const both = () => call(["pay", { invoice: "I-1" }], ["pay", { invoice: "I-2" }], ["pay", { invoice: "I-1" }]);
  await attempt(thread, "run-1", both(), "crash");
  const lines = await attempt(thread, "run-1", both(), say("Done"));
  expect(thread.getState()).toEqual({ paid: ["I-1", "I-2", "I-1"] });
  expect(lines).toEqual([1, 2, 3].map((version) => expect.stringContaining(`now at version ${version}`)));
});

it("several operations of a tool of one's own are told apart, and known again", async () => {
  const thread = await open();
  const payAll = () => call(["pay_all", { invoices: ["I-1", "I-1", "I-2"] }]);
  await attempt(thread, "run-1", payAll(), "crash");
  await attempt(thread, "run-1", payAll(), say("Done"));
  expect(thread.getState()).toEqual({ paid: ["I-1", "I-1", "I-2"] });
});

it("another run does it again", async () => {
  const thread = await open();
  for (const run of ["run-1", "run-2"]) await attempt(thread, run, pay("I-1"), say("Done"));
  expect(thread.getState()).toEqual({ paid: ["I-1", "I-1"] });
});

it("the key of another call with other arguments is refused with words", async () => {
  const thread = await open();
  await attempt(thread, "run-1", pay("I-1", "first"), "crash");
  const [line] = await attempt(thread, "run-1", pay("I-1", "second"), say("Done"));
  expect(line).toContain("(same_key): A call of this step had the same key");
  expect(thread.getState()).toEqual({ paid: ["I-1"] });
});

it("a call whose result was lost is answered by what the first attempt did", async () => {
  const thread = await open();
  await attempt(thread, "run-1", pay("I-1"), "crash");
  const model = fakeModel().respond(say("Done"));
  const agent = createAgent({
    model,
    tools: operationTools(account, { thread }),
    middleware: [opstateMiddleware(account, { thread })],
  });
  const messages = [new HumanMessage("Pay"), pay("I-1"), new HumanMessage("Go on")];
  await agent.invoke({ messages }, { configurable: { opstate: { thread, runId: "run-1" } } });
  const result = model.calls[0]?.messages.find((message) => ToolMessage.isInstance(message));
  expect(result?.text).toContain("Accepted: account is now at version 1");
});
