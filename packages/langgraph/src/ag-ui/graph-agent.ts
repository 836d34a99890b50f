// A compiled graph, or a LangChain agent, as an agent of an AG-UI server.

import { EventType } from "@ag-ui/core";
import { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Actor } from "@opstate/core";
import { shortId } from "../thread/short-id.ts";
import type { OpstateRun } from "../thread/thread-source.ts";
import type { AgentRun, GraphEvent } from "./agent-run.ts";
import { newInput } from "./input-messages.ts";
import { interruptedEnd, interruptsIn, resumeInput, type GraphInterrupt } from "./interrupts.ts";
import { createMessageEvents } from "./message-events.ts";

/** What `graphAgent` runs: a compiled `StateGraph`, or what `createAgent` gives. */
export interface RunnableGraph {
  stream(input: unknown, options?: object): Promise<AsyncIterable<unknown>>;
  getState?(config: object): Promise<unknown>;
  readonly checkpointer?: unknown;
  /** The compiled graph inside an agent of `createAgent`. */
  readonly graph?: { readonly checkpointer?: unknown };
}

export interface GraphAgentOptions {
  /**
   * Who the agent is towards the thread; default `{ kind: "agent", id: "agent" }`. Not who asked
   * for the run.
   */
  readonly actor?: Actor;
  /**
   * The graph's input; default `{ messages }`. `messages` are those that the graph does not know
   * yet.
   */
  readonly input?: (run: AgentRun, messages: readonly BaseMessage[]) => object;
  /** More for `config.configurable`, beside `thread_id` (the conversation) and `opstate`. */
  readonly configurable?: (run: AgentRun) => Readonly<Record<string, unknown>>;
  /**
   * Whether a message is for the user, by LangGraph's metadata (`langgraph_node`, ...); default:
   * all but what models inside of tools say.
   */
  readonly visible?: (message: BaseMessage, metadata: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * Adapts a graph to `createServer`'s `agents`: text and tool calls are streamed as they are made,
 * tool results as each tool ends. The run's thread is found by `threadOfRun(definition)`. With a
 * checkpointer the graph is given the new messages only, without one all. All who talk about a
 * thread share the graph's history of it, unless a client names its own conversation: a text at
 * `forwardedProps.conversationId` of each run. Such a conversation is its person's alone; the
 * thread stays everybody's. Operations that wait for a yes are asked about under their proposals'
 * ids; whoever serves the agent carries the answers out in the thread, and says so by the run's
 * `decisions`: the graph goes on with what it finds there. What fails in the graph is thrown; the
 * server turns it into RUN_ERROR.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { operationTools, threadOfRun } from "@opstate/langgraph";
 * import { graphAgent } from "@opstate/langgraph/ag-ui";
 * import { createAgent, fakeModel, AIMessage } from "langchain";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 * const model = fakeModel().respond(new AIMessage({ id: "m1", content: "Hello" }));
 * const agent = graphAgent(createAgent({ model, tools: operationTools(counter, { thread: threadOfRun(counter) }) }));
 *
 * // `createServer({ agents: { counter: { definition: "counter", run: agent } } })` of @opstate/server calls it like this:
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });
 * const messages = [{ id: "u1", role: "user" as const, content: "Hi" }];
 * const input = { threadId: "demo", runId: "r1", messages, tools: [], context: [] };
 * const types = [];
 * for await (const { type } of agent({ input, thread, actor: { kind: "user", id: "ada" }, signal: AbortSignal.timeout(5000) })) types.push(type);
 *
 * types; // ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"]
 * ```
 */
export function graphAgent(
  graph: RunnableGraph,
  options: GraphAgentOptions = {},
): (run: AgentRun) => AsyncGenerator<GraphEvent, void> {
  const {
    actor = { kind: "agent", id: "agent" },
    input: inputOf = (_run, messages) => ({ messages }),
    visible = isVisible,
  } = options;

  return async function* run(agentRun) {
    const { input, thread, signal } = agentRun;
    const left = new AbortController();
    const opstate: OpstateRun = { thread, actor, runId: input.runId, requester: agentRun.actor };
    const configurable = { ...options.configurable?.(agentRun), thread_id: conversationOf(agentRun), opstate };
    const { messages: stored, waiting } = await storedIn(graph, { configurable });
    const fresh = newInput(input.messages, stored);
    const events = createMessageEvents(
      [...stored, ...input.messages].flatMap(({ id }) => id ?? []),
      [...stored, ...fresh.messages]
        .flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
        .flatMap(({ id }) => id ?? []),
    );
    const questions: GraphInterrupt[] = [];
    const decisions = agentRun.decisions ?? [];
    const resumed = resumeInput(input, waiting, decisions);
    if (resumed === undefined && decisions.length > 0 && !awaitsAnswer(input)) return;
    if (resumed === undefined) for (const answer of fresh.answers) yield* events.final(answer);
    const stream = await graph.stream(resumed === undefined ? inputOf(agentRun, fresh.messages) : resumed, {
      streamMode: ["messages", "updates", "custom"],
      signal: AbortSignal.any([signal, left.signal]),
      configurable,
    });
    try {
      for await (const chunk of stream) {
        const [mode, payload] = pair(chunk);
        if (mode === "messages") {
          const [message, metadata] = pair(payload);
          if (BaseMessage.isInstance(message) && visible(message, fieldsOf(metadata))) yield* events.message(message);
        } else if (mode === "updates") {
          questions.push(...interruptsIn(fieldsOf(payload)["__interrupt__"]));
          for (const [node, update] of Object.entries(fieldsOf(payload))) {
            for (const message of messagesIn(update))
              if (visible(message, { langgraph_node: node })) yield* events.final(message);
          }
        } else if (mode === "custom") yield* customEvents(payload);
      }
      yield* events.end();
      if (questions.length > 0) yield await interruptedEnd(questions, thread, input);
    } finally {
      // Whoever stopped reading does not wait for the graph.
      left.abort();
    }
  };
}

/**
 * Whether a person or a tool had the last word: a run that only carried out decisions on proposals
 * leaves a graph nothing to say.
 */
function awaitsAnswer({ messages }: AgentRun["input"]): boolean {
  return ["user", "tool"].includes(messages.at(-1)?.role ?? "");
}

/**
 * What the graph keeps its history under. Who asks is a part of it: no one reads another's
 * conversation by naming it.
 */
function conversationOf({ input: { threadId, forwardedProps }, actor }: AgentRun): string {
  const { conversationId } = fieldsOf(forwardedProps);
  if (typeof conversationId !== "string" || conversationId === "") return threadId;
  return `${threadId}/${shortId(JSON.stringify([actor.kind, actor.id, conversationId]))}`;
}

/**
 * The messages in the graph's last checkpoint, and what it waits for; nothing without a
 * checkpointer.
 */
async function storedIn(
  graph: RunnableGraph,
  config: object,
): Promise<{ messages: BaseMessage[]; waiting: GraphInterrupt[] }> {
  if (!(graph.checkpointer ?? graph.graph?.checkpointer) || graph.getState === undefined)
    return { messages: [], waiting: [] };
  const { values, tasks } = fieldsOf(await graph.getState(config));
  const waiting = (Array.isArray(tasks) ? tasks : []).flatMap((task: unknown) =>
    interruptsIn(fieldsOf(task)["interrupts"]),
  );
  return { messages: messagesIn(values), waiting };
}

/** The messages among the fields of a state or an update. */
function messagesIn(value: unknown): BaseMessage[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  return Object.values(fieldsOf(value))
    .flat()
    .filter((item) => BaseMessage.isInstance(item));
}

/**
 * A model inside of a tool talks to the tool; the results of the tools themselves are for all to
 * see.
 */
function isVisible(message: BaseMessage, metadata: Readonly<Record<string, unknown>>): boolean {
  const { langgraph_checkpoint_ns: namespace, langgraph_node: node } = metadata;
  const path = typeof namespace === "string" ? namespace.split("|").map((task) => task.split(":")[0]) : [node];
  return !(ToolMessage.isInstance(message) ? path.slice(0, -1) : path).includes("tools");
}

/**
 * What nodes and tools write to the custom stream. Commits and rejections reach an AG-UI client
 * from the thread itself.
 */
function* customEvents(payload: unknown): Generator<GraphEvent, void> {
  const { type } = fieldsOf(payload);
  const name = typeof type === "string" ? type : "custom";
  if (!name.startsWith("opstate.")) yield { type: EventType.CUSTOM, name, value: payload };
}

function pair(value: unknown): readonly [unknown, unknown] {
  return Array.isArray(value) ? [value[0], value[1]] : [undefined, undefined];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
