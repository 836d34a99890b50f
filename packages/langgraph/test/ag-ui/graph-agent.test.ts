import { defined } from "@opstate/core";
import type { Message, RunAgentInput } from "@ag-ui/core";
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { operationTools, opstateMiddleware, threadOfRun } from "@opstate/langgraph";
import { graphAgent, type AgentRun, type GraphEvent, type RunnableGraph } from "@opstate/langgraph/ag-ui";
import { AIMessage, createAgent, fakeModel, tool, ToolMessage, type BaseMessage, type ToolRuntime } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada, board, layout, openSample, sample } from "../support/board.ts";
import { clientOf } from "../support/official-client.ts";
import { conversation } from "../support/shown.ts";
import { piece, StreamingModel, type Chunk } from "../support/streaming-model.ts";
import { call, say } from "../support/talk.ts";
import { firstWords, Team } from "../support/teams.ts";

type OpenThread = Awaited<ReturnType<typeof openSample>>;

let runs = 0;

function runOn(thread: OpenThread, messages: Message[], more: Partial<RunAgentInput> = {}): AgentRun {
  const input = { threadId: thread.threadId, runId: `run-${++runs}`, messages, tools: [], context: [], ...more };
  return { input, thread, actor: ada, signal: new AbortController().signal };
}

const hello: Message = { id: "u1", role: "user", content: "go" };

