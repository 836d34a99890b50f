// The debate graph, along each of its ways.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, MemorySaver } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { createDebateGraph } from "../../src/graph/graph.ts";
import { OfflineModel } from "../../src/offline-model/offline-model.ts";
import { tickingClock } from "../support/clock.ts";

const folder = mkdtempSync(join(tmpdir(), "debate-graph-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const config = { configurable: { thread_id: "d" } };
const debate = (checkpointer = new MemorySaver() as MemorySaver | SqliteSaver, delayMs = 0) =>
  createDebateGraph({ model: new OfflineModel({ delayMs }), checkpointer, clock: tickingClock() });
const answer = (resume: unknown) => new Command<unknown, Record<string, never>, "open">({ resume });
const carryOn = answer({ decision: "continue" });
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function questions(graph: ReturnType<typeof debate>) {
  const { tasks } = await graph.getState(config);
  return tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value as { message: string }));
}

test("one round: both sides, the fact check, the moderator, and no question", async () => {
  const graph = debate();
  const end = await graph.invoke({ topic: "Remote work", maxRounds: 1 }, config);
  expect(end).toMatchObject({ status: "completed", round: 1, stopped: false, problem: "" });
  expect(end.messages.map(({ id, name }) => [id, name])).toEqual([
    ["1-optimist", "optimist"],
    ["1-skeptic", "skeptic"],
    ["1-moderator", "moderator"],
  ]);
  expect(await questions(graph)).toEqual([]);
});

test("three rounds put two questions to a person, and none after the last", async () => {
  const graph = debate();
  let state = await graph.invoke({ topic: "Remote work", maxRounds: 3 }, config);
  for (const next of [2, 3]) {
    expect(state).toMatchObject({ status: "running", round: next - 1, endedAt: "" });
    expect(await questions(graph)).toEqual([
      { message: `Round ${next} of 3 is ready.`, nextRound: next, maxRounds: 3 },
    ]);
    state = await graph.invoke(carryOn, config);
  }
  expect(state).toMatchObject({ status: "completed", round: 3, topic: "Remote work", maxRounds: 3 });
  expect(await questions(graph)).toEqual([]);
  expect(state.turns.map(({ id }) => id)).toEqual(
    [1, 2, 3].flatMap((round) => ["optimist", "skeptic", "moderator"].map((speaker) => `${round}-${speaker}`)),
  );
});

test("times are ISO strings in their order, and tokens are the sum of what was used", async () => {
  const { turns, startedAt, endedAt, inputTokens, outputTokens } = await debate().invoke(
    { topic: "Remote work", maxRounds: 1 },
    config,
  );
  const times = [startedAt, ...turns.flatMap((turn) => [turn.startedAt, turn.endedAt]), endedAt];
  for (const time of times) expect(time).toMatch(iso);
  expect(times).toEqual(times.toSorted());
  expect(turns.every((turn) => turn.inputTokens > 0 && turn.outputTokens > 10)).toBe(true);
  // The fact check uses tokens too.
  expect(outputTokens).toBeGreaterThan(turns.reduce((sum, turn) => sum + turn.outputTokens, 0));
  expect(inputTokens).toBeGreaterThan(turns.reduce((sum, turn) => sum + turn.inputTokens, 0));
});

test("facts quote the turn that they are about", async () => {
  const { facts, messages } = await debate().invoke(
    { topic: "Should we move to a four-day week?", maxRounds: 1 },
    config,
  );
  expect(facts.length).toBeGreaterThan(0);
  for (const { turn, quote } of facts) expect(messages.find(({ id }) => id === turn)?.text).toContain(quote);
});

test.each([
  ["none", {}],
  ["an empty one", { topic: "" }],
  ["only spaces", { topic: "  \n" }],
])("a topic that is %s ends the debate with an error and a message that says so", async (_, input) => {
  const graph = debate();
  const end = await graph.invoke({ ...input, maxRounds: 3 }, config);
  expect(end).toMatchObject({
    status: "error",
    round: 0,
    problem: "There is no topic to debate. Start a debate with a topic.",
  });
  expect(end.messages.map(({ text }) => text)).toEqual(["There is no topic to debate. Start a debate with a topic."]);
  expect(end.endedAt).toMatch(iso);
  expect(await questions(graph)).toEqual([]);
});

test("without a number of rounds there are three", async () => {
  expect(await debate().invoke({ topic: "Zoos" }, config)).toMatchObject({ maxRounds: 3, status: "running" });
});

