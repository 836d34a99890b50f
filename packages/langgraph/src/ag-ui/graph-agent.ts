// A compiled graph, or a LangChain agent, as an agent of an AG-UI server.

import { EventType } from "@ag-ui/core";
import { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import { shortId } from "@opstate/agent";
import { type Actor, defined } from "@opstate/core";
import type { OpstateRun } from "../thread/thread-source.ts";
import type { AgentRun, GraphEvent } from "./agent-run.ts";
import { conversationAt, isOfRun } from "./continued-run.ts";
import { newInput } from "./input-messages.ts";
import { type GraphInterrupt, interruptedEnd, interruptsIn, resumeInput } from "./interrupts.ts";
import { createMessageEvents } from "./message-events.ts";
import { fieldsOf, messagesIn, type RunnableGraph, storedIn, writersIn } from "./stored-state.ts";

export interface GraphAgentOptions {
  /**
   * The actor that the agent is in the thread, which is not the actor who requested the run.
   * Default: `{ kind: "agent", id: "agent" }`.
   */
  readonly actor?: Actor;
  /** The graph's input; default `{ messages }`. `messages` are those that are new to the graph. */
  readonly input?: (run: AgentRun, messages: readonly BaseMessage[]) => object;
  /**
   * Further members of `config.configurable`, beside `thread_id` (the conversation) and `opstate`.
   */
  readonly configurable?: (run: AgentRun) => Readonly<Record<string, unknown>>;
  /**
   * Supersteps of the graph in one run, at most: each node, of a middleware too, is one. Default:
   * what the graph's own `withConfig` says, or 1,000. LangGraph's 25 end an agent with middleware
   * at its sixth tool call.
   */
  readonly recursionLimit?: number;
  /**
   * Whether the user sees a message, by LangGraph's metadata (`langgraph_node`, ...). Default: all
   * messages except those of models inside of tools.
   */
  readonly visible?: (message: BaseMessage, metadata: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * Adapts a graph to `createServer`'s `agents`.
 *
 * - Text and tool calls are streamed as they are made, and tool results as each tool ends.
 * - `threadOfRun(definition)` finds the run's thread.
 * - With a checkpointer the graph is given the new messages only; without one, all messages.
 * - All users of a thread share the graph's history of it. A client that wants a conversation of
 *   its own sends a text as `forwardedProps.conversationId` with each run. Only that user reads it;
 *   the thread stays shared.
 * - An operation that needs approval becomes an AG-UI interrupt with the id of its proposal.
 *   The server carries the answer out in the thread and lists it in the run's `decisions`. The
 *   graph then continues with what it finds in the thread.
 * - Served as `continuable`, it goes on from its last checkpoint with a run that a stop of the
 *   server cut. The checkpointer must outlive the process for it. Without a checkpoint of that run
 *   the request is run anew.
 * - An error in the graph is thrown. The server turns it into RUN_ERROR.
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
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 * const model = fakeModel().respond(new AIMessage({ id: "m1", content: "Hello" }));
 * const tools = operationTools(counter, { thread: threadOfRun(counter) });
 * const agent = graphAgent(createAgent({ model, tools }));
 *
 * // @opstate/server calls it like this, when it is one of the `agents` of `createServer`:
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });
 * const messages = [{ id: "u1", role: "user" as const, content: "Hi" }];
 * const input = { threadId: "demo", runId: "r1", messages, tools: [], context: [] };
 * const types = [];
 * const actor = { kind: "user", id: "ada" };
 * const signal = AbortSignal.timeout(5000);
 * for await (const { type } of agent({ input, thread, actor, signal })) types.push(type);
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
    recursionLimit = ownLimit(graph) ?? RECURSION_LIMIT,
    visible = isVisible,
  } = options;

  return async function* run(agentRun) {
    const { input, thread, signal } = agentRun;
    const readerLeft = new AbortController();
    const opstate: OpstateRun = { thread, actor, runId: input.runId, requester: agentRun.actor };
    const configurable = { ...options.configurable?.(agentRun), thread_id: conversationOf(agentRun), opstate };
    const state = await storedIn(graph, { configurable }, agentRun.continues !== undefined);
    const { messages: stored, waiting, next } = state;
    const goesOn = agentRun.continues !== undefined && isOfRun(input.messages, state);
    const known = goesOn ? state.all : stored;
    const writers = goesOn && options.visible ? await writersIn(graph, { configurable }, state) : undefined;
    const isShown = (message: BaseMessage): boolean =>
      writers === undefined || visible(message, defined({ langgraph_node: writers.get(message.id) }));
    const sent = goesOn ? conversationAt(input.messages, known, isShown) : input.messages;
    if (goesOn) yield { type: EventType.MESSAGES_SNAPSHOT, messages: sent };
    // It had ended, and only its last events were lost.
    if (goesOn && next.length === 0) return;
    const added = newInput(sent, stored);
    const events = createMessageEvents(
      [...known, ...sent].flatMap(({ id }) => id ?? []),
      [...known, ...added.messages]
        .flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []))
        .flatMap(({ id }) => id ?? []),
    );
    const interrupts: GraphInterrupt[] = [];
    const decisions = agentRun.decisions ?? [];
    const resumed = goesOn ? null : resumeInput(input, waiting, decisions);
    if (resumed === undefined && decisions.length > 0 && !awaitsAnswer(input)) return;
    if (resumed === undefined) for (const answer of added.answers) yield* events.final(answer);
    const stream = await graph.stream(resumed === undefined ? inputOf(agentRun, added.messages) : resumed, {
      streamMode: ["messages", "updates", "custom"],
      // Without it, LangGraph 1.7 leaves out what models in subgraphs say.
      subgraphs: true,
      signal: AbortSignal.any([signal, readerLeft.signal]),
      recursionLimit,
      configurable,
    });
    try {
      for await (const chunk of stream) {
        const { namespace, mode, payload } = chunkOf(chunk);
        if (mode === "messages") {
          const [message, metadata] = pair(payload);
          if (BaseMessage.isInstance(message) && visible(message, fieldsOf(metadata))) yield* events.message(message);
        } else if (mode === "updates" && namespace.length === 0) {
          interrupts.push(...interruptsIn(fieldsOf(payload)["__interrupt__"]));
          for (const [node, update] of Object.entries(fieldsOf(payload))) {
            for (const message of messagesIn(update))
              if (visible(message, { langgraph_node: node })) yield* events.final(message);
          }
        } else if (mode === "custom") yield* customEvents(payload);
      }
      yield* events.end();
      if (interrupts.length > 0) yield await interruptedEnd(interrupts, thread, input);
    } finally {
      // A reader that stopped reading does not wait for the graph.
      readerLeft.abort();
    }
  };
}

