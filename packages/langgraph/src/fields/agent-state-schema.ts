// `agentStateSchema`: an agent state as LangGraph's `StateSchema`, with a channel of ours for each
// field.

import type { BaseMessage, BaseMessageLike } from "@langchain/core/messages";
import { ReducedValue, StateSchema } from "@langchain/langgraph";
import { defineAgentState, type AgentState, type AgentStateOf, type Message } from "@opstate/core";
import type { AgentFields, AgentUpdate } from "@opstate/core/definition";
import { fieldReducer, reducedValue, type NamedField } from "./agent-field.ts";
import { FieldChannel } from "./field-channel.ts";
import { isOverwrite } from "./overwrite.ts";
import { isStorable } from "./accept-anything.ts";

/**
 * What a node reads in a field: what the field holds, and of a conversation LangChain's message
 * classes.
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

/** The fields of an `AgentStateSchema`. For `createAgent`, whose schemas take fields one by one. */
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
    // The record has the names of `F`, and each value is made of the field of that name.
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
   * Lets everything through to the fields, which reject and preserve, but what would destroy the
   * checkpoint or bypass them.
   */
  override validateInput<T>(data: T): Promise<T> {
    if (typeof data !== "object" || data === null) return Promise.resolve(data);
    const kept = Object.entries(data).map(([name, value]) => [name, this.#isTaken(name, value) ? value : undefined]);
    return Promise.resolve(Object.fromEntries(kept));
  }

  #isTaken(name: string, value: unknown): boolean {
    return !this.#reducers.has(name) || (isStorable(value) && !isOverwrite(value));
  }
}

/**
 * The `StateSchema` of an agent state, or of its fields: of `defineAgentState`, or of a declaration
 * in JSON or YAML by `fieldsFromDeclaration`. Nodes read the fields' values and return partial
 * updates, typed. A field that refuses an update keeps its value and the run goes on; `{
 * __overwrite__ }` and what no checkpoint can hold are no updates.
 *
 * A conversation (`messages()`, or a declared list named `messages` that appends) holds LangChain's
 * message classes.
 *
 * In `createAgent({ stateSchema })` the fields alone are used. What a run begins with and equals
 * the present value is taken for the state that LangChain sends back, so lists and counts do not
 * double. Give it to `createAgent` itself: of a middleware's own schema every hook writes back what
 * it read, and a count is counted again.
 *
 * @example
 * ```ts
 * import { START, StateGraph } from "@langchain/langgraph";
 * import { counter, defineAgentState, messages, oneOf } from "@opstate/core";
 * import { agentStateSchema } from "@opstate/langgraph";
 *
 * const debate = defineAgentState({ messages: messages(), round: counter(), status: oneOf(["running", "completed"]) });
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

/** A field may be named `reduce`, but then it is a field. */
function isAgentState<F extends AgentFields>(value: AgentState<F> | F): value is AgentState<F> {
  return typeof value["reduce"] === "function" && !("transition" in value["reduce"]);
}