describe("the question before a round", () => {
  test("stop: the debate is completed and no model speaks again", async () => {
    const graph = debate();
    const before = await graph.invoke({ topic: "Zoos", maxRounds: 3 }, config);
    const end = await graph.invoke(answer({ decision: "stop" }), config);
    expect(end).toMatchObject({ status: "completed", stopped: true, round: 1, outputTokens: before.outputTokens });
    expect(end.messages).toHaveLength(3);
    expect(end.endedAt).toMatch(iso);
  });

  test("a word is a turn of its own, and both debaters answer it", async () => {
    const graph = debate();
    await graph.invoke({ topic: "Zoos", maxRounds: 2 }, config);
    const end = await graph.invoke(answer({ decision: "continue", word: "What about the animals?" }), config);
    const text = (id: string) => end.messages.find((message) => message.id === id)?.text;
    expect(text("1-person")).toBe("What about the animals?");
    expect(text("2-optimist")).toContain("What about the animals?");
    expect(text("2-skeptic")).toContain("What about the animals?");
    expect(end.turns.map(({ id }) => id)).toContain("1-person");
  });

  test.each([
    ["yes"],
    [true],
    [{ decision: "perhaps" }],
    [{ decision: "continue", word: 7 }],
    [{ decision: "stop", word: "x" }],
  ])("%j is no decision: the question comes again, and nothing starts", async (decision) => {
    const graph = debate();
    await graph.invoke({ topic: "Zoos", maxRounds: 2 }, config);
    const still = await graph.invoke(answer(decision), config);
    expect(still).toMatchObject({ status: "running", round: 1 });
    const [question] = await questions(graph);
    expect(question?.message).toContain("Round 2 of 2 is ready. The answer was not understood");
    expect(await graph.invoke(carryOn, config)).toMatchObject({ status: "completed", round: 2 });
  });
});

test("a debate that waits goes on from its checkpoint with another graph and another saver", async () => {
  const path = join(folder, "wait.sqlite");
  const first = SqliteSaver.fromConnString(path);
  const before = await debate(first).invoke({ topic: "Zoos", maxRounds: 2 }, config);
  first.db.close();
  const second = SqliteSaver.fromConnString(path);
  const end = await debate(second).invoke(carryOn, config);
  second.db.close();
  expect(end).toMatchObject({ status: "completed", round: 2, topic: "Zoos" });
  expect(end.messages.slice(0, 3).map(({ text }) => text)).toEqual(before.messages.map(({ text }) => text));
});

test("a run that is aborted in the middle of a round keeps the turns that ended, and goes on after them", async () => {
  const graph = debate(undefined, 1);
  const aborter = new AbortController();
  const run = async () => {
    const stream = await graph.stream(
      { topic: "Zoos", maxRounds: 1 },
      { ...config, signal: aborter.signal, streamMode: "custom" },
    );
    for await (const event of stream as AsyncIterable<{ type: string; messageId?: string }>)
      if (event.type === "TEXT_MESSAGE_CONTENT" && event.messageId === "1-skeptic") aborter.abort();
  };
  await expect(run()).rejects.toThrow();
  const { values, next } = await graph.getState(config);
  expect(next).toEqual(["skeptic"]);
  expect(values.messages.map((message: { id: string }) => message.id)).toEqual(["1-optimist"]);
  const end = await graph.invoke(null, config);
  expect(end).toMatchObject({ status: "completed", round: 1 });
  expect(end.messages.map(({ id }) => id)).toEqual(["1-optimist", "1-skeptic", "1-moderator"]);
});

test("ten rounds fit into one debate, and no side repeats its point", async () => {
  const graph = debate();
  let state = await graph.invoke({ topic: "Should cities ban cars?", maxRounds: 10 }, config);
  while (state.status === "running") state = await graph.invoke(carryOn, config);
  expect(state.round).toBe(10);
  for (const side of ["optimist", "skeptic"]) {
    const said = state.messages.filter(({ name }) => name === side).map(({ text }) => text);
    expect(new Set(said).size).toBe(10);
  }
});

test("an update that a field refuses is not applied: the topic stays", async () => {
  const graph = debate();
  await graph.invoke({ topic: "Zoos", maxRounds: 2 }, config);
  await graph.updateState(config, { topic: "Something else", maxRounds: 9, status: "paused" as never });
  expect((await graph.getState(config)).values).toMatchObject({ topic: "Zoos", maxRounds: 2, status: "running" });
});
