// Interrupts and answers in LangChain's shape, and answers that cannot be read.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, MemorySaver, type BaseCheckpointSaver } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { defineState, memoryLog, openThread } from "@opstate/core";
import { operationTools, type ApprovalRequest } from "@opstate/langgraph";
import { createAgent, fakeModel, tool, type HITLRequest, type HITLResponse } from "langchain";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ada } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { guardedAgent, happened, ids, lines, list, openList, waiting, type List } from "../support/guarded.ts";
import { call, say, type Call } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };
const folder = mkdtempSync(join(tmpdir(), "opstate-answers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const savers: readonly (readonly [string, () => BaseCheckpointSaver])[] = [
  ["memory", () => new MemorySaver()],
  ["SQLite", () => SqliteSaver.fromConnString(join(folder, `${++files}.db`))],
];

function remover(...items: readonly string[]) {
  return fakeModel()
    .respond(call(...items.map((id): Call => ["remove", { id }, `call_${id}`])))
    .respond(say("done"));
}

async function asked(items: readonly string[] = ["A"], checkpointer: BaseCheckpointSaver = new MemorySaver()) {
  const thread = await openList();
  const agent = guardedAgent(thread, remover(...items), { approver: ada, checkpointer: checkpointer as MemorySaver });
  const open = waiting(await agent.invoke({ messages: "go" }, config));
  const answer = (resume: unknown) => agent.invoke(new Command({ resume }), config);
  return { thread, agent, open, answer };
}

describe("an interrupt's value", () => {
  it("has what LangChain's user interfaces read, beside ours", async () => {
    const { open } = await asked();
    const value: HITLRequest = open["A"]!.value;
    expect(value.actionRequests).toEqual([
      {
        name: "remove",
        args: { id: "A" },
        description:
          'The agent asks for approval: remove {"id":"A"} (Remove an item)\nIt would change: removed /items/0',
      },
    ]);
    expect(value.reviewConfigs).toEqual([
      {
        actionName: "remove",
        allowedDecisions: ["approve", "edit", "reject"],
        argsSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      },
    ]);
    expect(open["A"]!.value).toMatchObject({ operation: { type: "remove", id: "A" }, basedOn: 0 });
  });
});

describe.each(savers)("an answer in LangChain's shape, on %s", (_name, saver) => {
  const yes: HITLResponse = { decisions: [{ type: "approve" }] };
  it.each([["approve"], [{ type: "approve" }], [yes]] as unknown[][])("approves: %j", async (given) => {
    const { thread, answer } = await asked(["A"], saver());
    const { messages } = await answer(given);
    expect(lines(messages)).toEqual(["Accepted: list is now at version 2."]);
    expect(results(messages)[0]?.text).toContain('Approved by user "ada".');
    expect(await happened(thread)).toBe("$propose $approve");
  });

  it.each([
    ["reject", ""],
    [{ type: "reject", message: "we need it" }, ', and said: "we need it"'],
    [{ decisions: [{ type: "reject", message: "we need it" }] }, ', and said: "we need it"'],
  ])("rejects: %j", async (given, words) => {
    const { thread, answer } = await asked(["A"], saver());
    const { messages } = await answer(given);
    expect(lines(messages)).toEqual([`Refused (declined): user "ada" declined it${words || "."}`]);
    expect(ids(thread)).toBe("ABCD");
  });

  it.each([
    [{ type: "edit", editedAction: { name: "remove", args: { id: "B" } } }, "ACD"],
    [{ decisions: [{ type: "edit", editedAction: { name: "remove", args: { id: "B" } } }] }, "ACD"],
    [{ decisions: [{ type: "edit", editedAction: { name: "rename", args: { id: "A", title: "kept" } } }] }, "ABCD"],
  ])("edits: %j", async (given, left) => {
    const { thread, answer } = await asked(["A"], saver());
    const { messages } = await answer(given);
    expect(lines(messages)[0]).toMatch(/^Accepted/);
    expect(ids(thread)).toBe(left);
    if (left === "ABCD") expect(thread.getState().items[0]?.title).toBe("kept");
  });

  it("answers several interrupts at once, each in a shape of its own", async () => {
    const { thread, open, answer } = await asked(["A", "B", "C", "D"], saver());
    const { messages } = await answer({
      [open["A"]!.id]: yes,
      [open["B"]!.id]: { type: "accept" },
      [open["C"]!.id]: { decisions: [{ type: "reject" }] },
      [open["D"]!.id]: { type: "edit", editedAction: { name: "rename", args: { id: "D", title: "d" } } },
    });
    expect(lines(messages).map((line) => line.slice(0, 8))).toEqual(["Accepted", "Accepted", "Refused ", "Accepted"]);
    expect(ids(thread)).toBe("CD");
    expect(thread.getState().items[1]?.title).toBe("d");
  });
});

describe("a tool with a prefix", () => {
  it("is edited to another tool under its name with the prefix", async () => {
    const thread = await openList();
    const agent = createAgent({
      model: fakeModel()
        .respond(call(["list_remove", { id: "A" }]))
        .respond(say("done")),
      tools: operationTools(list, { thread, approver: ada, prefix: "list_" }),
      checkpointer: new MemorySaver(),
    });
    const { A } = waiting(await agent.invoke({ messages: "go" }, config));
    expect(A!.value.actionRequests[0]?.name).toBe("list_remove");
    const edited = { type: "edit", editedAction: { name: "list_rename", args: { id: "A", title: "a" } } };
    await agent.invoke(new Command({ resume: { [A!.id]: { decisions: [edited] } } }), config);
    expect(thread.getState().items[0]?.title).toBe("a");
  });
});

const unreadable: readonly (readonly [unknown, RegExp])[] = [
  ["maybe", /^The answer must be \{ type: "accept" \}, .*; it was "maybe"\.$/],
  [{ status: "cancelled" }, /^The answer must be .*; it was \{"status":"cancelled"\}\.$/],
  [{ type: "edit" }, /^An edit needs the `operation`/],
  [{ type: "edit", operation: list.op.remove({ id: "B" }), basedOn: -1 }, /^`basedOn` must be the version/],
  [{ type: "edit", operation: list.op.remove({ id: "B" }), things: ["items"] }, /^`things` must have JSON Pointers/],
  [{ type: "reject", message: 7 }, /^The `message` must be a text; it was 7\.$/],
  [{ decisions: [] }, /one decision; it has 0/],
  [{ decisions: [{ type: "approve" }, { type: "approve" }] }, /one decision; it has 2/],
  [{ decisions: "approve" }, /^`decisions` must be a list/],
  [{ decisions: [{ type: "edit", editedAction: { name: "remove" } }] }, /^`editedAction` must be \{ name, args \}/],
  [{ decisions: [{ type: "edit", editedAction: { name: "destroy", args: {} } }] }, /names the tool "destroy"/],
];

describe.each(savers)("an answer that cannot be read, on %s", (_name, saver) => {
  it.each(unreadable)("puts the question again, and says why: %j", async (given, problem) => {
    const { thread, answer } = await asked(["A"], saver());
    const again = waiting(await answer(given))["A"];
    expect(again?.value.problem).toMatch(problem);
    expect(again?.value.actionRequests[0]?.description).toContain(`The last answer was not used: `);
    expect(await happened(thread)).toBe("$propose");
    const { messages } = await answer({ [again!.id]: { type: "accept" } });
    expect(lines(messages)).toEqual(["Accepted: list is now at version 2."]);
    expect(await happened(thread)).toBe("$propose $approve");
  });

  it("never uses the interrupt up: any number of them, and the answer that is one counts", async () => {
    const { thread, answer } = await asked(["A"], saver());
    for (const [given] of unreadable) expect(Object.keys(waiting(await answer(given)))).toEqual(["A"]);
    const { messages } = await answer("reject");
    expect(lines(messages)).toEqual(['Refused (declined): user "ada" declined it.']);
    expect(await happened(thread)).toBe("$propose $decline");
  });

  it("leaves the answers to its siblings as they are", async () => {
    const { thread, open, answer } = await asked(["A", "B", "C"], saver());
    const second = waiting(await answer({ [open["A"]!.id]: "huh", [open["B"]!.id]: "approve" }));
    expect(Object.keys(second).toSorted()).toEqual(["A", "C"]);
    expect(second["A"]?.value.problem).toBeDefined();
    expect(second["C"]?.value.problem).toBeUndefined();
    expect(ids(thread)).toBe("ACD");
    const { messages } = await answer({ [second["A"]!.id]: "approve", [second["C"]!.id]: "reject" });
    expect(lines(messages).map((line) => line.slice(0, 8))).toEqual(["Accepted", "Accepted", "Refused "]);
    expect(ids(thread)).toBe("CD");
  });

  it("that names none of several interrupts answers none of them, also when they are put again", async () => {
    const { thread, agent, answer } = await asked(["A", "B", "C"], saver());
    const again = waiting(await answer({ decisions: [{ type: "approve" }] }));
    expect(Object.keys(again).toSorted()).toEqual(["A", "B", "C"]);
    for (const { value } of Object.values(again)) expect(value.problem).toMatch(/^Several interrupts wait/);
    await agent.invoke(null as never, config);
    await answer("approve");
    expect(ids(thread)).toBe("ABCD");
    const { A, B } = waiting(await agent.invoke(null as never, config));
    const rest = waiting(await answer({ [A!.id]: "reject", [B!.id]: "approve" }));
    // One is left: there is no doubt which one it is for.
    expect(Object.keys(rest)).toEqual(["C"]);
    await answer("approve");
    expect(ids(thread)).toBe("AD");
    // The two that are answered at once are carried out side by side.
    expect((await happened(thread)).split(" ").toSorted()).toEqual(
      ["$propose", "$propose", "$propose", "$decline", "$approve", "$approve"].toSorted(),
    );
  });
});

it("puts the question again after a restart, and goes on with the answer to that", async () => {
  const log = memoryLog();
  const path = join(folder, "restart.db");
  const message = call(["remove", { id: "A" }, "call_A"]);
  const start = async () => {
    const thread: List = await openList(log);
    const saver = SqliteSaver.fromConnString(path);
    const model = fakeModel().respond(thread.version === 0 ? message : say("done"));
    const agent = createAgent({ model, tools: operationTools(list, { thread, approver: ada }), checkpointer: saver });
    return { agent, thread, stop: () => (saver.db.close(), thread.close()) };
  };
  const first = await start();
  await first.agent.invoke({ messages: "go" }, config);
  await first.agent.invoke(new Command({ resume: "nonsense" }), config);
  await first.stop();
  const second = await start();
  const { tasks } = await second.agent.graph.getState(config);
  const [question] = tasks.flatMap(({ interrupts }) => interrupts);
  expect((question?.value as ApprovalRequest | undefined)?.problem).toContain('it was "nonsense"');
  await second.stop();
  const third = await start();
  const { messages } = await third.agent.invoke(new Command({ resume: { [`${question?.id}`]: "approve" } }), config);
  expect(lines(messages)).toEqual(["Accepted: list is now at version 2."]);
  await third.stop();
});

it("is not kept when it named none of several: what waits alone later has no answer", async () => {
  const { thread, agent, open, answer } = await asked(["A", "B"]);
  await answer("approve");
  await thread.decline(open["A"]!.value.proposal, { actor: ada });
  const { B } = waiting(await agent.invoke(null as never, config));
  expect(B?.value.problem).toMatch(/^Several interrupts wait/);
  expect(ids(thread)).toBe("ABCD");
  const { messages } = await answer("approve");
  expect(lines(messages).map((line) => line.slice(0, 8))).toEqual(["Refused ", "Accepted"]);
});

describe("an edit", () => {
  const insert = list.op.remove({ id: "A" });
  it("is checked against the things that its author saw", async () => {
    const { thread, answer } = await asked(["B"]);
    // What the author saw as /items/0 is another item now.
    await thread.dispatch(insert, { actor: ada });
    const operation = list.op.rename({ id: "B", title: "b" });
    const { messages } = await answer({ type: "edit", operation, basedOn: 0, things: ["/items/0"] });
    expect(lines(messages)[0]).toMatch(/^Refused \(other_thing\)/);
    expect(thread.getState().items[0]?.title).toBe("Item B");
  });

  it("is carried out where it changes them, wherever they are now", async () => {
    const { thread, answer } = await asked(["B"]);
    await thread.dispatch(insert, { actor: ada });
    const operation = list.op.rename({ id: "B", title: "b" });
    const { messages } = await answer({ type: "edit", operation, basedOn: 0, things: ["/items/1"] });
    expect(lines(messages)[0]).toMatch(/^Accepted/);
    expect(thread.getState().items[0]?.title).toBe("b");
  });

  it.each([
    [
      "LangChain's shape",
      { decisions: [{ type: "edit", editedAction: { name: "retitle", args: { at: 1, title: "y" } } }] },
    ],
    ["ours", { type: "edit", operation: { type: "retitle", at: 1, title: "y" } }],
  ])("that names no version, in %s, is checked against what the question showed", async (_shape, answer) => {
    const shelf = defineState({
      name: "shelf",
      schema: z.object({ books: z.array(z.object({ title: z.string() })) }),
      initial: { books: [{ title: "A" }, { title: "B" }, { title: "C" }] },
      operations: {
        retitle: {
          description: "Retitle a book",
          input: z.object({ at: z.int(), title: z.string() }),
          approve: ["agent"],
          apply(draft, { at, title }) {
            draft.books[at]!.title = title;
          },
        },
        sell: {
          input: z.object({ at: z.int() }),
          apply(draft, { at }) {
            draft.books.splice(at, 1);
          },
        },
      },
    });
    const thread = await openThread({ definition: shelf, log: memoryLog(), threadId: "shelf" });
    const agent = createAgent({
      model: fakeModel()
        .respond(call(["retitle", { at: 1, title: "x" }]))
        .respond(say("done")),
      tools: operationTools(shelf, { thread, approver: ada }),
      checkpointer: new MemorySaver(),
    });
    await agent.invoke({ messages: "go" }, config);
    // The second book is another one now.
    await thread.dispatch(shelf.op.sell({ at: 0 }), { actor: ada });
    const { messages } = await agent.invoke(new Command({ resume: answer }), config);
    expect(lines(messages)[0]).toMatch(/^Refused \(other_thing\)/);
    expect(thread.getState().books).toEqual([{ title: "B" }, { title: "C" }]);
  });

  it("of a version that is not there decides nothing", async () => {
    const { thread, answer } = await asked(["B"]);
    const again = waiting(await answer({ type: "edit", operation: insert, basedOn: 99 }));
    expect(again["B"]?.value.problem).toContain("it is based on version 99, and there is none after 1");
    expect(await thread.proposals()).toHaveLength(1);
  });
});

it("puts the question again through the graph around the agent, too", async () => {
  const thread = await openList();
  const worker = createAgent({ model: remover("A"), tools: operationTools(list, { thread, approver: ada }) });
  const delegate = tool(async () => (await worker.invoke({ messages: "go" })).messages.at(-1)!.text, {
    name: "delegate",
    description: "Delegate",
    schema: z.object({}),
  });
  const model = fakeModel()
    .respond(call(["delegate", {}]))
    .respond(say("main is done"));
  const main = createAgent({ model, tools: [delegate], checkpointer: new MemorySaver() });
  const first = waiting(await main.invoke({ messages: "go" }, config));
  const again = waiting(await main.invoke(new Command({ resume: { [first["A"]!.id]: "perhaps" } }), config));
  expect(again["A"]?.value.problem).toContain('it was "perhaps"');
  const { messages } = await main.invoke(new Command({ resume: { [again["A"]!.id]: "approve" } }), config);
  expect(messages.at(-1)?.text).toBe("main is done");
  expect(await happened(thread)).toBe("$propose $approve");
});
