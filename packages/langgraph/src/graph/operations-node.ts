// The node of a hand-built graph that carries out an AI message's operations, one after the other,
// and answers each with its verdict.
//
// Invariants:
// - Each call is folded over the result of the calls before it, by the reducer of the field itself.
// - A call that has its answer is not carried out again.
// - With a `snapshotField` one call has one effect, however often the node runs.

import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { Command } from "@langchain/langgraph";
import { describeChanges, describeCreated, sameIdRejection, submissionOf, type VerdictSummary } from "@opstate/agent";
import { defined, type Actor, type AnyDefinition, type AnyOperation, type StateOf } from "@opstate/core";
import { diff } from "@opstate/core/json-patch";
import { toolsOf } from "@opstate/core/tools";
import { fold, isFieldSnapshot, type FieldSnapshot } from "../fields/snapshot-field.ts";
import { resolveActor, type ActorSource } from "../thread/thread-source.ts";
import { OperationTool } from "../tools/operation-tool.ts";
import type { FieldCall } from "../tools/streamed-verdict.ts";
import { verdictMessage } from "../tools/fill-in-verdicts.ts";
import { isSecondOfId } from "../tools/same-id.ts";
import type { Writer } from "../tools/stream-verdict.ts";

export interface OperationsNodeOptions<Field extends string> {
  /**
   * The graph's field: a `stateField`, a `snapshotField`, or a channel with `definition.reduce`.
   */
  readonly field: Field;
  /** Whose permission the calls have. Default: `{ kind: "agent", id: "agent" }`. */
  readonly actor?: ActorSource;
  /** The prefix of the tools' names, as in `operationTools`. */
  readonly prefix?: string;
  /** Further tools of the definition that the node carries out, such as a `replacementTool`. */
  readonly tools?: readonly OperationTool[];
}

/** The part of the graph's state that the node reads. */
export type OperationsNodeState<D extends AnyDefinition, Field extends string> = {
  readonly [K in Field]: StateOf<D> | FieldSnapshot<StateOf<D>> | null | undefined;
} & { readonly messages: readonly BaseMessage[] };

/**
 * A node for a graph of your own, after the node that calls the model. It folds the operations
 * among the last AI message's tool calls in order, writes them to the field, and answers each with
 * a tool message that has its true verdict. It leaves calls of other tools to other nodes. No other
 * node may write to the field in the same step.
 *
 * @example
 * ```ts
 * import { MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
 * import { defineState } from "@opstate/core";
 * import { operationsNode, operationTools, stateField } from "@opstate/langgraph";
 * import { fakeModel } from "langchain";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int().max(3) }),
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
 * const add = { name: "add", args: { by: 2 } };
 * const tools = operationTools(counter, { field: "counter" });
 * const model = fakeModel().respondWithTools([add, add]).bindTools(tools);
 *
 * const State = new StateSchema({ messages: MessagesValue, counter: stateField(counter) });
 * const graph = new StateGraph(State)
 *   .addNode("model", async (state) => ({ messages: [await model.invoke(state.messages)] }))
 *   .addNode("operations", operationsNode(counter, { field: "counter" }))
 *   .addEdge(START, "model")
 *   .addEdge("model", "operations")
 *   .compile();
 *
 * const result = await graph.invoke({ messages: "Add two, twice" });
 * result.counter; // { count: 2 }
 * const verdicts = result.messages.slice(2).map(({ text }) => text.split(":", 1)[0]);
 * verdicts; // ["Accepted", "Refused (invalid_state)"]
 * ```
 */
