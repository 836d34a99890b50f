// What a model reads of a field that decides by itself: a large state is shown as a thread's is,
// and what others changed since the model's last call is reported once.

import { MemorySaver, START, StateGraph, type BaseCheckpointSaver } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { applyPatch, type PatchOperation } from "@opstate/core/json-patch";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import fc from "fast-check";
import { createAgent, fakeModel, type BaseMessage } from "langchain";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { agent as agentActor, board, sample } from "../support/board.ts";
import { shown } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";
import { Team } from "../support/teams.ts";

type Model = ReturnType<typeof fakeModel>;
const config = { configurable: { thread_id: "t" } };
const savers: readonly (readonly [string, () => BaseCheckpointSaver])[] = [
  ["memory", () => new MemorySaver()],
  ["SQLite", () => SqliteSaver.fromConnString(":memory:")],
];

function agentOf(model: Model, checkpointer?: BaseCheckpointSaver) {
  return createAgent({
    model,
    tools: operationTools(board, { field: "board", actor: agentActor }),
    middleware: [opstateMiddleware(board, { field: "board", actor: agentActor })],
    ...(checkpointer && { checkpointer }),
  });
}

const rename = (cardId: string, title: string) => board.op.rename({ cardId, title });
const changesIn = (model: Model, at: number) =>
  /<board-changes[^>]*>\n([^]*?)\n?<\/board-changes>/.exec(shown(model.calls.at(at)!.messages))?.[1];

function talker(answers: number): Model {
  const model = fakeModel();
  for (let answer = 0; answer < answers; answer++) model.respond(say("ok"));
  return model;
}

/** A state of about 3,000 tokens. */
const large = {
  columns: ["todo", "doing", "done"].map((columnId, c) => ({
    columnId,
    cardCount: 50,
    cards: Array.from({ length: 50 }, (_, i) => ({ cardId: `T-${c}-${i}`, title: `Card ${i} of ${columnId}` })),
  })),
};

describe.each(savers)("an edit of the field between two runs, on %s", (_name, saver) => {
  it.each([
    ["an operation", rename("T-1", "by <Ada>"), 'set /columns/0/cards/0/title = "by \\u003cAda>"'],
    ["a whole state", { columns: [] }, "set /columns = []"],
  ])("is reported with the next call, once: %s", async (_what, update, line) => {
    const model = talker(3);
    const agent = agentOf(model, saver());
    await agent.invoke({ messages: "go", board: sample }, config);
    expect(changesIn(model, 0)).toBeUndefined();
    await agent.graph.updateState(config, { board: update }, "model_request");
    await agent.invoke({ messages: "and?" }, config);
    expect(changesIn(model, 1)).toBe(line);
    await agent.invoke({ messages: "and?" }, config);
    expect(changesIn(model, 2)).toBeUndefined();
  });
});

it("does not read what it changed itself, in whatever run", async () => {
  const model = fakeModel()
    .respond(call(["rename", { cardId: "T-1", title: "mine" }]))
    .respond(call(["remove", { cardId: "T-2" }], ["remove", { cardId: "T-2" }]))
    .respond(say("done"))
    .respond(say("done"));
  const agent = agentOf(model, new MemorySaver());
  await agent.invoke({ messages: "go", board: sample }, config);
  await agent.invoke({ messages: "and?" }, config);
  expect(model.calls.map((_, at) => changesIn(model, at))).toEqual([undefined, undefined, undefined, undefined]);
});

it("reads again what its model never answered to, with what it changed meanwhile left out", async () => {
  const model = fakeModel()
    .respond(say("one"))
    .respond(new Error("overloaded"))
    .respond(call(["rename", { cardId: "T-2", title: "mine" }]))
    .respond(say("two"));
  const agent = agentOf(model, new MemorySaver());
  await agent.invoke({ messages: "go", board: sample }, config);
  await agent.graph.updateState(config, { board: rename("T-1", "by Ada") }, "model_request");
  await agent.invoke({ messages: "again" }, config).catch(() => undefined);
  await agent.invoke({ messages: "again" }, config);
  expect(changesIn(model, 2)).toContain("by Ada");
  expect(changesIn(model, 3)).toBeUndefined();
});

it("an agent inside another graph reads what changed in that graph's field since its last call", async () => {
  const model = talker(4);
  const graph = new StateGraph(Team)
    .addNode("worker", agentOf(model).graph as never)
    .addEdge(START, "worker")
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ messages: "go", board: sample }, config);
  await graph.updateState(config, { board: rename("T-1", "by Ada") }, "worker");
  await graph.invoke({ messages: "again" }, config);
  expect(changesIn(model, 1)).toContain("by Ada");
  await graph.invoke({ messages: "again" }, config);
  expect(changesIn(model, 2)).toBeUndefined();
  await graph.invoke({ messages: "go", board: sample }, { configurable: { thread_id: "another" } });
  expect(changesIn(model, 3)).toBeUndefined();
});

