// The node of a hand-built graph that corrects tool messages after subgraphs.

import type { ToolMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { AnyDefinition } from "@opstate/core";
import { isFieldSnapshot } from "../fields/snapshot-field.ts";
import { fillInVerdicts } from "../tools/fill-in-verdicts.ts";
import { streamRewritten } from "../tools/stream-rewritten.ts";
import type { OperationsNodeState } from "./operations-node.ts";

export interface VerdictsNodeOptions<Field extends string> {
  /** The graph's `snapshotField`. */
  readonly field: Field;
}

/**
 * A node for a graph of your own, after subgraphs that ran in parallel and before the node that
 * calls the model. Each subgraph's tool messages have the verdicts of its own field. The parent's
 * field folds the subgraphs one after the other: a version may be another one there, and a call may
 * be refused. This node rewrites such messages, under their ids, to what the parent's field
 * recorded. In `createAgent`, `opstateMiddleware(definition, { field })` does this.
 *
 * @example
 * ```ts
 * import { MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
 * import { defineState } from "@opstate/core";
 * import { operationsNode, snapshotField, verdictsNode } from "@opstate/langgraph";
 * import { AIMessage } from "langchain";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int().max(2) }),
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
 * const State = new StateSchema({ messages: MessagesValue, counter: snapshotField(counter) });
 * const callAdd = (by: number) =>
 *   new AIMessage({ content: "", tool_calls: [{ id: `add-${by}`, name: "add", args: { by } }] });
 * const adds = (by: number) =>
 *   new StateGraph(State)
 *     .addNode("model", () => ({ messages: [callAdd(by)] }))
 *     .addNode("operations", operationsNode(counter, { field: "counter" }))
 *     .addEdge(START, "model")
 *     .addEdge("model", "operations")
 *     .compile();
 *
 * const graph = new StateGraph(State)
 *   .addNode("one", adds(1))
 *   .addNode("two", adds(2))
 *   .addNode("verdicts", verdictsNode(counter, { field: "counter" }))
 *   .addEdge(START, "one")
 *   .addEdge(START, "two")
 *   .addEdge(["one", "two"], "verdicts")
 *   .compile();
 *
 * const result = await graph.invoke({ messages: "Add" });
 * result.counter.state; // { count: 1 }
 * const answers = result.messages.filter(({ type }) => type === "tool");
 * answers.map(({ text }) => text.split(":", 1)[0]); // ["Accepted", "Refused (invalid_state)"]
 * ```
 */
export function verdictsNode<D extends AnyDefinition, const Field extends string>(
  definition: D,
  { field }: VerdictsNodeOptions<Field>,
): (state: OperationsNodeState<D, Field>, config?: RunnableConfig) => { readonly messages: ToolMessage[] } {
  return (state, config) => {
    const snapshot: unknown = state[field];
    if (!isFieldSnapshot(snapshot)) return { messages: [] };
    const messages = fillInVerdicts({ definition, name: definition.name, field }, snapshot, state.messages);
    if (config !== undefined) streamRewritten(messages, config);
    return { messages };
  };
}