export function operationsNode<D extends AnyDefinition, const Field extends string>(
  definition: D,
  options: OperationsNodeOptions<Field>,
): (state: OperationsNodeState<D, Field>, config: RunnableConfig & { readonly writer?: Writer }) => Command {
  const { field, prefix = "" } = options;
  const updates = updateByTool(definition, prefix, options.tools ?? []);
  return (state, config) => {
    const writes: [string, unknown][] = [];
    const answers: ToolMessage[] = [];
    const actor = resolveActor(options.actor, config);
    let current: unknown = state[field];
    for (const { scope, call } of openCalls(state.messages)) {
      const update = updates.get(call.name)?.(call.args);
      if (update === undefined) continue;
      const id = submissionOf(scope, call.id);
      // A field with outcomes would take it for the first call of that id.
      const isSecond = isFieldSnapshot(current) && isSecondOfId(state.messages, call);
      const step: Step = isSecond
        ? { state: current, verdict: { accepted: false, rejection: sameIdRejection({ type: update.type }, call.id) } }
        : runOperation(definition, current, { id, update, actor });
      streamStep(config.writer, { field, operation: update, actor, id, toolCallId: call.id }, current, step);
      current = step.state;
      if (step.write !== undefined) writes.push([field, step.write]);
      answers.push(
        verdictMessage(definition, step.verdict, call, { tool_call_id: call.id, name: call.name }, [
          ...state.messages,
          ...answers,
        ]),
      );
    }
    return new Command({ update: [...writes, ["messages", answers]] });
  };
}

type UpdateOfArgs = (args: unknown) => AnyOperation;

/** All operations. A call of one that the actor may not use is answered, too, with a refusal. */
function updateByTool(
  definition: AnyDefinition,
  prefix: string,
  tools: readonly OperationTool[],
): ReadonlyMap<string, UpdateOfArgs> {
  const operations = toolsOf(definition).map(({ name }): [string, UpdateOfArgs] => [
    `${prefix}${name}`,
    (args) => ({ ...(typeof args === "object" ? args : {}), type: name }),
  ]);
  return new Map([...operations, ...tools.map((tool): [string, UpdateOfArgs] => [tool.name, tool.updateOf])]);
}

/** The calls of the last AI message that no later tool message answers. */
function openCalls(messages: readonly BaseMessage[]) {
  const index = messages.findLastIndex((message) => AIMessage.isInstance(message));
  const message = messages[index];
  if (!AIMessage.isInstance(message)) return [];
  const answered = new Set(
    messages.slice(index + 1).map((later) => (ToolMessage.isInstance(later) ? later.tool_call_id : undefined)),
  );
  return (message.tool_calls ?? []).flatMap(({ id, name, args }) =>
    id === undefined || answered.has(id) ? [] : [{ scope: message.id ?? "", call: { id, name, args } }],
  );
}

interface Step {
  /** What the field holds after the call. */
  readonly state: unknown;
  readonly verdict: VerdictSummary | undefined;
  /** What is written to the field, if anything is. */
  readonly write?: unknown;
}

/**
 * Streams a call's verdict at once, in the middle of the superstep. A verdict that the field had
 * recorded before is not streamed again.
 */
function streamStep(writer: Writer, call: FieldCall, before: unknown, { state, verdict }: Step): void {
  if (writer === undefined || verdict === undefined || (isFieldSnapshot(before) && state === before)) return;
  const event = { ...call, ...defined({ version: verdict.version }) };
  if (!verdict.accepted) writer({ type: "opstate.field.rejection", ...event, rejection: verdict.rejection });
  else if (verdict.changed !== undefined)
    writer({ type: "opstate.field.change", ...event, patches: diff(stateIn(before), stateIn(state)) });
}

function stateIn(current: unknown): unknown {
  return isFieldSnapshot(current) ? current.state : (current ?? null);
}

function runOperation(
  definition: AnyDefinition,
  current: unknown,
  { id, update, actor }: { readonly id: string; readonly update: unknown; readonly actor: Actor },
): Step {
  if (isFieldSnapshot(current)) {
    const write = { type: "$submission", id, operation: update, actor };
    const state = fold(definition, current, write);
    return { state, verdict: state.outcomes[id], write };
  }
  // The field's own reducer has no id of the call: both make ids from the content.
  const transition = definition.transition(current ?? null, update, { actor });
  if (!transition.accepted) return { state: current, verdict: { accepted: false, rejection: transition.rejection } };
  const { state, patches, inverse } = transition;
  if (patches.length === 0) return { state, verdict: { accepted: true } };
  const created = describeCreated(patches, inverse);
  return {
    state,
    verdict: { accepted: true, changed: describeChanges(patches), ...defined({ created }) },
    write: update,
  };
}