describe("a large state of a field", () => {
  const start = (messages: readonly BaseMessage[]) =>
    messages.find(({ text }) => text.startsWith("From the application:\n<board "))?.text ?? "";

  it("is before the conversation, the same in each call; what changed since is at the end", async () => {
    const model = fakeModel()
      .respond(call(["rename", { cardId: "T-0-3", title: "mine" }]))
      .respond(say("done"))
      .respond(say("done"));
    const agent = agentOf(model, new MemorySaver());
    await agent.invoke({ messages: "go", board: large }, config);
    await agent.graph.updateState(config, { board: rename("T-1-1", "by Ada") }, "model_request");
    const { messages } = await agent.invoke({ messages: "and?" }, config);
    const sent = model.calls.map((request) => request.messages.map(({ text }) => text));
    expect(start(model.calls[0]!.messages)).toMatch(/^From the application:\n<board version="1">\n\{.*\}\n<\/board>$/);
    for (const [index, texts] of sent.slice(1).entries())
      expect(texts.slice(0, sent[index]!.length - 1)).toEqual(sent[index]!.slice(0, -1));
    expect(changesIn(model, 0)).toBe("");
    expect(changesIn(model, 1)).toBe('set /columns/0/cards/3/title = "mine"');
    expect(changesIn(model, 2)).toBe(
      'set /columns/0/cards/3/title = "mine"\nSince you last looked:\nset /columns/1/cards/1/title = "by Ada"',
    );
    expect(JSON.stringify(messages)).not.toContain("<board");
  });

  it("is made anew when the changes outweigh it, with what is new to the model beside it", async () => {
    const model = talker(3);
    const agent = agentOf(model, new MemorySaver());
    await agent.invoke({ messages: "go", board: large }, config);
    const columns = large.columns.map((column) => ({
      ...column,
      cards: column.cards.map((card) => ({ ...card, title: `${card.title}, again` })),
    }));
    await agent.graph.updateState(config, { board: { columns } }, "model_request");
    await agent.invoke({ messages: "and?" }, config);
    expect(start(model.calls[1]!.messages)).toContain('<board version="2">');
    expect(shown(model.calls[1]!.messages)).toMatch(
      /In the state already, new since you last looked:\nset \/columns\/0\/cards = .*, again/,
    );
    await agent.invoke({ messages: "and?" }, config);
    expect(start(model.calls[2]!.messages)).toBe(start(model.calls[1]!.messages));
    expect(changesIn(model, 2)).toBe("");
  });

  it("lets the model know the state of each call, whatever it and others do", async () => {
    const card = fc.tuple(fc.nat(2), fc.nat(60)).map(([column, index]) => `T-${column}-${index}`);
    const operation = fc.oneof(
      fc.record({ type: fc.constant("rename" as const), cardId: card, title: fc.string({ maxLength: 300 }) }),
      fc.record({ type: fc.constant("move" as const), cardId: card, to: fc.constantFrom("todo", "doing", "done") }),
      fc.record({ type: fc.constant("remove" as const), cardId: card }),
    );
    const run = fc.record({
      own: fc.array(operation, { maxLength: 3 }),
      others: fc.array(operation, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 5 }), async (script) => {
        const model = fakeModel();
        const states: unknown[] = [];
        const agent = agentOf(model, new MemorySaver());
        const look = (messages: readonly BaseMessage[]) => states.push(stateIn(messages));
        for (const { own } of [{ own: [] }, ...script]) {
          if (own.length > 0)
            model.respond(
              (messages) => (look(messages), call(...own.map(({ type, ...args }) => [type, args] as const))),
            );
          model.respond((messages) => (look(messages), say("done")));
        }
        let { board: field } = await agent.invoke({ messages: "go", board: large }, config);
        expect(states.at(-1)).toEqual(field.state);
        for (const { others } of script) {
          for (const edit of others) await agent.graph.updateState(config, { board: edit }, "model_request");
          ({ board: field } = await agent.invoke({ messages: "and?" }, config));
          expect(states.at(-1)).toEqual(field.state);
        }
      }),
      { numRuns: runs(15, 60) },
    );
  });

  /** The snapshot with all changes that are at the end. */
  function stateIn(messages: readonly BaseMessage[]): unknown {
    const [, json = ""] =
      /<board version="\d+">\n(.*)\n<\/board>/.exec(messages.map(({ text }) => text).join("\n")) ?? [];
    const [, lines = ""] = /<board-changes since[^>]*>\n([^]*?)<\/board-changes>/.exec(shown(messages)) ?? [];
    const isNews = lines.startsWith("In the state already");
    const patch = isNews
      ? []
      : lines
          .split("\n")
          .filter((line) => /^(?:set|added|removed|moved) /.test(line))
          .map(read);
    const applied = applyPatch(JSON.parse(json), patch);
    if (!applied.ok) throw new Error(JSON.stringify(applied));
    return applied.document;
  }

  function read(line: string): PatchOperation {
    const [, verb, path = "", json = ""] = /^(\w+) (\S+)(?: (?:=|to) (.*))?$/.exec(line) ?? [];
    if (verb === "removed") return { op: "remove", path };
    if (verb === "moved") return { op: "move", from: path, path: json };
    return { op: verb === "set" ? "replace" : "add", path, value: JSON.parse(json) };
  }
});
