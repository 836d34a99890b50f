// `agentStateSchema`: an agent state as LangGraph's `StateSchema`. Each field has a `FieldChannel`.

import type { BaseMessage, BaseMessageLike } from "@langchain/core/messages";
import { ReducedValue, StateSchema } from "@langchain/langgraph";
import { defineAgentState, type AgentState, type AgentStateOf, type Message } from "@opstate/core";
import type { AgentFields, AgentUpdate } from "@opstate/core/definition";
import { fieldReducer, reducedValue, type NamedField } from "./agent-field.ts";
import { FieldChannel } from "./field-channel.ts";
import { isOverwrite } from "./overwrite.ts";
import { isStorable } from "./accept-anything.ts";

/**
 * What a node reads in a field: the field's value; in a conversation LangChain's message classes.
 */
export type AgentValue<F extends AgentFields, K extends keyof F> = AgentStateOf<F>[K] extends Message[]
  ? BaseMessage[]
  : AgentStateOf<F>[K];

/** What a node may return for a field. */
export type AgentFieldUpdate<F extends AgentFields, K extends keyof F> =
  | AgentUpdate<F>[K]
  | (AgentStateOf<F>[K] extends Message[] ? BaseMessageLike | readonly BaseMessageLike[] : never)
  | null
  | undefined;

/** The fields of an `AgentStateSchema`, for `createAgent`, which takes fields one by one. */
export type AgentSchemaFields<F extends AgentFields> = {
  [K in keyof F]: ReducedValue<AgentValue<F, K>, AgentFieldUpdate<F, K>>;
};

/** A `StateSchema` whose channels are those of an agent state. */
export class AgentStateSchema<F extends AgentFields> extends StateSchema<AgentSchemaFields<F>> {
  readonly #reducers: ReadonlyMap<string, NamedField>;

  constructor(agentState: AgentState<F>) {
    const reducers = new Map(
      Object.entries(agentState.fields).map(([name, field]): [string, NamedField] => [
        name,
        fieldReducer(name, field, new Map(Object.entries(agentState.initial)).get(name)),
      ]),
    );
    // The record has the keys of `F`, and each value is made from the field of that name.
    super(
      Object.fromEntries(
        [...reducers].map(([name, field]) => [name, reducedValue(field)]),
      ) as unknown as AgentSchemaFields<F>,
    );
    this.#reducers = reducers;
  }

  override getChannels(): ReturnType<StateSchema<AgentSchemaFields<F>>["getChannels"]> {
    return Object.fromEntries([...this.#reducers].map(([name, field]) => [name, new FieldChannel(field)]));
  }

  /**
   * Lets every update through to the fields, which refuse what is wrong. Drops what no checkpoint
   * can store, and what would bypass the fields.
   */
  override validateInput<T>(data: T): Promise<T> {
    if (typeof data !== "object" || data === null) return Promise.resolve(data);
    const kept = Object.entries(data).map(([name, value]) => [
      name,
      this.#letsThrough(name, value) ? value : undefined,
    ]);
    return Promise.resolve(Object.fromEntries(kept));
  }

  #letsThrough(name: string, value: unknown): boolean {
    return !this.#reducers.has(name) || (isStorable(value) && !isOverwrite(value));
  }
}

/**
 * The `StateSchema` of an agent state (`defineAgentState`), or of fields, which may be declared in
 * JSON or YAML (`fieldsFromDeclaration`). Nodes read the fields' values and return partial updates,
 * with types. A field that refuses an update keeps its value, and the run goes on. `{ __overwrite__
 * }` and values that no checkpoint can store are ignored.
 *
 * A conversation (`messages()`, or a declared list named `messages` that appends) holds LangChain's
 * message classes.
 *
 * `createAgent({ stateSchema })` uses the fields only. With any middleware it sends the whole state
 * back as input. Input that equals the current value of a list or a count is therefore ignored, so
 * that nothing doubles. Pass the schema to `createAgent` itself, not to a middleware: hooks write
 * back what they read, and a count would be added again.
 *
 * @example
 * ```ts
 * import { START, StateGraph } from "@langchain/langgraph";
 * import { counter, defineAgentState, messages, oneOf } from "@opstate/core";
 * import { agentStateSchema } from "@opstate/langgraph";
 *
 * const debate = defineAgentState({
 *   messages: messages(),
 *   round: counter(),
 *   status: oneOf(["running", "completed"]),
 * });
 *
 * const graph = new StateGraph(agentStateSchema(debate))
 *   .addNode("moderate", (state) => ({
 *     messages: `Round ${state.round + 1}`,
 *     round: 1,
 *     status: state.round > 1 ? "completed" : "running",
 *   }))
 *   .addEdge(START, "moderate")
 *   .compile();
 *
 * const { messages: said, round, status } = await graph.invoke({ round: 2 });
 * [said[0]?.text, round, status]; // ["Round 3", 3, "completed"]
 * ```
 */
export function agentStateSchema<F extends AgentFields>(agentState: AgentState<F> | F): AgentStateSchema<F> {
  return new AgentStateSchema(isAgentState(agentState) ? agentState : defineAgentState(agentState));
}

/** An agent state has a method `reduce`. A field may have that name, too, but is no method. */
function isAgentState<F extends AgentFields>(value: AgentState<F> | F): value is AgentState<F> {
  return typeof value["reduce"] === "function" && !("transition" in value["reduce"]);
}
