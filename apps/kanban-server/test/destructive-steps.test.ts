// Destructive steps need a person's approval, even with a model that does whatever it is told.

import { HumanMessage } from "@langchain/core/messages";
import { type Board, effectsAfter, sampleBoard } from "@opstate/kanban-domain";
import { AIMessage, fakeModel } from "langchain";
import { describe, expect, test, vi } from "vitest";
import { createKanbanAgent } from "../src/agent.ts";
import { ada, boardThread, short } from "./support/board-run.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

const clear = (fromColumn: string): Call => ({ name: "remove", args: { fromColumn } });
const newBoard: Call = { name: "buildBoard", args: { columns: [{ columnId: "a", title: "A", cards: [] }] } };

/** Runs an agent whose model makes these calls, step by step. */
async function run(thread: Awaited<ReturnType<typeof boardThread>>, ...steps: readonly (readonly Call[])[]) {
  const model = fakeModel();
  for (const calls of steps) model.respondWithTools(calls.map((call) => ({ ...call, id: crypto.randomUUID() })));
  const agent = createKanbanAgent({ model: model.respond(new AIMessage("Done")) });
  await agent.invoke(
    { messages: [new HumanMessage("Go")] },
    { configurable: { thread_id: thread.threadId, opstate: { thread } } },
  );
  return (await thread.proposals()).map(({ operation }) => operation.type);
}

describe("an agent with any model", () => {
  test("empties one column at once, but not two in one step", async () => {
    const thread = await boardThread();
    expect(await run(thread, [clear("done")])).toEqual([]);
    const before = thread.getState();
    expect(await run(thread, [clear("review"), clear("backlog")])).toEqual(["remove", "remove"]);
    expect(thread.getState()).toEqual(before);
  });

  test("nor two in two steps, nor card by card", async () => {
    const thread = await boardThread();
    expect(
      await run(
        thread,
        [clear("done")],
        [{ name: "remove", args: { cardId: "T-23" } }],
        [{ name: "move", args: { cardId: "T-36", toColumn: "backlog" } }],
      ),
    ).toEqual(["move"]);
    expect(short(thread.getState()).slice(2)).toEqual(["review: T-36", "done:"]);
  });

  test("puts no other board in the place of one that has cards, and what it does next waits, too", async () => {
    const thread = await boardThread();
    expect(await run(thread, [newBoard], [{ name: "addCard", args: { columnId: "backlog", title: "x" } }])).toEqual([
      "$replace",
      "addCard",
    ]);
    expect(thread.getState()).toEqual(sampleBoard);
  });

  test("builds one where there is none", async () => {
    const thread = await boardThread(null);
    expect(await run(thread, [newBoard])).toEqual([]);
    expect(short(thread.getState())).toEqual(["a:"]);
  });

  test("begins each run anew", async () => {
    const thread = await boardThread();
    expect(await run(thread, [clear("done")])).toEqual([]);
    expect(await run(thread, [clear("review")])).toEqual([]);
    expect(short(thread.getState()).slice(2)).toEqual(["review:", "done:"]);
  });

  test("may do it on a branch, which a person merges", async () => {
    const thread = await boardThread();
    const branch = await thread.branch();
    expect(await run(branch, [clear("review"), clear("backlog")])).toEqual([]);
    expect(short(branch.getState())[0]).toBe("backlog:");
    expect(thread.getState()).toEqual(sampleBoard);
    await branch.merge({ actor: ada });
    expect(short(thread.getState())[0]).toBe("backlog:");
  });
});

describe("effectsAfter", () => {
  const noEffects = { emptied: [], needsApproval: false };
  const remove = (fromColumn: string) => ({ type: "remove", fromColumn });
  const emptyBoard: Board = { columns: [{ columnId: "a", title: "A", cardCount: 0, cards: [] }] };

  test.each([
    ["one column", noEffects, sampleBoard, [remove("done")], { emptied: ["done"], needsApproval: false }],
    [
      "one after another, the first with cards again",
      { emptied: ["done"], needsApproval: false },
      sampleBoard,
      [remove("review")],
      { emptied: ["done"], needsApproval: true },
    ],
    [
      "one emptied and filled, and another",
      noEffects,
      sampleBoard,
      [remove("review"), { type: "move", cardId: "T-1", toColumn: "review" }, remove("done")],
      { emptied: [], needsApproval: true },
    ],
    ["two", noEffects, sampleBoard, [remove("done"), remove("review")], { emptied: [], needsApproval: true }],
    [
      "what is refused",
      noEffects,
      sampleBoard,
      [remove("nowhere"), remove("done")],
      { emptied: ["done"], needsApproval: false },
    ],
    ["nothing", { emptied: [], needsApproval: true }, sampleBoard, [], { emptied: [], needsApproval: true }],
    ["a board without cards replaced", noEffects, emptyBoard, [{ type: "$replace", value: sampleBoard }], noEffects],
    [
      "a board with cards replaced",
      noEffects,
      sampleBoard,
      [{ type: "$replace", value: emptyBoard }],
      { emptied: [], needsApproval: true },
    ],
    [
      "a board emptied and replaced",
      noEffects,
      sampleBoard,
      [remove("done"), { type: "$replace", value: emptyBoard }],
      { emptied: [], needsApproval: true },
    ],
  ])("%s", (_, effects, before, updates, expected) => expect(effectsAfter(effects, before, updates)).toEqual(expected));
});
