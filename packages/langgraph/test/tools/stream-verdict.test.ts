// A verdict comes to a reader of the graph's stream as it is given: in the middle of the
// superstep, while other tools and nodes still run.

import { defined } from "@opstate/core";
import { Command, END, MemorySaver, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { applyPatch } from "@opstate/core/json-patch";
import {
  operationsNode,
  operationTools,
  replacementTool,
  snapshotField,
  stateField,
  type StreamedVerdict,
} from "@opstate/langgraph";
import { createAgent, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada, agent as agentActor, board, layout, openSample, sample } from "../support/board.ts";
import { list, openList } from "../support/guarded.ts";
import { call, say } from "../support/talk.ts";

/** Something slow, which ends when `count` events were seen. */
function slowUntil(count: number) {
  let release = (): void => {};
  const ended = new Promise<void>((resolve) => (release = resolve));
  const seen: StreamedVerdict[] = [];
  return {
    ended,
    seen,
    /** Reads a stream to its end. */
    async read(stream: Promise<AsyncIterable<unknown>>): Promise<string[]> {
      const order: string[] = [];
      for await (const chunk of await stream) {
        const [mode, payload] = chunk as [string, object];
        if (mode === "custom") seen.push(payload as StreamedVerdict);
        order.push(mode === "custom" ? (payload as StreamedVerdict).type : Object.keys(payload).join());
        if (seen.length === count) release();
      }
      return order;
    },
  };
}

const streamMode: ["custom", "updates"] = ["custom", "updates"];

function slowTool(ended: Promise<void>) {
  return tool(() => ended.then(() => "late"), { name: "slow", description: "Slow", schema: z.object({}) });
}

describe("a stream of custom events and updates", () => {
  it("has each commit of tools on a thread, with operation, version and patches, before the step ends", async () => {
    const thread = await openSample();
    const slow = slowUntil(3);
    const build = replacementTool(board, { thread, name: "build", description: "Build" });
    const model = fakeModel()
      .respond(
        call(["slow", {}], ["remove", { cardId: "T-1" }], ["remove", { cardId: "T-1" }], ["build", { columns: [] }]),
      )
      .respond(say("done"));
    const agent = createAgent({ model, tools: [slowTool(slow.ended), ...operationTools(board, { thread }), build] });
    const order = await slow.read(agent.stream({ messages: "go" }, { streamMode }));
    // The slow tool ends only when all three were read.
    expect(order.filter((name) => name.startsWith("opstate."))).toEqual([
      "opstate.commit",
      "opstate.rejection",
      "opstate.commit",
    ]);
    let state: unknown = sample;
    for (const event of slow.seen) {
      if (event.type !== "opstate.commit") continue;
      const { version, operation, patches, actor } = event.commit;
      expect(actor).toEqual(agentActor);
      expect(operation.type).toBe(version === 2 ? "remove" : "$replace");
      const applied = applyPatch(state, patches);
      if (applied.ok) state = applied.document;
    }
    expect(state).toEqual(thread.getState());
    expect(thread.version).toBe(3);
  });

  it("has proposals, and what their answers did", async () => {
    const thread = await openList();
    const slow = slowUntil(1);
    const model = fakeModel()
      .respond(call(["slow", {}], ["remove", { id: "A" }]))
      .respond(say("done"));
    const agent = createAgent({
      model,
      tools: [slowTool(slow.ended), ...operationTools(list, { thread, approver: ada })],
      checkpointer: new MemorySaver(),
    });
    const config = { streamMode, configurable: { thread_id: "t" } };
    expect(await slow.read(agent.stream({ messages: "go" }, config))).toContain("__interrupt__");
    expect(slow.seen).toMatchObject([
      { type: "opstate.commit", commit: { operation: { type: "$propose" }, version: 1, patches: [] } },
    ]);
    const [proposal] = await thread.proposals();
    await slow.read(agent.stream(new Command({ resume: { type: "accept" } }), config));
    const approved = slow.seen.flatMap((event) =>
      event.type === "opstate.commit" && event.commit.version === 2 ? [event.commit] : [],
    );
    expect(approved).toMatchObject([
      {
        operation: { type: "$approve", proposal: proposal!.id },
        actor: ada,
        patches: [{ op: "remove", path: "/items/0" }],
      },
    ]);
  });

  it.each(["stateField", "snapshotField"] as const)(
    "has what operationsNode folds into a %s, while another node still runs",
    async (kind) => {
      const slow = slowUntil(2);
      const State = new StateSchema({
        messages: MessagesValue,
        board: (kind === "stateField" ? stateField(board) : snapshotField(board)) as ReturnType<
          typeof stateField<typeof board>
        >,
      });
      const graph = new StateGraph(State)
        .addNode("operations", operationsNode(board, { field: "board" }))
        .addNode("slow", async () => (await slow.ended, {}))
        .addEdge(START, "operations")
        .addEdge(START, "slow")
        .addEdge("operations", END)
        .compile();
      const message = call(["remove", { cardId: "T-1" }, "c1"], ["remove", { cardId: "T-1" }, "c2"]);
      await slow.read(graph.stream({ messages: [message], board: sample }, { streamMode }));
      const [version] = kind === "stateField" ? [] : [2];
      expect(slow.seen).toEqual([
        {
          type: "opstate.field.change",
          field: "board",
          operation: { type: "remove", cardId: "T-1" },
          actor: agentActor,
          id: `${message.id}/c1`,
          toolCallId: "c1",
          ...defined({ version }),
          patches: expect.arrayContaining([{ op: "remove", path: "/columns/0/cards/0" }]),
        },
        {
          type: "opstate.field.rejection",
          field: "board",
          operation: { type: "remove", cardId: "T-1" },
          actor: agentActor,
          id: `${message.id}/c2`,
          toolCallId: "c2",
          ...defined({ version }),
          rejection: expect.objectContaining({ reason: "card_not_found" }),
        },
      ]);
      expect(layout(sample)["todo"]).toHaveLength(3);
    },
  );
});
