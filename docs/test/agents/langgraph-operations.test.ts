// "Give your LangGraph agent operations": its files as printed, with a model that plays a script in
// the place of a provider's. What the guide says that the model reads is compared, letter by
// letter, with what it read.

import { join } from "node:path";
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { StructuredTool } from "@langchain/core/tools";
import { MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { type AnyDefinition, memoryLog, openThread, type Thread } from "@opstate/core";
import { type ApprovalAnswer, type ApprovalRequest, operationTools } from "@opstate/langgraph";
import { AIMessage, createAgent, fakeModel } from "langchain";
import { describe, expect, it, vi } from "vitest";
import { guideFiles, writeGuide } from "../support/guide.ts";

const guide = "langgraph-operations";
const folder = writeGuide(guide);
const printed = guideFiles(guide);
const ada = { kind: "user", id: "ada" };

type Model = ReturnType<typeof fakeModel>;
interface Agent {
  invoke(input: unknown, config: object): Promise<{ messages: BaseMessage[] }>;
}
interface Answering {
  questions(agent: Agent, conversation: string): Promise<readonly { id: string; request: ApprovalRequest }[]>;
  answer(
    agent: Agent,
    conversation: string,
    user: string,
    id: string,
    what: ApprovalAnswer,
  ): ReturnType<Agent["invoke"]>;
}

const { board }: { board: AnyDefinition } = await import(join(folder, "board.ts"));
const { boardAgent }: { boardAgent: (model: Model, thread: Thread) => Agent } = await import(join(folder, "agent.ts"));
const { largeBoardAgent }: { largeBoardAgent: typeof boardAgent } = await import(join(folder, "large.ts"));
const { finishAll }: { finishAll: (thread: Thread) => StructuredTool } = await import(join(folder, "finish-all.ts"));
const { questions, answer }: Answering = await import(join(folder, "answer.ts"));

const move = (id: string, to = "done") => ({ name: "move", args: { id, to } });
const remove = (id: string) => ({ name: "remove", args: { id } });
const say = (text: string) => new AIMessage(text);
const chat = { configurable: { thread_id: "chat-1" } };

const openBoard = () => openThread({ definition: board, log: memoryLog(), threadId: "launch" });

/** What the model was answered, call by call. */
function verdicts({ messages }: { messages: readonly BaseMessage[] }): string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => `${text}\n`);
}

async function actors(thread: Thread): Promise<string[]> {
  const history = await thread.history();
  return history.flatMap((entry) =>
    entry.kind === "commit" ? [`${entry.commit.operation.type} by ${entry.commit.actor.kind}`] : [],
  );
}

