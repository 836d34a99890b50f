// Answers that name no interrupt, where calls of several threads or of several agents wait.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, interrupt, MemorySaver, START, StateGraph, type BaseCheckpointSaver } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { memoryLog, openThread } from "@opstate/core";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { afterAll, describe, expect, it } from "vitest";
import { ada } from "../support/board.ts";
import { ids, lines, list, openList, waiting, type List } from "../support/guarded.ts";
import { call, say } from "../support/talk.ts";
import { Team } from "../support/teams.ts";

const config = { configurable: { thread_id: "t" } };
const folder = mkdtempSync(join(tmpdir(), "opstate-addressee-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const savers: readonly (readonly [string, () => BaseCheckpointSaver])[] = [
  ["memory", () => new MemorySaver()],
  ["SQLite", () => SqliteSaver.fromConnString(join(folder, `${++files}.db`))],
];
const both = { left: "ABCD", right: "ABCD" };

/** An agent that removes A on the left and B on the right, in one message. */
async function twoThreads(checkpointer: BaseCheckpointSaver) {
  const open = (threadId: string): Promise<List> => openThread({ definition: list, log: memoryLog(), threadId });
  const [left, right] = [await open("left"), await open("right")];
  const tools = [left, right].flatMap((thread) =>
    operationTools(list, { thread, approver: ada, prefix: `${thread.threadId}_`, middleware: thread.threadId }),
  );
  const agent = createAgent({
    model: fakeModel()
      .respond(call(["left_remove", { id: "A" }, "call_A"], ["right_remove", { id: "B" }, "call_B"]))
      .respond(say("done")),
    tools,
    middleware: [left, right].map((thread) => opstateMiddleware(list, { thread, name: thread.threadId })),
    checkpointer,
  });
  const asked = waiting(await agent.invoke({ messages: "go" }, config));
  const answer = async (resume: unknown) => waiting(await agent.invoke(new Command({ resume }), config));
  return { agent, asked, answer, left, right, now: () => ({ left: ids(left), right: ids(right) }) };
}

describe.each(savers)("an answer without an id, where two threads of one agent wait, on %s", (_name, saver) => {
  it.each([["approve"], [{ type: "accept" }], [{ decisions: [{ type: "reject" }] }]] as unknown[][])(
    "is used by neither, and both put the question again: %j",
    async (given) => {
      const { answer, now } = await twoThreads(saver());
      const again = await answer(given);
      expect(Object.keys(again).toSorted()).toEqual(["A", "B"]);
      for (const { value } of Object.values(again)) expect(value.problem).toMatch(/^Several interrupts wait/);
      expect(now()).toEqual(both);
      await answer({ [again["A"]!.id]: "approve", [again["B"]!.id]: "reject" });
      expect(now()).toEqual({ left: "BCD", right: "ABCD" });
    },
  );

  it("is used by the one whose proposal, thread or tool it names; the other puts the question again", async () => {
    const edit = { name: "right_rename", args: { id: "B", title: "b" } };
    for (const [given, used, after] of [
      [{ type: "accept", proposal: "B" }, "B", { left: "ABCD", right: "ACD" }],
      [{ decisions: [{ type: "approve" }], proposal: "A" }, "A", { left: "BCD", right: "ABCD" }],
      [{ type: "accept", threadId: "left" }, "A", { left: "BCD", right: "ABCD" }],
      [
        { type: "edit", editedAction: { name: "right_remove", args: { id: "D" } } },
        "B",
        { left: "ABCD", right: "ABC" },
      ],
      // It may be for a call of any tool.
      [{ type: "edit", editedAction: edit }, undefined, both],
      [{ type: "accept", proposal: "nothing" }, undefined, both],
    ] as const) {
      const { asked, answer, now } = await twoThreads(saver());
      const proposal = "proposal" in given ? (asked[given.proposal]?.value.proposal ?? "none") : undefined;
      const again = await answer({ ...given, ...(proposal === undefined ? {} : { proposal }) });
      expect(now()).toEqual(after);
      expect(Object.keys(again).toSorted()).toEqual(["A", "B"].filter((item) => item !== used));
      for (const { value } of Object.values(again)) expect(value.problem).toBeDefined();
    }
  });

  it("is used by the last one that waits", async () => {
    const { asked, answer, now } = await twoThreads(saver());
    const rest = await answer({ [asked["A"]!.id]: "reject" });
    expect(Object.keys(rest)).toEqual(["B"]);
    await answer("approve");
    expect(now()).toEqual({ left: "ABCD", right: "ACD" });
  });
});

it("says which thread it is about", async () => {
  const { asked } = await twoThreads(new MemorySaver());
  expect([asked["A"]?.value.threadId, asked["B"]?.value.threadId]).toEqual(["left", "right"]);
});

it("an answer without an id is used by none of two agents of a graph, nor beside another node's interrupt", async () => {
  const worker = (thread: List, item: string) =>
    createAgent({
      model: fakeModel()
        .respond(call(["remove", { id: item }]))
        .respond(say("done")),
      tools: operationTools(list, { thread, approver: ada }),
    }).graph;
  for (const other of ["agent", "node"]) {
    const [one, two] = [await openList(), await openList()];
    const graph = new StateGraph(Team)
      .addNode("one", worker(one, "A") as never)
      .addNode("two", (other === "agent" ? worker(two, "B") : () => void interrupt("Which color?")) as never)
      .addEdge(START, "one")
      .addEdge(START, "two")
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ messages: "go" }, config);
    const again = await graph.invoke(new Command({ resume: "approve" }), config);
    expect([ids(one), ids(two)]).toEqual(["ABCD", "ABCD"]);
    const open = (again as unknown as { __interrupt__: { id: string; value: { problem?: string } }[] }).__interrupt__;
    expect(open.map(({ value }) => value.problem?.slice(0, 26))).toEqual(
      Array.from({ length: other === "agent" ? 2 : 1 }, () => "Several interrupts wait, a"),
    );
    const answers = Object.fromEntries(open.map(({ id }) => [id, "approve"]));
    const { messages } = await graph.invoke(new Command({ resume: answers }), config);
    expect(lines(messages).every((line) => line.startsWith("Accepted"))).toBe(true);
    expect(ids(one)).toBe("BCD");
  }
});
