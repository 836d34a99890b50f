// A run that a stop of the server cut goes on from the graph's checkpoint.

import type { Message } from "@ag-ui/core";
import { MemorySaver, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { graphAgent, type AgentRun, type GraphEvent } from "@opstate/langgraph/ag-ui";
import { AIMessage, createAgent, fakeModel, tool, type BaseMessage } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada, openSample } from "../support/board.ts";
import { clientOf } from "../support/official-client.ts";

const QUESTION: Message = { id: "u1", role: "user", content: "Do it all" };
const STEPS = ["a", "b", "c"];

/** A tool that does steps, and those that it did. A step that is stuck never ends. */
function workTool(stuck: string | undefined) {
  const done: string[] = [];
  const work = tool(
    async ({ step }) => {
      if (step === stuck) await new Promise(() => undefined);
      done.push(step);
      return `${step} is done`;
    },
    { name: "work", description: "Does a step", schema: z.object({ step: z.string() }) },
  );
  return { work, done };
}

/** A process: its agent, and the steps that its tools did. A step that is stuck never ends. */
function processOn(checkpointer: MemorySaver, stuck?: string) {
  const { work, done } = workTool(stuck);
  const tool_calls = STEPS.map((step) => ({
    id: `call-${step}`,
    name: "work",
    args: { step },
    type: "tool_call" as const,
  }));
  const answer = (messages: readonly BaseMessage[]) =>
    messages.some(({ type }) => type === "tool")
      ? new AIMessage({ id: "m2", content: "All done." })
      : new AIMessage({ id: "m1", content: "Three steps.", tool_calls });
  const model = fakeModel().respond(answer).respond(answer);
  return { done, agent: graphAgent(createAgent({ model, tools: [work], checkpointer })) };
}

/** The events of a run. With `results` it is cut after so many results. */
async function eventsOf(
  { agent }: ReturnType<typeof processOn>,
  run: AgentRun,
  results?: number,
): Promise<GraphEvent[]> {
  const cut = new AbortController();
  const events: GraphEvent[] = [];
  try {
    for await (const event of agent({ ...run, signal: cut.signal })) {
      events.push(event);
      if (events.filter(({ type }) => type === "TOOL_CALL_RESULT").length === results) cut.abort();
    }
  } catch (error) {
    if (!cut.signal.aborted) throw error;
  }
  return events;
}

async function setUp() {
  const thread = await openSample();
  const checkpointer = new MemorySaver();
  const run = (messages: readonly Message[], continues?: string): AgentRun => {
    const input = { threadId: thread.threadId, runId: "r1", messages: [...messages], tools: [], context: [] };
    const how = continues === undefined ? {} : { continues };
    return { input, thread, actor: ada, signal: new AbortController().signal, ...how };
  };
  return { checkpointer, run };
}

/** Of a process that is killed once the model's answer is stored, and before its step is. */
class CutSaver extends MemorySaver {
  isCut = false;

  override async put(...given: Parameters<MemorySaver["put"]>): ReturnType<MemorySaver["put"]> {
    const [config, { id }] = given;
    return this.isCut ? { configurable: { ...config.configurable, checkpoint_id: id } } : super.put(...given);
  }

  override async putWrites(...given: Parameters<MemorySaver["putWrites"]>): Promise<void> {
    if (this.isCut) return;
    await super.putWrites(...given);
    const [, writes] = given;
    this.isCut = writes.some(([channel]) => channel === "messages");
  }
}

