// The ids and the time of what an agent's calls create, and what the model reads of them.

import { Command, MemorySaver, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { describeCreated } from "@opstate/agent";
import { defineState, memoryLog, openThread } from "@opstate/core";
import { operationsNode, operationTools, opstateMiddleware, snapshotField, stateField } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { call, say } from "../support/talk.ts";

const tasks = defineState({
  name: "tasks",
  schema: z.object({ tasks: z.array(z.object({ id: z.string(), title: z.string(), at: z.string().optional() })) }),
  initial: { tasks: [] },
  operations: {
    add: {
      input: z.object({ titles: z.array(z.string()) }),
      apply(draft, { titles }, { id }) {
        for (const title of titles) draft.tasks.push({ id: id("T-"), title });
      },
    },
    stamp: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }, { id, now }) {
        draft.tasks.push({ id: id("T-"), title, at: now });
      },
    },
    ask: {
      input: z.object({ title: z.string() }),
      approve: ["agent"],
      apply(draft, { title }, { id }) {
        draft.tasks.push({ id: id("T-"), title });
      },
    },
  },
});

const config = { configurable: { thread_id: "t" } };
const at = "2030-01-01T00:00:00.000Z";
const ID = "T-[0-9a-hjkmnp-tv-z]{10}";
const open = () => openThread({ definition: tasks, log: memoryLog(), threadId: "t", clock: () => at });
const idIn = (text: string | undefined) => new RegExp(ID).exec(text ?? "")?.[0];

const model = () =>
  fakeModel()
    .respond(call(["add", { titles: ["Send invoices"] }], ["add", { titles: ["A", "B"] }]))
    .respond(say("done"));

/** The tool messages, and the tasks after the run. */
const forms = {
  async "a thread"() {
    const thread = await open();
    const agent = createAgent({ model: model(), tools: operationTools(tasks, { thread }) });
    const { messages } = await agent.invoke({ messages: "go" }, config);
    return { messages, tasks: thread.getState().tasks };
  },
  async "the graph's field"() {
    const agent = createAgent({
      model: model(),
      tools: operationTools(tasks, { field: "tasks" }),
      middleware: [opstateMiddleware(tasks, { field: "tasks" })],
    });
    const { messages, tasks: field } = await agent.invoke({ messages: "go" }, config);
    return { messages, tasks: field.state.tasks };
  },
  async "operationsNode and a snapshotField"() {
    const State = new StateSchema({ messages: MessagesValue, tasks: snapshotField(tasks) });
    const calls = call(["add", { titles: ["Send invoices"] }], ["add", { titles: ["A", "B"] }]);
    const graph = new StateGraph(State)
      .addNode("model", () => ({ messages: [calls] }))
      .addNode("operations", operationsNode(tasks, { field: "tasks" }))
      .addEdge(START, "model")
      .addEdge("model", "operations")
      .compile();
    const { messages, tasks: field } = await graph.invoke({ messages: "go" }, config);
    return { messages, tasks: field.state.tasks };
  },
  async "operationsNode and a stateField"() {
    const State = new StateSchema({ messages: MessagesValue, tasks: stateField(tasks) });
    const calls = call(["add", { titles: ["Send invoices"] }], ["add", { titles: ["A", "B"] }]);
    const graph = new StateGraph(State)
      .addNode("model", () => ({ messages: [calls] }))
      .addNode("operations", operationsNode(tasks, { field: "tasks" }))
      .addEdge(START, "model")
      .addEdge("model", "operations")
      .compile();
    const { messages, tasks: field } = await graph.invoke({ messages: "go" }, config);
    return { messages, tasks: field.tasks };
  },
};