describe("what the model reads", () => {
  it("is the verdict on each of two parallel calls", async () => {
    const thread = await openBoard();
    const model = fakeModel()
      .respondWithTools([move("T-1"), move("T-7")])
      .respond(say("T-1 is done. There is no T-7."));
    const result = await boardAgent(model, thread).invoke({ messages: "Finish T-1 and T-7" }, chat);
    expect(verdicts(result)).toEqual([printed["accepted.txt"], printed["refused.txt"]]);
    expect(thread.version).toBe(1);
    expect(model.calls[0]?.messages.at(-1)?.text).toContain(JSON.stringify(board.initial));
  });

  it("is what was done in the operation's own words, where it has some", async () => {
    const { told }: { told: AnyDefinition } = await import(join(folder, "told.ts"));
    const thread = await openThread({ definition: told, log: memoryLog(), threadId: "launch" });
    const [tool] = operationTools(told, { thread });
    const message = await tool?.invoke({ type: "tool_call", id: "c", ...move("T-1") });
    expect(`${message?.text}\n`).toBe(printed["told.txt"]);
    expect(await thread.digest({ since: 0, for: ada })).toContain(String.raw`"Move \"Write the docs\": todo -> done"`);
  });

  it("says so when the very same is refused again", async () => {
    const model = fakeModel()
      .respondWithTools([move("T-7")])
      .respondWithTools([move("T-7")])
      .respond(say("There is no T-7."));
    const [first, second] = verdicts(
      await boardAgent(model, await openBoard()).invoke({ messages: "Finish T-7" }, chat),
    );
    expect(second).toBe(`${first}${printed["again.txt"]}`);
  });

  it("ends with words when it does not listen", async () => {
    const model = fakeModel();
    for (let turn = 0; turn < 10; turn++) model.respondWithTools([move("T-7")]);
    const { messages } = await boardAgent(model, await openBoard()).invoke({ messages: "Finish T-7" }, chat);
    expect(`${messages.at(-1)?.text}\n`).toBe(printed["stopped.txt"]);
    expect(model.calls).toHaveLength(3);
  });

  it("is the place of a card that it is not shown", async () => {
    const cards = Array.from({ length: 10_000 }, (_, n) => ({ id: `T-${n + 1}`, title: `Card ${n}`, column: "todo" }));
    cards[7310]!.title = "Send the invoices";
    const thread = await openBoard();
    await thread.dispatch({ type: "$replace", value: { cards } }, { actor: { kind: "system", id: "test" } });
    const model = fakeModel()
      .respondWithTools([{ name: "board_find", args: { text: "invoices" } }])
      .respondWithTools([move("T-7311")])
      .respond(say("Done."));
    const [found, moved] = verdicts(await largeBoardAgent(model, thread).invoke({ messages: "Go" }, chat));
    expect(found).toBe(printed["found.txt"]);
    expect(moved).toContain('Changed: set /cards/7310/column = "done"');
  });

  it("is every verdict of a tool of one's own", async () => {
    const thread = await openBoard();
    const model = fakeModel()
      .respondWithTools([{ name: "finishAll", args: { ids: ["T-1", "T-7"] } }])
      .respond(say("Done."));
    const agent = createAgent({ model, tools: [finishAll(thread)] });
    const [text] = verdicts(await agent.invoke({ messages: "Go" }));
    expect(text).toBe(`${printed["accepted.txt"]}${printed["refused.txt"]}`);
  });

  it("refuses arguments that do not fit", async () => {
    const model = fakeModel()
      .respondWithTools([move("T-1", "somewhere")])
      .respond(say("There is no such column."));
    const thread = await openBoard();
    const [verdict] = verdicts(await boardAgent(model, thread).invoke({ messages: "Move T-1 somewhere" }, chat));
    expect(verdict).toMatch(/^Refused \(invalid_operation\)/);
    expect(thread.version).toBe(0);
  });

  it("has what a person did between two of its calls", async () => {
    const thread = await openBoard();
    const model = fakeModel()
      .respondWithTools([move("T-1")])
      .respondWithTools([move("T-1", "doing")])
      .respond(say("Both are seen to."));
    const { dispatch, submit } = thread;
    vi.spyOn(thread, "submit").mockImplementationOnce(async (...given) => {
      const verdict = await submit(...given);
      await dispatch({ type: "move", id: "T-2", to: "done" }, { actor: ada });
      return verdict;
    });
    await boardAgent(model, thread).invoke({ messages: "Finish T-1" }, chat);
    const briefings = model.calls.map(({ messages }) => messages.at(-1)?.text ?? "");
    expect(briefings.filter((text) => text.includes(printed["news.txt"]?.trimEnd() ?? "nothing printed"))).toHaveLength(
      1,
    );
  });
});