/** The ids of results are drawn, and results of parallel calls come in any order. */
function comparable(messages: readonly Message[]) {
  return messages
    .map((message) => (message.role === "tool" ? { ...message, id: "" } : message))
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

describe("a run that goes on", () => {
  it("does what was not done, and ends in the conversation of an undisturbed run", async () => {
    const { checkpointer, run } = await setUp();
    const first = run([QUESTION]);
    const undisturbed = await clientOf(first, await eventsOf(processOn(new MemorySaver()), first));
    const before = processOn(checkpointer, "c");
    const stopped = await clientOf(first, await eventsOf(before, first, 2));
    expect(before.done.toSorted()).toEqual(["a", "b"]);
    const after = processOn(checkpointer);
    const next = run(stopped, "r1");
    const messages = await clientOf(next, await eventsOf(after, next));
    expect(after.done).toEqual(["c"]);
    expect(comparable(messages)).toEqual(comparable(undisturbed));
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  });

  it("goes on where a step's result was stored and the step was not", async () => {
    const { run } = await setUp();
    const checkpointer = new CutSaver();
    const first = run([QUESTION]);
    const undisturbed = await clientOf(first, await eventsOf(processOn(new MemorySaver()), first));
    const stopped = await clientOf(first, await eventsOf(processOn(checkpointer, "c"), first, 2));
    expect(checkpointer.isCut).toBe(true);
    checkpointer.isCut = false;
    const after = processOn(checkpointer);
    const next = run(stopped, "r1");
    const messages = await clientOf(next, await eventsOf(after, next));
    // What came after that step is not stored.
    expect(after.done.toSorted()).toEqual(STEPS);
    expect(comparable(messages)).toEqual(comparable(undisturbed));
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  });

  it("gives the page what the graph did after the last event that the page had", async () => {
    const { checkpointer, run } = await setUp();
    const first = run([QUESTION]);
    const whole = await clientOf(first, await eventsOf(processOn(checkpointer), first));
    const after = processOn(checkpointer);
    // What was half written is written anew, under another id.
    const next = run([QUESTION, { id: "m0", role: "assistant", content: "Thr" }], "r1");
    const events = await eventsOf(after, next);
    expect(events.map(({ type }) => type)).toEqual(["MESSAGES_SNAPSHOT"]);
    expect(await clientOf(next, events)).toEqual(whole);
    expect(after.done).toEqual([]);
  });

  it("shows what a subgraph did in its place, and not after what it does next", async () => {
    const { run } = await setUp();
    /** A team of one agent, which works in two steps. */
    const teamOn = (checkpointer: MemorySaver, stuck?: string) => {
      const { work, done } = workTool(stuck);
      const answer = (messages: readonly BaseMessage[]) => {
        const step = STEPS[messages.filter(({ type }) => type === "tool").length];
        if (step === undefined) return new AIMessage({ id: "m-end", content: "All done." });
        const tool_calls = [{ id: `call-${step}`, name: "work", args: { step }, type: "tool_call" as const }];
        return new AIMessage({ id: `m-${step}`, content: `Now ${step}.`, tool_calls });
      };
      const model = fakeModel().respond(answer).respond(answer).respond(answer).respond(answer);
      const graph = new StateGraph(new StateSchema({ messages: MessagesValue }))
        .addNode("worker", createAgent({ model, tools: [work] }).graph)
        .addEdge(START, "worker")
        .compile({ checkpointer });
      return { done, agent: graphAgent(graph) };
    };
    const first = run([QUESTION]);
    const undisturbed = await clientOf(first, await eventsOf(teamOn(new MemorySaver()), first));
    const checkpointer = new MemorySaver();
    const stopped = await clientOf(first, await eventsOf(teamOn(checkpointer, "c"), first, 2));
    const after = teamOn(checkpointer);
    const next = run(stopped, "r1");
    const messages = await clientOf(next, await eventsOf(after, next));
    expect(after.done.at(-1)).toBe("c");
    expect(after.done).not.toContain("a");
    const inOrder = (list: readonly Message[]) =>
      list.map((message) => (message.role === "tool" ? `result ${message.toolCallId}` : message.id));
    expect(inOrder(messages)).toEqual(inOrder(undisturbed));
  });

  it("does not show what `visible` hides", async () => {
    const { checkpointer, run } = await setUp();
    let stuck = true;
    const graph = new StateGraph(new StateSchema({ messages: MessagesValue }))
      .addNode("secret", () => ({ messages: [new AIMessage({ id: "m1", content: "Not for the user." })] }))
      .addNode("open", () => ({ messages: [new AIMessage({ id: "m2", content: "For the user." })] }))
      .addNode("last", async () => {
        if (stuck) await new Promise(() => undefined);
        return { messages: [new AIMessage({ id: "m3", content: "All done." })] };
      })
      .addEdge(START, "secret")
      .addEdge("secret", "open")
      .addEdge("open", "last")
      .compile({ checkpointer });
    const visible = (_message: BaseMessage, { langgraph_node: node }: Readonly<Record<string, unknown>>) =>
      node !== "secret";
    const agent = graphAgent(graph, { visible });
    const first = run([QUESTION]);
    for await (const { type } of agent(first)) if (type === "TEXT_MESSAGE_END") break;
    stuck = false;
    // The page has nothing of it.
    const next = run([QUESTION], "r1");
    const messages = await clientOf(next, await eventsOf({ done: [], agent }, next));
    expect(messages.map(({ id }) => id)).toEqual(["u1", "m2", "m3"]);
  });

  it("answers the page's result of a call that the graph has not got yet", async () => {
    const { checkpointer, run } = await setUp();
    const tool_calls = [{ id: "t1", name: "askThePage", args: {}, type: "tool_call" as const }];
    const graph = new StateGraph(new StateSchema({ messages: MessagesValue }))
      .addNode("model", ({ messages }) => ({
        messages: messages.some(({ type }) => type === "tool")
          ? new AIMessage({ id: "m2", content: "All done." })
          : new AIMessage({ id: "m1", content: "", tool_calls }),
      }))
      .addEdge(START, "model")
      .compile({ checkpointer });
    const process = { done: [], agent: graphAgent(graph) };
    const first = run([QUESTION]);
    const asked = await clientOf(first, await eventsOf(process, first));
    const next = run([...asked, { id: "p1", role: "tool", toolCallId: "t1", content: "Yes" }], "r1");
    const messages = await clientOf(next, await eventsOf(process, next));
    expect(messages.map(({ id }) => id)).toEqual(["u1", "m1", "p1", "m2"]);
  });

  it("answers the request anew when there is no checkpoint of it", async () => {
    const { checkpointer, run } = await setUp();
    const after = processOn(checkpointer);
    const next = run([QUESTION], "r1");
    const messages = await clientOf(next, await eventsOf(after, next));
    expect(after.done.toSorted()).toEqual(STEPS);
    expect(messages.at(-1)).toMatchObject({ content: "All done." });
  });
});
