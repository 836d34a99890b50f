// The offline model as LangChain sees it: a chat model that streams, calls tools, counts and can be
// stopped.

import { AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { sampleBoard } from "@opstate/kanban-domain";
import { expect, test } from "vitest";
import { OfflineModel } from "../../src/offline-model/offline-model.ts";

const system = new SystemMessage("You look after a board.");
const briefing = new HumanMessage(
  `From the application, not from the user:\n<board version="7">\n${JSON.stringify(sampleBoard)}\n</board>`,
);
const tools = [
  {
    type: "function" as const,
    function: { name: "move", description: "Move", parameters: { type: "object", properties: {} } },
  },
];
const model = new OfflineModel({ delayMs: 0 });

async function chunksOf(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test("it streams a tool call in pieces that make the whole", async () => {
  const chunks = await chunksOf(
    await model.bindTools(tools).stream([system, new HumanMessage("move T-42 to In Progress"), briefing]),
  );
  const pieces = chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.filter((piece) => piece.id !== undefined)).toHaveLength(1);
  const whole = chunks.reduce((left, right) => left.concat(right));
  expect(whole.tool_calls).toEqual([
    {
      type: "tool_call",
      id: expect.stringMatching(/^call_0_first_/),
      name: "move",
      args: { cardId: "T-42", fromColumn: "backlog", toColumn: "in-progress" },
    },
  ]);
});

test("it streams text word by word, and says how many tokens that were", async () => {
  const chunks = await chunksOf(await model.stream([system, new HumanMessage("where is T-42?"), briefing]));
  const words = chunks.filter((chunk) => chunk.text !== "");
  expect(words.map((chunk) => chunk.text).join("")).toBe(
    "'Let people undo an agent's whole run' (T-42) is in Backlog, 1 of 5, with priority 1.",
  );
  expect(words.length).toBeGreaterThan(10);
  const whole = chunks.reduce((left, right) => left.concat(right));
  expect(whole).toMatchObject({ usage_metadata: { input_tokens: expect.any(Number), output_tokens: words.length } });
});

test("invoke gives what stream gives", async () => {
  const answer = await model.invoke([system, new HumanMessage("what is in Done?"), briefing]);
  expect(answer.text).toMatch(/^Done holds 3 cards:\n- 'Search over all boards' \(T-8\)/);
  expect(answer).toMatchObject({ usage_metadata: { total_tokens: expect.any(Number) } });
});

test("without the tool for it, it says so instead of calling", async () => {
  const answer = await model.bindTools(tools).invoke([system, new HumanMessage("remove T-42"), briefing]);
  expect([answer.tool_calls, answer.text]).toEqual([[], "I have no tool 'remove' here."]);
});

test("an answer that is no verdict, such as a tool's error, is not read as success", async () => {
  const asked = new HumanMessage("move T-42 to Done");
  const called = await model.bindTools(tools).invoke([system, asked, briefing]);
  const result = new ToolMessage({
    tool_call_id: called.tool_calls?.[0]?.id ?? "",
    content: "Error: the database is gone",
    status: "error",
  });
  const answer = await model.bindTools(tools).invoke([system, asked, called, result, briefing]);
  expect([answer.tool_calls, answer.text]).toEqual([
    [],
    "'Let people undo an agent's whole run' (T-42) was not moved: Error: the database is gone.",
  ]);
});

test("it stops when it is aborted", async () => {
  const slow = new OfflineModel({ delayMs: 60_000 });
  const stopping = new AbortController();
  const answer = slow.invoke([system, new HumanMessage("help"), briefing], { signal: stopping.signal });
  stopping.abort();
  await expect(answer).rejects.toThrow(/abort/i);
});
