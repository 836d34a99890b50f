// Graphs of graphs: agents and hand-built graphs whose own field decides, as parts of a team.

import { MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import {
  operationsNode,
  operationTools,
  opstateMiddleware,
  snapshotField,
  type FieldSnapshot,
} from "@opstate/langgraph";
import { createAgent, fakeModel, ToolMessage, type BaseMessage } from "langchain";
import { board, type Board } from "./board.ts";
import { call, say, type Call } from "./talk.ts";

export const Team = new StateSchema({ messages: MessagesValue, board: snapshotField(board) });
export type Field = FieldSnapshot<Board | null>;

/** Whatever runs a team. `createAgent`'s graphs and `StateGraph`s have unlike types. */
export interface Runnable {
  invoke(input: unknown, config?: object): Promise<typeof Team.State>;
}

/** An agent whose own field decides, and that makes the calls of each step in parallel. */
export function worker(...steps: readonly (readonly Call[])[]): Runnable {
  const model = fakeModel();
  for (const step of steps) model.respond(call(...step));
  model.respond(say("done"));
  const { graph } = createAgent({
    model,
    tools: operationTools(board, { field: "board" }),
    middleware: [opstateMiddleware(board, { field: "board", maxRefusals: false })],
  });
  return graph;
}

/** A graph of its own: in each step a model's message, and `operationsNode`. */
export function handBuilt(...steps: readonly (readonly Call[])[]): Runnable {
  const rest = steps.map((step) => call(...step));
  const graph = new StateGraph(Team)
    .addNode("model", () => ({ messages: rest.splice(0, 1) }))
    .addNode("operations", operationsNode(board, { field: "board" }))
    .addEdge(START, "model")
    .addEdge("model", "operations")
    .addConditionalEdges("operations", () => (rest.length > 0 ? "model" : "__end__"));
  return graph.compile();
}

/** The same graph, `depth` graphs deep. */
export function nested(graph: Runnable, depth: number): Runnable {
  let result = graph;
  for (let level = 0; level < depth; level++)
    result = new StateGraph(Team)
      .addNode("inner", result as never)
      .addEdge(START, "inner")
      .compile() as never;
  return result;
}

/** Stages one after the other; the nodes of a stage run at once. Then `last`. */
export function staged(stages: readonly (readonly unknown[])[], last: unknown): Runnable {
  const graph = new StateGraph(Team) as unknown as {
    addNode(name: string, node: unknown): void;
    addEdge(from: string | readonly string[], to: string): void;
    compile(): Runnable;
  };
  let before: readonly string[] = [START];
  for (const [at, stage] of [...stages, [last]].entries()) {
    // Names in the order of their tasks.
    const names = stage.map((_, index) => `s${at}-${String(index).padStart(4, "0")}`);
    stage.forEach((node, index) => {
      graph.addNode(names[index]!, node);
      graph.addEdge(before.length === 1 ? before[0]! : before, names[index]!);
    });
    before = names;
  }
  return graph.compile();
}

/** The first words of each tool message. */
export function told(messages: readonly BaseMessage[]): string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map(firstWords);
}

export function firstWords({ text }: { readonly text: string }): string {
  return text.split(/[:\n]/, 1)[0] ?? "";
}

/** What the field says of each call: its outcomes, in the order in which they were folded. */
export function recorded({ outcomes }: Field): string[] {
  return Object.values(outcomes).map((outcome) =>
    outcome.accepted ? "Accepted" : `Refused (${outcome.rejection.reason ?? outcome.rejection.code})`,
  );
}

/** The first words of each tool message, by its call. */
export function toldCalls(messages: readonly BaseMessage[]): Record<string, string> {
  return Object.fromEntries(
    messages
      .filter((message) => ToolMessage.isInstance(message))
      .map((message) => [message.tool_call_id, firstWords(message)]),
  );
}
