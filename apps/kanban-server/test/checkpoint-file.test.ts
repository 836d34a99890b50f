// What the agent's memory keeps in a file is there for the next process.

import { HumanMessage } from "@langchain/core/messages";
import { Command, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CheckpointFile } from "../src/checkpoint-file.ts";
import { LatestCheckpoints } from "../src/latest-checkpoints.ts";

/** Each call is a process of its own, which leaves the file as it is. */
function processOn(path: string, limit?: number) {
  const file = new CheckpointFile(path);
  onTestFinished(() => file.close());
  const checkpointer = new LatestCheckpoints(limit, file);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("first", () => ({ messages: [new HumanMessage("first")] }))
    .addNode("ask", () => ({ messages: [new HumanMessage(String(interrupt("sure?")))] }))
    .addEdge(START, "first")
    .addEdge("first", "ask")
    .compile({ checkpointer });
  return { graph, checkpointer };
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "checkpoints-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "checkpoints.sqlite");
}

test("a graph goes on in the next process where it waited, with what its tasks had written", async () => {
  const path = newFile();
  const config = { configurable: { thread_id: "a" } };
  await processOn(path).graph.invoke({ messages: [new HumanMessage("go")] }, config);
  const { messages } = await processOn(path).graph.invoke(new Command({ resume: "yes" }), config);
  expect(messages.map(({ text }) => text)).toEqual(["go", "first", "yes"]);
});

test("the conversations that were last active are kept, also over processes", async () => {
  const path = newFile();
  for (const id of ["a", "b", "a", "c"])
    await processOn(path, 2).graph.invoke({ messages: [new HumanMessage(id)] }, { configurable: { thread_id: id } });
  expect(Object.keys(processOn(path, 2).checkpointer.storage).toSorted()).toEqual(["a", "c"]);
});