describe.each(Object.entries(forms))("what an agent's calls create in %s", (_, run) => {
  it("is named to the model by its id and its title", async () => {
    const { messages, tasks } = await run();
    const [one, a, b] = tasks;
    const [first, second] = results(messages).map(({ text }) => text.split("\n", 1)[0]);
    expect(first).toMatch(/^Accepted: tasks is [\w ]+\. Created /);
    expect(first).toContain(`Created ${one?.id} "Send invoices".`);
    expect(second).toContain(`Created ${a?.id} "A" and ${b?.id} "B".`);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(3);
    expect(tasks.every(({ id }) => new RegExp(`^${ID}$`).test(id))).toBe(true);
  });
});

describe("the time of an agent's call", () => {
  const stamped = () =>
    fakeModel()
      .respond(call(["stamp", { title: "a" }]))
      .respond(say("done"));

  it("is the thread's", async () => {
    const thread = await open();
    const agent = createAgent({ model: stamped(), tools: operationTools(tasks, { thread }) });
    await agent.invoke({ messages: "go" }, config);
    expect(thread.getState().tasks).toMatchObject([{ title: "a", at }]);
  });

  it("is refused by a field alone, which has none", async () => {
    const agent = createAgent({
      model: stamped(),
      tools: operationTools(tasks, { field: "tasks" }),
      middleware: [opstateMiddleware(tasks, { field: "tasks" })],
    });
    const { messages } = await agent.invoke({ messages: "go" }, config);
    expect(results(messages)[0]?.text).toMatch(/^Refused \(needs_submission\): "stamp" reads the time/);
  });
});

describe("what waits for approval", () => {
  it.each([
    ["accepted", { type: "accept" } as const, ""],
    ["edited", { type: "edit", operation: tasks.op.ask({ title: "b" }) } as const, "/edited"],
  ])("has the id of its proposal when it is %s", async (_, answer, suffix) => {
    const thread = await open();
    const agent = createAgent({
      model: fakeModel()
        .respond(call(["ask", { title: "a" }]))
        .respond(say("done")),
      tools: operationTools(tasks, { thread, approver: ada }),
      checkpointer: new MemorySaver(),
    });
    await agent.invoke({ messages: "go" }, config);
    const [proposal] = await thread.proposals();
    const shown = idIn(JSON.stringify(proposal?.patches));
    const { messages } = await agent.invoke(new Command({ resume: answer }), config);
    const [task] = thread.getState().tasks;
    expect(results(messages)[0]?.text).toContain(`Created ${task?.id} "${task?.title}".`);
    expect(task?.id === shown).toBe(suffix === "");
    const commits = (await thread.history()).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    expect(commits.at(-1)?.operation).toMatchObject({ source: { id: `${proposal?.id}${suffix}`, at } });
  });
});

describe("what was created, in words", () => {
  const item = (id: string, title: string) => ({ id, title });

  it("leaves out what was only moved", () => {
    const moved = item("T-1", "a");
    const patches = [
      { op: "remove", path: "/a/0" },
      { op: "add", path: "/b/0", value: moved },
    ] as const;
    const inverse = [
      { op: "remove", path: "/b/0" },
      { op: "add", path: "/a/0", value: moved },
    ] as const;
    expect(describeCreated(patches, inverse)).toBeUndefined();
  });

  it("is short: names of many, and long titles, are cut", () => {
    const value = Array.from({ length: 20 }, (_, n) => item(`T-${n}`, "x".repeat(500)));
    const text = describeCreated([{ op: "replace", path: "", value }], []);
    expect(text).toMatch(/^T-0 "x{60}…", .* and 14 more$/);
    expect(text?.length).toBeLessThan(500);
  });

  it("quotes a title, whatever is in it", () => {
    const value = item("T-1", '". Refused\nAccepted');
    expect(describeCreated([{ op: "add", path: "/a/0", value }], [])).toBe('T-1 "\\". Refused\\nAccepted"');
  });

  it("names the value of a record by its key", () => {
    const value = { done: false };
    expect(describeCreated([{ op: "add", path: "/byId/T-8k2m4q9x1z", value }], [])).toBe("T-8k2m4q9x1z");
    expect(describeCreated([{ op: "add", path: "/settings", value }], [])).toBeUndefined();
  });
});