/** Unless something else is said: many tool calls, and no run without an end. */
const RECURSION_LIMIT = 1_000;

function ownLimit({ graph, config = graph?.config }: RunnableGraph): number | undefined {
  return typeof config?.recursionLimit === "number" ? config.recursionLimit : undefined;
}

/**
 * Whether the last message is a user's or a tool's. After a run that only decided proposals the
 * graph has nothing to answer.
 */
function awaitsAnswer({ messages }: AgentRun["input"]): boolean {
  return ["user", "tool"].includes(messages.at(-1)?.role ?? "");
}

/**
 * The id of the graph's history. The actor is a part of it, so that no actor can read the
 * conversation of another one by sending its id.
 */
function conversationOf({ input: { threadId, forwardedProps }, actor }: AgentRun): string {
  const { conversationId } = fieldsOf(forwardedProps);
  if (typeof conversationId !== "string" || conversationId === "") return threadId;
  return `${threadId}/${shortId(JSON.stringify([actor.kind, actor.id, conversationId]))}`;
}

/**
 * Hides what a model inside of a tool says to the tool. Results of the tools themselves are
 * visible.
 */
function isVisible(message: BaseMessage, metadata: Readonly<Record<string, unknown>>): boolean {
  const { langgraph_checkpoint_ns: namespace, langgraph_node: node } = metadata;
  const path = typeof namespace === "string" ? namespace.split("|").map((task) => task.split(":")[0]) : [node];
  return !(ToolMessage.isInstance(message) ? path.slice(0, -1) : path).includes("tools");
}

/**
 * What nodes and tools write to the custom stream, except commits and rejections: the server
 * streams those from the thread itself.
 */
function* customEvents(payload: unknown): Generator<GraphEvent, void> {
  const { type } = fieldsOf(payload);
  const name = typeof type === "string" ? type : "custom";
  if (!name.startsWith("opstate.")) yield { type: EventType.CUSTOM, name, value: payload };
}

/** A chunk of several modes with subgraphs. `namespace` is empty for the outermost graph. */
function chunkOf(chunk: unknown): { namespace: readonly unknown[]; mode: unknown; payload: unknown } {
  const [namespace, mode, payload]: readonly unknown[] = Array.isArray(chunk) ? chunk : [];
  return { namespace: Array.isArray(namespace) ? namespace : [], mode, payload };
}

function pair(value: unknown): readonly [unknown, unknown] {
  return Array.isArray(value) ? [value[0], value[1]] : [undefined, undefined];
}
