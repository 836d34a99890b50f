// The ways in which an agent's tool calls change the state: a thread, the graph's field, the node
// of a hand-built graph.

import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import {
  END,
  MemorySaver,
  MessagesValue,
  START,
  StateGraph,
  StateSchema,
  type BaseCheckpointSaver,
} from "@langchain/langgraph";
import { toolsCondition } from "@langchain/langgraph/prebuilt";
import {
  offeredTools,
  operationsNode,
  operationTools,
  opstateMiddleware,
  snapshotField,
  stateField,
} from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel, ToolMessage as ToolMessageClass } from "langchain";
import { agent as agentActor, board, openSample, sample, type Board } from "./board.ts";

type Model = ReturnType<typeof fakeModel>;
type Offered = (readonly string[])[];

interface Conversation {
  /** One run on the form's thread; gives the messages and the state after it. */
  say(text: string): Promise<{ readonly messages: BaseMessage[]; readonly state: Board | null }>;
  /** The tools that each model call was offered. */
  readonly offered: Offered;
}

type Form = (model: Model, options?: { readonly checkpointer?: BaseCheckpointSaver }) => Promise<Conversation>;

const config = { configurable: { thread_id: "t" } };
const actor = () => agentActor;

function watch(offered: Offered) {
  return createMiddleware({
    name: "watch",
    wrapModelCall(request, handler) {
      offered.push(request.tools.map((candidate) => String(candidate["name"])));
      return handler(request);
    },
  });
}

const thread: Form = async (model, { checkpointer = new MemorySaver() } = {}) => {
  const opened = await openSample();
  const offered: Offered = [];
  const agent = createAgent({
    model,
    tools: operationTools(board, { thread: opened, actor }),
    middleware: [
      opstateMiddleware(board, { thread: opened, actor, field: "board", maxRefusals: false }),
      watch(offered),
    ],
    checkpointer,
  });
  return {
    offered,
    async say(text) {
      const { messages, board: field } = await agent.invoke({ messages: text }, config);
      return { messages, state: field.state };
    },
  };
};

const field: Form = async (model, { checkpointer = new MemorySaver() } = {}) => {
  const offered: Offered = [];
  const agent = createAgent({
    model,
    tools: operationTools(board, { field: "board", actor }),
    middleware: [opstateMiddleware(board, { field: "board", actor, maxRefusals: false }), watch(offered)],
    checkpointer,
  });
  let isNew = true;
  return {
    offered,
    async say(text) {
      const start = isNew ? { board: sample } : {};
      isNew = false;
      const { messages, board: held } = await agent.invoke({ messages: text, ...start }, config);
      return { messages, state: held.state };
    },
  };
};

/** A graph of its own: a model node, and the operations' node. */
function handBuilt(kind: "stateField" | "snapshotField"): Form {
  return async (model, { checkpointer = new MemorySaver() } = {}) => {
    const offered: Offered = [];
    const tools = operationTools(board, { field: "board", actor });
    const State = new StateSchema({
      messages: MessagesValue,
      board: (kind === "stateField" ? stateField(board) : snapshotField(board)) as ReturnType<
        typeof stateField<typeof board>
      >,
    });
    const graph = new StateGraph(State)
      .addNode("model", async (state) => {
        const now = tools.filter(offeredTools(board, state.board, agentActor));
        offered.push(now.map(({ name }) => name));
        return { messages: [await model.bindTools(now).invoke(state.messages)] };
      })
      .addNode("operations", operationsNode(board, { field: "board", actor }))
      .addEdge(START, "model")
      .addConditionalEdges("model", toolsCondition, { tools: "operations", [END]: END })
      .addEdge("operations", "model")
      .compile({ checkpointer });
    let isNew = true;
    return {
      offered,
      async say(text) {
        const start = isNew ? { board: sample } : {};
        isNew = false;
        const { messages, board: held } = await graph.invoke({ messages: text, ...start }, config);
        const state: unknown = held;
        return { messages, state: kind === "stateField" ? held : (state as { state: Board }).state };
      },
    };
  };
}

export const forms: readonly (readonly [string, Form])[] = [
  ["a thread", thread],
  ["the graph's field", field],
  ["operationsNode and a snapshotField", handBuilt("snapshotField")],
  ["operationsNode and a stateField", handBuilt("stateField")],
];

export function results(messages: readonly unknown[]): ToolMessage[] {
  return messages.filter((message) => ToolMessageClass.isInstance(message));
}