async function collect(events: AsyncIterable<GraphEvent>): Promise<GraphEvent[]> {
  const all: GraphEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** `TYPE id` of each event, deltas joined. */
function outline(events: readonly GraphEvent[]): string[] {
  return events.map((event) =>
    [
      event.type,
      "toolCallId" in event ? event.toolCallId : "messageId" in event ? event.messageId : "",
      "delta" in event ? event.delta : "",
    ]
      .join(" ")
      .trim(),
  );
}

function boardAgent(model: StreamingModel | ReturnType<typeof fakeModel>, checkpointer?: MemorySaver) {
  const thread = threadOfRun(board);
  return createAgent({
    model,
    tools: operationTools(board, { thread }),
    middleware: [opstateMiddleware(board, { thread })],
    ...defined({ checkpointer }),
  });
}

const twoCalls: readonly Chunk[] = [
  { id: "m1", content: "I " },
  { id: "m1", content: "will." },
  piece(0, '{"cardId":', { id: "c1", name: "remove" }),
  piece(0, '"T-1"}'),
  piece(1, '{"cardId":"T-1"', { id: "c2", name: "remove" }),
  piece(1, "}"),
];

describe("graphAgent", () => {
  it("streams text and parallel calls as they arrive, and each result once, for an official client", async () => {
    const thread = await openSample();
    const run = runOn(thread, [hello]);
    const events = await collect(
      graphAgent(
        boardAgent(
          new StreamingModel([
            twoCalls,
            [
              { id: "m2", content: "Do" },
              { id: "m2", content: "ne." },
            ],
          ]),
        ),
      )(run),
    );
    expect(outline(events)).toEqual([
      "TEXT_MESSAGE_START m1",
      "TEXT_MESSAGE_CONTENT m1 I",
      "TEXT_MESSAGE_CONTENT m1 will.",
      "TEXT_MESSAGE_END m1",
      "TOOL_CALL_START c1",
      'TOOL_CALL_ARGS c1 {"cardId":',
      'TOOL_CALL_ARGS c1 "T-1"}',
      "TOOL_CALL_START c2",
      'TOOL_CALL_ARGS c2 {"cardId":"T-1"',
      "TOOL_CALL_ARGS c2 }",
      "TOOL_CALL_END c1",
      "TOOL_CALL_END c2",
      "TOOL_CALL_RESULT c1",
      "TOOL_CALL_RESULT c2",
      "TEXT_MESSAGE_START m2",
      "TEXT_MESSAGE_CONTENT m2 Do",
      "TEXT_MESSAGE_CONTENT m2 ne.",
      "TEXT_MESSAGE_END m2",
    ]);
    const messages = await clientOf(run, events);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "assistant"]);
    expect(messages[1]).toMatchObject({
      id: "m1",
      content: "I will.",
      toolCalls: [{ id: "c1", function: { name: "remove", arguments: '{"cardId":"T-1"}' } }, { id: "c2" }],
    });
    expect(messages.slice(2, 4).map(({ content }) => JSON.stringify(content).split(/[" :]/)[1])).toEqual([
      "Accepted",
      "Refused",
    ]);
  });

  it("sends the same for a model that does not stream", async () => {
    const thread = await openSample();
    const run = runOn(thread, [hello]);
    const model = fakeModel()
      .respond(
        new AIMessage({
          id: "m1",
          content: "I will.",
          tool_calls: [{ type: "tool_call", id: "c1", name: "remove", args: { cardId: "T-1" } }],
        }),
      )
      .respond(new AIMessage({ id: "m2", content: "Done." }));
    const events = await collect(graphAgent(boardAgent(model))(run));
    expect(outline(events)).toEqual([
      "TEXT_MESSAGE_START m1",
      "TEXT_MESSAGE_CONTENT m1 I will.",
      "TEXT_MESSAGE_END m1",
      "TOOL_CALL_START c1",
      'TOOL_CALL_ARGS c1 {"cardId":"T-1"}',
      "TOOL_CALL_END c1",
      "TOOL_CALL_RESULT c1",
      "TEXT_MESSAGE_START m2",
      "TEXT_MESSAGE_CONTENT m2 Done.",
      "TEXT_MESSAGE_END m2",
    ]);
    await clientOf(run, events);
  });

  it.each(["alone", "as a node"])("sends the verdict of a field's call as its one result, %s", async (place) => {
    const model = fakeModel()
      .respond(call(["rename", { cardId: "T-1", title: "x" }, "c1"], ["rename", { cardId: "T-9", title: "x" }, "c2"]))
      .respond(say("done"));
    const agent = createAgent({
      model,
      tools: operationTools(board, { field: "board" }),
      middleware: [opstateMiddleware(board, { field: "board" })],
    });
    const graph =
      place === "alone"
        ? agent
        : new StateGraph(Team)
            .addNode("agent", agent.graph as never)
            .addEdge(START, "agent")
            .compile();
    const input = (_run: AgentRun, messages: readonly BaseMessage[]) => ({ messages, board: sample });
    const run = runOn(await openSample(), [hello]);
    const events = await collect(graphAgent(graph as RunnableGraph, { input })(run));
    const results = events.flatMap((event) =>
      event.type === "TOOL_CALL_RESULT"
        ? [`${event.toolCallId} ${firstWords({ text: JSON.stringify(event.content).slice(1) })}`]
        : [],
    );
    expect(results).toEqual(["c1 Accepted", "c2 Refused (card_not_found)"]);
    await clientOf(run, events);
  });

  it("submits as the agent and with the run's id, not as the actor of the request", async () => {
    const thread = await openSample();
    const run = runOn(thread, [hello]);
    await collect(
      graphAgent(boardAgent(new StreamingModel([twoCalls, [{ id: "m2", content: "Done." }]])), {
        actor: { kind: "agent", id: "tidy" },
      })(run),
    );
    const [commit] = await thread.history({ after: 1 });
    expect(commit).toMatchObject({
      commit: { actor: { kind: "agent", id: "tidy" }, runId: run.input.runId, toolCallId: "c1", id: "m1/c1" },
    });
    expect(layout(thread.getState())).toEqual({ todo: ["T-2", "T-3"], done: [] });
  });

  it("gives a graph with a checkpointer only the new messages, with the ids of the client", async () => {
    const thread = await openSample();
    const agent = boardAgent(
      new StreamingModel([twoCalls, [{ content: "Done." }], [{ content: "Hi." }]]),
      new MemorySaver(),
    );
    const first = runOn(thread, [hello]);
    const history = await clientOf(first, await collect(graphAgent(agent)(first)));
    const cutOff: Message = { id: "cut", role: "assistant", content: "half a" };
    const second = runOn(thread, [...history, cutOff, { id: "u2", role: "user", content: "again" }]);
    const events = await collect(graphAgent(agent)(second));
    expect(outline(events).map((line) => line.replace(/ run-\S+/, ""))).toEqual([
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT Hi.",
      "TEXT_MESSAGE_END",
    ]);
    const { values } = await agent.graph.getState({ configurable: { thread_id: thread.threadId } });
    const stored: { id: string; type: string }[] = values["messages"];
    expect(stored.map(({ type }) => type)).toEqual(["human", "ai", "tool", "tool", "ai", "human", "ai"]);
    expect(stored.slice(0, 5).map(({ id }) => id)).toEqual(history.map(({ id }) => id));
  });

  it("gives a graph without a checkpointer the whole conversation, including tool calls and results", async () => {
    const thread = await openSample();
    const model = new StreamingModel([[{ id: "m9", content: "Yes." }]]);
    const messages: Message[] = [
      hello,
      {
        id: "m1",
        role: "assistant",
        toolCalls: [{ id: "c1", type: "function", function: { name: "remove", arguments: '{"cardId":"T-1"}' } }],
      },
      { id: "r1", role: "tool", toolCallId: "c1", content: "Accepted" },
      { id: "x", role: "reasoning", content: "hm" },
      {
        id: "u2",
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image", source: { type: "data", value: "AAAA", mimeType: "image/png" } },
        ],
      },
    ];
    await collect(graphAgent(boardAgent(model))(runOn(thread, messages)));
    const given = conversation(model.calls[0] ?? []).slice(1);
    expect(given.map(({ type }) => type)).toEqual(["human", "ai", "tool", "human"]);
    expect(given[1]).toMatchObject({ tool_calls: [{ id: "c1", name: "remove", args: { cardId: "T-1" } }] });
    expect(given[3]?.contentBlocks).toMatchObject([
      { type: "text", text: "see" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ]);
  });

  describe("after a restart without the graph's memory", () => {
    /** Two tabs' earlier conversations about one thread, each with a call that was answered. */
    const tab = (name: string): Message[] => [
      { id: `${name}1`, role: "user", content: `${name}: clear Done` },
      {
        id: `${name}2`,
        role: "assistant",
        toolCalls: [
          { id: `${name}-call`, type: "function", function: { name: "remove", arguments: '{"cardId":"T-1"}' } },
        ],
      },
      { id: `${name}3`, role: "tool", toolCallId: `${name}-call`, content: "Accepted" },
      { id: `${name}4`, role: "assistant", content: "Done is clear." },
      { id: `${name}5`, role: "user", content: `${name}: what changed?` },
    ];
    const given = (model: StreamingModel, nth: number) =>
      conversation(model.calls[nth] ?? []).flatMap(({ id, type }) => (type === "system" ? [] : [id]));
    const answers = () => new StreamingModel(["m1", "m2"].map((id) => [{ id, content: "Nothing." }]));

    it("a second tab adds its question only to a history that both share", async () => {
      const thread = await openSample();
      const model = answers();
      const agent = graphAgent(boardAgent(model, new MemorySaver()));
      await collect(agent(runOn(thread, tab("a"))));
      await collect(agent(runOn(thread, tab("b"))));
      expect(given(model, 0)).toEqual(["a1", "a2", "a3", "a4", "a5"]);
      expect(given(model, 1)).toEqual(["a1", "a2", "a3", "a4", "a5", "m1", "b5"]);
    });

    it("a tab that names its conversation continues that one, whole and alone", async () => {
      const thread = await openSample();
      const model = new StreamingModel(["m1", "m2", "m3", "m4"].map((id) => [{ id, content: "Nothing." }]));
      const agent = graphAgent(boardAgent(model, new MemorySaver()));
      const more = (conversationId: string) => ({ forwardedProps: { conversationId } });
      await collect(agent(runOn(thread, tab("a"), more("a"))));
      await collect(agent(runOn(thread, tab("b"), more("b"))));
      const next: Message[] = [
        ...tab("a"),
        { id: "m1", role: "assistant", content: "Nothing." },
        { id: "a6", role: "user", content: "?" },
      ];
      await collect(agent(runOn(thread, next, more("a"))));
      expect(given(model, 1)).toEqual(["b1", "b2", "b3", "b4", "b5"]);
      expect(given(model, 2)).toEqual(["a1", "a2", "a3", "a4", "a5", "m1", "a6"]);
      const mallory = { ...runOn(thread, [hello], more("a")), actor: { kind: "user", id: "mallory" } };
      await collect(agent(mallory));
      expect(given(model, 3)).toEqual(["u1"]);
    });

    it("results without an open call are left out, and a question in between closes the call", async () => {
      const thread = await openSample();
      const model = answers();
      const orphans: Message[] = [
        { id: "o1", role: "tool", toolCallId: "never-called", content: "x" },
        ...tab("a").slice(0, 2),
        { id: "u", role: "user", content: "hm" },
        ...tab("a").slice(2),
      ];
      await collect(graphAgent(boardAgent(model, new MemorySaver()))(runOn(thread, orphans)));
      expect(given(model, 0)).toEqual(["a1", "a2", "a2/a-call/stopped", "u", "a4", "a5"]);
    });
  });

  it("sends what nodes write by hand, and what tools return as commands, once", async () => {
    const thread = await openSample();
    const command = tool(
      (_args, config) =>
        new Command({
          update: { messages: [new ToolMessage({ tool_call_id: config.toolCall?.id ?? "", content: "by command" })] },
        }),
      { name: "command", description: "Command", schema: z.object({}) },
    );
    const inner = createAgent({
      model: fakeModel()
        .respond(call(["command", {}, "c1"]))
        .respond(say("Inner.")),
      tools: [command],
    });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("inner", inner.graph)
      .addNode("outer", () => ({
        messages: [
          new AIMessage({
            id: "hand",
            content: "By hand.",
            tool_calls: [{ type: "tool_call", id: "h1", name: "x", args: {} }],
          }),
          new ToolMessage({ id: "hr", tool_call_id: "h1", content: "r" }),
        ],
      }))
      .addEdge(START, "inner")
      .addEdge("inner", "outer")
      .addEdge("outer", END)
      .compile();
    const run = runOn(thread, [hello]);
    const events = await collect(graphAgent(graph)(run));
    const lines = outline(events).map((line) => line.replace(/ ai-\d+/, ""));
    // LangGraph 1.4 streams the result of an inner command only when the subgraph ends.
    const result = lines.indexOf("TOOL_CALL_RESULT c1");
    expect(result).toBeGreaterThan(lines.indexOf("TOOL_CALL_END c1"));
    expect(lines.toSpliced(result, 1)).toEqual([
      "TOOL_CALL_START c1",
      "TOOL_CALL_ARGS c1 {}",
      "TOOL_CALL_END c1",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT Inner.",
      "TEXT_MESSAGE_END",
      "TEXT_MESSAGE_START hand",
      "TEXT_MESSAGE_CONTENT hand By hand.",
      "TEXT_MESSAGE_END hand",
      "TOOL_CALL_START h1",
      "TOOL_CALL_ARGS h1 {}",
      "TOOL_CALL_END h1",
      "TOOL_CALL_RESULT h1",
    ]);
    await clientOf(run, events);
  });

  it("sends what a model in a subgraph says while the subgraph runs", async () => {
    const thread = await openSample();
    let isDone = false;
    const inner = new StateGraph(MessagesAnnotation)
      .addNode("agent", createAgent({ model: new StreamingModel([[{ id: "m1", content: "Well" }]]), tools: [] }).graph)
      .addNode("last", () => ((isDone = true), {}))
      .addEdge(START, "agent")
      .addEdge("agent", "last")
      .compile();
    const graph = new StateGraph(MessagesAnnotation).addNode("inner", inner).addEdge(START, "inner").compile();
    const before: GraphEvent[] = [];
    for await (const event of graphAgent(graph)(runOn(thread, [hello]))) if (!isDone) before.push(event);
    expect(outline(before)).toContain("TEXT_MESSAGE_CONTENT m1 Well");
  });

  it("puts one question for an interrupt in a subgraph", async () => {
    const thread = await openSample();
    const inner = new StateGraph(MessagesAnnotation)
      .addNode("ask", () => ({ messages: [new AIMessage({ id: "m1", content: String(interrupt("Sure?")) })] }))
      .addEdge(START, "ask")
      .compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("inner", inner)
      .addEdge(START, "inner")
      .compile({ checkpointer: new MemorySaver() });
    const [end, ...more] = await collect(graphAgent(graph)(runOn(thread, [hello])));
    expect(more).toEqual([]);
    const outcome = end?.type === "RUN_FINISHED" ? end.outcome : undefined;
    expect(outcome?.type === "interrupt" && outcome.interrupts.map(({ message }) => message)).toEqual(["Sure?"]);
  });

  it("hides the output of models inside tools, unless `visible` shows it", async () => {
    const thread = await openSample();
    const agents = () => {
      const helper = createAgent({ model: fakeModel().respond(say("secret")), tools: [] });
      const ask = tool(async () => (await helper.invoke({ messages: "?" })).messages.at(-1)?.text, {
        name: "ask",
        description: "Ask",
        schema: z.object({}),
      });
      return createAgent({
        model: fakeModel()
          .respond(call(["ask", {}, "c1"]))
          .respond(say("Done.")),
        tools: [ask],
      });
    };
    const quiet = await collect(graphAgent(agents())(runOn(thread, [hello])));
    expect(quiet.flatMap((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? [event.delta] : []))).toEqual(["Done."]);
    const loud = await collect(graphAgent(agents(), { visible: () => true })(runOn(thread, [hello])));
    expect(loud.flatMap((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? [event.delta] : []))).toEqual([
      "secret",
      "Done.",
    ]);
  });

  it("passes on what nodes write to the custom stream, but not the commits that the server streams itself", async () => {
    const thread = await openSample();
    const note = tool((_args, runtime: ToolRuntime) => (runtime.writer?.({ type: "progress", percent: 50 }), "ok"), {
      name: "note",
      description: "Note",
      schema: z.object({}),
    });
    const agent = createAgent({
      model: fakeModel()
        .respond(call(["note", {}], ["remove", { cardId: "T-1" }]))
        .respond(say("ok")),
      tools: [note, ...operationTools(board, { thread: threadOfRun(board) })],
    });
    const events = await collect(graphAgent(agent)(runOn(thread, [hello])));
    expect(events.filter(({ type }) => type === "CUSTOM")).toEqual([
      { type: "CUSTOM", name: "progress", value: { type: "progress", percent: 50 } },
    ]);
    expect(thread.version).toBe(2);
  });

  it("throws what fails, after the text that was streamed before", async () => {
    const thread = await openSample();
    const agent = graphAgent(
      boardAgent(new StreamingModel([[{ id: "m1", content: "Well" }, new Error("overloaded")]])),
    );
    const seen: GraphEvent[] = [];
    await expect(
      (async () => {
        for await (const event of agent(runOn(thread, [hello]))) seen.push(event);
      })(),
    ).rejects.toThrow("overloaded");
    expect(outline(seen)).toEqual(["TEXT_MESSAGE_START m1", "TEXT_MESSAGE_CONTENT m1 Well"]);
  });

  it("stops the graph when its reader leaves, and when the run is aborted", async () => {
    const thread = await openSample();
    const aborted: boolean[] = [];
    const wait = tool(
      (_args, { signal, writer }: ToolRuntime) => {
        writer?.({ type: "waiting" });
        return new Promise<string>((resolve) =>
          signal?.addEventListener("abort", () => resolve(String(aborted.push(true)))),
        );
      },
      { name: "wait", description: "Wait", schema: z.object({}) },
    );
    const model = () =>
      new StreamingModel([[{ id: `m${runs}`, content: "Wait." }, piece(0, "{}", { id: "c1", name: "wait" })]]);
    for await (const event of graphAgent(createAgent({ model: model(), tools: [wait] }))(runOn(thread, [hello])))
      if (event.type === "CUSTOM") break;
    expect(aborted).toEqual([true]);
    const aborter = new AbortController();
    const events = graphAgent(createAgent({ model: model(), tools: [wait] }))({
      ...runOn(thread, [hello]),
      signal: aborter.signal,
    });
    await expect(
      (async () => {
        for await (const event of events) if (event.type === "CUSTOM") aborter.abort();
      })(),
    ).rejects.toThrow(/abort/i);
    expect(aborted).toEqual([true, true]);
  });

  it("distinguishes calls when a provider counts their ids from 0 in every message", async () => {
    const thread = await openSample();
    const turn = (id: string, cardId: string): readonly Chunk[] => [
      { id, content: "" },
      piece(0, JSON.stringify({ cardId }), { id: "call_0", name: "remove" }),
    ];
    const agent = boardAgent(
      new StreamingModel([
        turn("m1", "T-1"),
        turn("m2", "T-9"),
        [{ id: "m3", content: "Done." }],
        turn("m4", "T-2"),
        [{ id: "m5", content: "Done." }],
      ]),
      new MemorySaver(),
    );
    const first = runOn(thread, [hello]);
    const history = await clientOf(first, await collect(graphAgent(agent)(first)));
    const second = runOn(thread, [...history, { id: "u2", role: "user", content: "more" }]);
    const messages = await clientOf(second, await collect(graphAgent(agent)(second)));
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect(
      messages.flatMap((message) =>
        message.role === "tool" ? [[message.toolCallId, JSON.stringify(message.content).split(/[" :]/)[1]]] : [],
      ),
    ).toEqual([
      ["call_0", "Accepted"],
      ["m2/call_0", "Refused"],
      ["m4/call_0", "Accepted"],
    ]);
    expect(layout(thread.getState())).toEqual({ todo: ["T-3"], done: [] });
  });

  it("answers the calls that a stopped run left open, for the model and for the client", async () => {
    const thread = await openSample();
    const wait = tool(
      (_args, { writer }: ToolRuntime) => (writer?.({ type: "waiting" }), new Promise<string>(() => {})),
      {
        name: "wait",
        description: "Wait",
        schema: z.object({}),
      },
    );
    const model = new StreamingModel([
      [{ id: "m1", content: "" }, piece(0, "{}", { id: "c1", name: "wait" })],
      [{ id: "m2", content: "Go on." }],
    ]);
    const agent = createAgent({ model, tools: [wait], checkpointer: new MemorySaver() });
    for await (const event of graphAgent(agent)(runOn(thread, [hello]))) if (event.type === "CUSTOM") break;
    const sent: Message[] = [
      hello,
      {
        id: "m1",
        role: "assistant",
        toolCalls: [{ id: "c1", type: "function", function: { name: "wait", arguments: "{}" } }],
      },
      { id: "u2", role: "user", content: "and?" },
    ];
    const second = runOn(thread, sent);
    const events = await collect(graphAgent(agent)(second));
    expect(outline(events)).toEqual([
      "TOOL_CALL_RESULT c1",
      "TEXT_MESSAGE_START m2",
      "TEXT_MESSAGE_CONTENT m2 Go on.",
      "TEXT_MESSAGE_END m2",
    ]);
    expect(model.calls[1]?.map(({ type }) => type)).toEqual(["human", "ai", "tool", "human"]);
    expect((await clientOf(second, events)).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
      "assistant",
    ]);
  });

  it("ends a run with the graph's interrupts, and resumes it with the answers", async () => {
    const thread = await openSample();
    const ask = tool(() => `You said ${JSON.stringify(interrupt({ message: "Sure?" }))}`, {
      name: "ask",
      description: "Ask",
      schema: z.object({}),
    });
    const agent: RunnableGraph = createAgent({
      model: fakeModel()
        .respond(call(["ask", {}, "c1"]))
        .respond(say("Fine.")),
      tools: [ask],
      checkpointer: new MemorySaver(),
    });
    const first = runOn(thread, [hello]);
    const events = await collect(graphAgent(agent)(first));
    const last = events.at(-1);
    if (last?.type !== "RUN_FINISHED" || last.outcome?.type !== "interrupt") throw new Error("no interrupt");
    expect(last.outcome.interrupts).toMatchObject([
      { message: "Sure?", reason: "input_required", metadata: { value: { message: "Sure?" } } },
    ]);
    const history = await clientOf(first, events);
    const resume = last.outcome.interrupts.map(({ id }) => ({
      interruptId: id,
      status: "resolved" as const,
      payload: { yes: true },
    }));
    const second = runOn(thread, [...history], { resume });
    const rest = await collect(graphAgent(agent)(second));
    expect(
      rest.flatMap((event) =>
        event.type === "TOOL_CALL_RESULT"
          ? [event.content]
          : event.type === "TEXT_MESSAGE_CONTENT"
            ? [event.delta]
            : [],
      ),
    ).toEqual(['You said {"yes":true}', "Fine."]);
    await clientOf(second, rest);
  });
});
