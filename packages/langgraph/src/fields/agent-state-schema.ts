// `agentStateSchema`: an agent state as LangGraph's `StateSchema`. Each field has a `FieldChannel`.

import type { BaseMessage, BaseMessageLike } from "@langchain/core/messages";
import { ReducedValue, StateSchema } from "@langchain/langgraph";
import { defineAgentState, type AgentState, type AgentStateOf, type Message } from "@opstate/core";
import type { AgentFields, AgentUpdate } from "@opstate/core/definition";
import { fieldReducer, reducedValue, type NamedField } from "./agent-field.ts";
import { faultOf } from "./accept-anything.ts";
import { FieldChannel } from "./field-channel.ts";
import { droppedUpdate, reportTo, type FieldOptions } from "./on-reject.ts";

/**
 * What a node reads in a field: the field's value; in a conversation LangChain's message classes.
 */
export type AgentValue<F extends AgentFields, K extends keyof F> = AgentStateOf<F>[K] extends Message[]
  ? BaseMessage[]
  : AgentStateOf<F>[K];

/** Whether a field takes what LangGraph's `add_messages` takes. */
type IsConversation<F extends AgentFields, K extends keyof F> = AgentStateOf<F>[K] extends Message[]
  ? true
  : K extends "messages"
    ? NonNullable<AgentStateOf<F>[K]> extends readonly BaseMessage[]
      ? true
      : false
    : false;

/** What a node may return for a field. */
export type AgentFieldUpdate<F extends AgentFields, K extends keyof F> =
  | AgentUpdate<F>[K]
  | (IsConversation<F, K> extends true ? BaseMessageLike | readonly BaseMessageLike[] : never)
  | null
  | undefined;

/** The fields of an `AgentStateSchema`, for `createAgent`, which takes fields one by one. */
export type AgentSchemaFields<F extends AgentFields> = {
  [K in keyof F]: ReducedValue<AgentValue<F, K>, AgentFieldUpdate<F, K>>;
};

/** A `StateSchema` whose channels are those of an agent state. */
export class AgentStateSchema<F extends AgentFields> extends StateSchema<AgentSchemaFields<F>> {
  readonly #reducers: ReadonlyMap<string, NamedField>;

  constructor(agentState: AgentState<F>, options: FieldOptions = {}) {
    const report = reportTo(options);
    const reducers = new Map(
      Object.entries(agentState.fields).map(([name, field]): [string, NamedField] => [
        name,
        fieldReducer(name, field, new Map(Object.entries(agentState.initial)).get(name), report),
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
  override async validateInput<T>(data: T): Promise<T> {
    if (typeof data !== "object" || data === null) return data;
    const kept = Object.entries(data).map(async ([name, value]): Promise<[string, unknown]> => [
      name,
      await this.#readInput(name, value),
    ]);
    return Object.fromEntries(await Promise.all(kept)) as T;
  }

  #readInput(name: string, update: unknown): unknown {
    const field = this.#reducers.get(name);
    if (field === undefined) return update;
    const fault = faultOf(update);
    if (fault !== undefined) {
      field.report(droppedUpdate(fault), { field: name, update });
      return undefined;
    }
    const read = field.readUpdate(update);
    return field.readKept === undefined ? read : field.readKept(read);
  }
}

/**
 * The `StateSchema` of an agent state (`defineAgentState`), or of fields, which may be declared in
 * JSON or YAML (`fieldsFromDeclaration`). Nodes read the fields' values and return partial updates,
 * with types. A field that refuses an update keeps its value, and the run goes on: `onReject` is
 * called, or by default a warning in development. `{ __overwrite__ }` and values that no checkpoint
 * can store are dropped, and it is called with them as well. Null is no update; `clear()` sets a
 * `replace` field to null.
 *
 * A conversation takes what LangGraph's `messagesStateReducer` takes, and holds LangChain's message
 * classes. It is `messages()`, or a list named `messages`: declared, or typed as classes
 * (`append(z.custom<BaseMessage>())`). A list named `messages` that is replaced takes the same, and
 * each update is the whole list. In any other field a LangChain message stays one, as the value or
 * as an item of a list.
 *
 * Throws `OpstateError` (`invalid_definition`) for a conversation whose initial value is not one.
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
export function agentStateSchema<F extends AgentFields>(
  agentState: AgentState<F> | F,
  options: FieldOptions = {},
): AgentStateSchema<F> {
  return new AgentStateSchema(isAgentState(agentState) ? agentState : defineAgentState(agentState), options);
}

/** An agent state has a method `reduce`. A field may have that name, too, but is no method. */
function isAgentState<F extends AgentFields>(value: AgentState<F> | F): value is AgentState<F> {
  return typeof value["reduce"] === "function" && !("transition" in value["reduce"]);
}