describe("a question to a person", () => {
  async function asked(config: object, ...calls: { name: string; args: Record<string, unknown> }[]) {
    const thread = await openBoard();
    const model = fakeModel().respondWithTools(calls).respond(say("Done."));
    const agent = boardAgent(model, thread);
    await agent.invoke({ messages: "Go" }, { configurable: { thread_id: "chat-1", ...config } });
    return { thread, agent, open: await questions(agent, "chat-1") };
  }

  it("stops for what needs approval, and goes on after an approval", async () => {
    const { thread, agent, open } = await asked({}, remove("T-2"));
    expect(open.map(({ request }) => request.operation)).toEqual([{ type: "remove", id: "T-2" }]);
    expect(open[0]?.request.patches).toEqual([{ op: "remove", path: "/cards/1" }]);
    const done = verdicts(await answer(agent, "chat-1", "ada", open[0]?.id ?? "", { type: "accept" })).at(-1);
    expect(done).toBe(printed["approved.txt"]);
    expect(await actors(thread)).toEqual(["$propose by agent", "$approve by user"]);
  });

  it("reports that it was declined, and why", async () => {
    const { thread, agent, open } = await asked({}, remove("T-2"));
    const told = verdicts(
      await answer(agent, "chat-1", "ada", open[0]?.id ?? "", { type: "decline", message: "Keep it" }),
    ).at(-1);
    expect(told).toContain("Keep it");
    expect(thread.getState()).toMatchObject({ cards: [{ id: "T-1" }, { id: "T-2" }] });
  });

  it("accepts LangChain's answers, and puts the question again after one that it cannot read", async () => {
    const { thread, agent, open } = await asked({}, remove("T-2"));
    await answer(agent, "chat-1", "ada", open[0]?.id ?? "", "hm" as never);
    const [again] = await questions(agent, "chat-1");
    expect(again?.request.problem).toContain('it was "hm"');
    expect(again?.request.actionRequests[0]?.name).toBe("remove");
    await answer(agent, "chat-1", "ada", again?.id ?? "", { decisions: [{ type: "approve" }] } as never);
    expect(thread.getState()).toMatchObject({ cards: [{ id: "T-1" }] });
  });

  it("shows the model that its proposal waits, when the user writes something else", async () => {
    const thread = await openBoard();
    const model = fakeModel()
      .respondWithTools([remove("T-2")])
      .respond(say("It waits."));
    const agent = boardAgent(model, thread);
    await agent.invoke({ messages: "Go" }, chat);
    await agent.invoke({ messages: "Never mind" }, chat);
    const results = model.calls[1]?.messages.filter((message) => ToolMessage.isInstance(message));
    expect(results?.map(({ text }) => text.split(" ", 2).join(" "))).toEqual(["Proposed as"]);
  });

  it("accepts no answer without a person", async () => {
    const { thread, agent, open } = await asked({}, remove("T-2"));
    await answer(agent, "chat-1", "", open[0]?.id ?? "", { type: "accept" });
    expect(await thread.proposals()).toHaveLength(1);
    expect(thread.getState()).toMatchObject({ cards: [{ id: "T-1" }, { id: "T-2" }] });
  });

  it("goes on with what was decided in the thread", async () => {
    const { thread, agent, open } = await asked({}, remove("T-2"));
    await thread.approve(open[0]?.request.proposal ?? "", { actor: ada });
    const told = verdicts(await answer(agent, "chat-1", "eve", open[0]?.id ?? "", { type: "decline" })).at(-1);
    expect(told).toContain('Approved by user "ada".');
    expect(thread.getState()).toMatchObject({ cards: [{ id: "T-1" }] });
  });

  it("requests approval for every call of a run that says so, and of no other", async () => {
    const { thread, open } = await asked({ askFirst: true }, move("T-1"), move("T-2"));
    expect(open).toHaveLength(2);
    expect(thread.getState()).toEqual(board.initial);
    expect((await asked({}, move("T-2"))).open).toEqual([]);
  });
});

describe("in a ToolNode", () => {
  it("operations act, are refused, and are proposed where they need approval", async () => {
    const thread = await openBoard();
    const model = fakeModel()
      .respondWithTools([move("T-1"), move("T-7"), remove("T-2")])
      .respond(say("T-1 is done, T-2 waits."));
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode("tools", new ToolNode(operationTools(board, { thread, approval: "propose" })))
      .addEdge(START, "model")
      .addConditionalEdges("model", toolsCondition)
      .addEdge("tools", "model")
      .compile();
    const result = await graph.invoke({ messages: "Go" });
    expect(verdicts(result).map((text) => text.split(/[ :]/, 1)[0])).toEqual(["Accepted", "Refused", "Proposed"]);
    const [proposal] = await thread.proposals();
    await thread.approve(proposal?.id ?? "", { actor: ada });
    expect(thread.getState()).toEqual({ cards: [{ id: "T-1", title: "Write the docs", column: "done" }] });
  });
});
