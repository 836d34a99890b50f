// The agent's memory keeps conversations, and does not grow with the steps of their runs.

import { HumanMessage } from "@langchain/core/messages";
import { Command, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { LatestCheckpoints } from "../src/latest-checkpoints.ts";

function graphWith(checkpointer: LatestCheckpoints) {
  return new StateGraph(MessagesAnnotation)
    .addNode("first", () => ({ messages: [new HumanMessage("first")] }))
    .addNode("ask", () => ({ messages: [new HumanMessage(String(interrupt("sure?")))] }))
    .addEdge(START, "first")
    .addEdge("first", "ask")
    .compile({ checkpointer });
}

function kept({ storage, writes }: LatestCheckpoints) {
  const checkpoints = Object.values(storage).flatMap((namespaces) =>
    Object.values(namespaces).flatMap((byId) => Object.keys(byId)),
  );
  return { checkpoints: checkpoints.length, writes: Object.keys(writes).length };
}

test("of a conversation the newest checkpoint is kept, and what resumes it", async () => {
  const memory = new LatestCheckpoints();
  const graph = graphWith(memory);
  const config = { configurable: { thread_id: "a" } };
  for (let turn = 1; turn <= 3; turn++) {
    await graph.invoke({ messages: [new HumanMessage("go")] }, config);
    expect(kept(memory).checkpoints).toBe(1);
    const { messages } = await graph.invoke(new Command({ resume: "yes" }), config);
    expect(messages.map(({ text }) => text)).toEqual(Array.from({ length: turn }, () => ["go", "first", "yes"]).flat());
    expect(kept(memory).checkpoints).toBe(1);
    expect(kept(memory).writes).toBeLessThanOrEqual(1);
  }
});

test("of the conversations those are kept that were last active", async () => {
  const memory = new LatestCheckpoints(2);
  const graph = graphWith(memory);
  for (const id of ["a", "b", "a", "c"])
    await graph.invoke({ messages: [new HumanMessage(id)] }, { configurable: { thread_id: id } });
  expect(Object.keys(memory.storage).toSorted()).toEqual(["a", "c"]);
  expect(kept(memory).checkpoints).toBe(2);
});
