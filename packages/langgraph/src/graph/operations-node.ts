// The node of a hand-built graph that carries out an AI message's operations, one after the other,
// and answers each with its verdict.
//
// Invariants: each call is folded over what the calls before it left, by the reducer of the field
// itself; a call that has its answer is not carried out again; with a `snapshotField` one call has
// one effect however often the node runs.

import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { Command } from "@langchain/langgraph";
import type { Actor, AnyDefinition, StateOf } from "@opstate/core";
import { diff } from "@opstate/core/json-patch";
import { toolsOf } from "@opstate/core/tools";
import { changed } from "../fields/changed.ts";
import { fold, isFieldSnapshot, type FieldSnapshot } from "../fields/snapshot-field.ts";
import { resolveActor, type ActorSource } from "../thread/thread-source.ts";
import { OperationTool } from "../tools/operation-tool.ts";
import type { FieldCall } from "../tools/event.ts";
import { answer } from "../tools/fill-in-verdicts.ts";
import { submissionOf } from "../tools/submission-id.ts";
import type { Writer } from "../tools/stream-verdict.ts";
import type { VerdictSummary } from "../tools/verdict-text.ts";

export interface OperationsNodeOptions<Field extends string> {
  /**
   * The graph's field: a `stateField`, a `snapshotField`, or any channel whose reducer is the
   * definition's.
   */
  readonly field: Field;
  /** Who calls: with whose permission. Default: `{ kind: "agent", id: "agent" }`. */
  readonly actor?: ActorSource;
  /** What stands before the tools' names, as in `operationTools`. */
  readonly prefix?: string;
  /** Further tools of the definition that the node carries out, such as a `replacementTool`. */
  readonly tools?: readonly OperationTool[];
}

/** What the node reads of the graph's state. */
export type OperationsNodeState<D extends AnyDefinition, Field extends string> = {
  readonly [K in Field]: StateOf<D> | FieldSnapshot<StateOf<D>> | null | undefined;
} & { readonly messages: readonly BaseMessage[] };

/**
 * A node for a graph of your own, after the node that calls the model: it folds the operations
 * among the last AI message's tool calls in order, writes them to the field, and answers each with
 * a tool message: its true verdict. Calls of other tools are left to other nodes. No other node may
 * write to the field in the same step.
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
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 * const add = { name: "add", args: { by: 2 } };
 * const model = fakeModel().respondWithTools([add, add]).bindTools(operationTools(counter, { field: "counter" }));
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
 * result.messages.slice(2).map(({ text }) => text.split(":", 1)[0]); // ["Accepted", "Refused (invalid_state)"]
 * ```
 */
export function operationsNode<D extends AnyDefinition, const Field extends string>(
  definition: D,
  options: OperationsNodeOptions<Field>,
): (state: OperationsNodeState<D, Field>, config: RunnableConfig & { readonly writer?: Writer }) => Command {
  const { field, prefix = "" } = options;
  const updates = updatesByTool(definition, prefix, options.tools ?? []);
  return (state, config) => {
    const writes: [string, unknown][] = [];
    const answers: ToolMessage[] = [];
    const actor = resolveActor(options.actor, config);
    let current: unknown = state[field];
    for (const { scope, call } of openCalls(state.messages)) {
      const update = updates.get(call.name)?.(call.args);
      if (update === undefined) continue;
      const id = submissionOf(scope, call.id);
      const step = carryOut(definition, current, { id, update, actor });
      tellStep(config.writer, { field, operation: update, actor, id, toolCallId: call.id }, current, step);
      current = step.state;
      if (step.write !== undefined) writes.push([field, step.write]);
      answers.push(
        answer(definition, step.told, call, { tool_call_id: call.id, name: call.name }, [
          ...state.messages,
          ...answers,
        ]),
      );
    }
    return new Command({ update: [...writes, ["messages", answers]] });
  };
}

type UpdateOfArgs = (args: unknown) => { readonly type: string };

/** Every operation is answered, one that the actor may not use too: it is told so. */
function updatesByTool(
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

/** The last AI message's calls that no tool message after it answers. */
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
  /** What the field holds then. */
  readonly state: unknown;
  readonly told: VerdictSummary | undefined;
  /** What goes to the field, if anything does. */
  readonly write?: unknown;
}

/**
 * Tells a call's verdict at once, in the middle of the superstep; what the field knows already is
 * not told again.
 */
function tellStep(writer: Writer, call: FieldCall, before: unknown, { state, told }: Step): void {
  if (writer === undefined || told === undefined || (isFieldSnapshot(before) && state === before)) return;
  const about = { ...call, ...(told.version === undefined ? {} : { version: told.version }) };
  if (!told.accepted) writer({ type: "opstate.field.rejection", ...about, rejection: told.rejection });
  else if (told.changed !== undefined)
    writer({ type: "opstate.field.change", ...about, patches: diff(stateIn(before), stateIn(state)) });
}

function stateIn(current: unknown): unknown {
  return isFieldSnapshot(current) ? current.state : (current ?? null);
}

function carryOut(
  definition: AnyDefinition,
  current: unknown,
  { id, update, actor }: { readonly id: string; readonly update: unknown; readonly actor: Actor },
): Step {
  if (isFieldSnapshot(current)) {
    const write = { type: "$submission", id, operation: update, actor };
    const state = fold(definition, current, write);
    return { state, told: state.outcomes[id], write };
  }
  const transition = definition.transition(current ?? null, update, { actor });
  if (!transition.accepted) return { state: current, told: { accepted: false, rejection: transition.rejection } };
  const { state, patches } = transition;
  if (patches.length === 0) return { state, told: { accepted: true } };
  return { state, told: { accepted: true, changed: changed(patches) }, write: update };
}
