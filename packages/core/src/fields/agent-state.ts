// `defineAgentState`: a record of fields as one state, updated by partials. Each field accepts or
// refuses its own update. A refusal is reported under the field's name, the others are applied.
// (Long because most of it is documented types.)

import type { AnyDefinition, ReduceContext, StateOf, UpdateOf } from "../definition/definition.ts";
import { cut, rejection } from "../engine/rejection/reject.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import { OpstateError } from "../error.ts";
import { deepFreeze } from "../engine/freeze.ts";
import { isRecord, own } from "../json/container.ts";
import type { ReadonlyDeep } from "../readonly-deep.ts";
import { agentSchema, type AgentSchema } from "./agent-schema.ts";
import type { AnyField, Field, FieldTransition } from "./field.ts";

/** The fields of an agent state by name: field reducers and definitions. */
export type AgentFields = Readonly<Record<string, AnyField | AnyDefinition>>;

/**
 * The state of these fields. What a definition holds is readonly. Other fields are typed as
 * LangChain takes them (`BaseMessage[]`), and are as frozen.
 */
export type AgentStateOf<F extends AgentFields> = { -readonly [K in keyof F]: StateOf<F[K]> };

/**
 * A partial update: for each field an update of its reducer, or its whole value. A `Partial` of the
 * state is one.
 */
export type AgentUpdate<F extends AgentFields> = {
  readonly [K in keyof F]?: UpdateOfField<F[K]> | ReadonlyDeep<StateOf<F[K]>> | null | undefined;
};
type UpdateOfField<F> = F extends AnyDefinition
  ? UpdateOf<F>
  : F extends Field<infer _Value, infer Update>
    ? Update
    : never;

/**
 * The next state (the same reference when nothing changed), the fields whose updates were accepted,
 * and why others were refused, by name.
 */
export interface AgentTransition<State> {
  readonly state: State;
  readonly applied: readonly (keyof State & string)[];
  /** By field; under `""` for the update as a whole. Empty when everything was accepted. */
  readonly rejections: Readonly<Record<string, Rejection>>;
}

export interface AgentState<F extends AgentFields> {
  readonly fields: F;
  readonly initial: AgentStateOf<F>;
  /** A `zod/v4/core` object schema of the whole state; what is absent gets its initial value. */
  readonly schema: AgentSchema<AgentStateOf<F>>;
  /**
   * The next state; the same reference when nothing changed. `undefined` stands for `initial`.
   * `context` is the submission of the update, for the definitions among the fields: the operations
   * of each make ids of their own from its id. Never throws.
   */
  reduce(
    this: void,
    current: AgentStateOf<F> | null | undefined,
    update: AgentUpdate<F> | null | undefined,
    context?: ReduceContext,
  ): AgentStateOf<F>;
  /** The same with the refusals. Never throws. */
  transition(
    this: void,
    current: AgentStateOf<F> | null | undefined,
    update: unknown,
    context?: ReduceContext,
  ): AgentTransition<AgentStateOf<F>>;
}

/** Valid as a channel of LangGraph (but not its own, `__start__`) and in a JSON Pointer. */
export const FIELD_NAME = /^(?!__)[A-Za-z_][\w-]{0,63}$/;
/** At most this many unknown names are reported, the others are only counted. */
const NAMED = 10;

/**
 * A state made of fields, each with its own reducer: `append`, `messages`, `replace`, `immutable`,
 * `oneOf`, `counter`, or a whole definition, which accepts its operations. `initial` is a first
 * update that is part of every new state, or a function that returns it, called once. Values that
 * differ from run to run belong in the first `reduce(undefined, { ... })`.
 *
 * Throws `OpstateError` (`invalid_definition`) for an invalid name or field, and for an initial
 * value that a field refuses.
 *
 * @example
 * ```ts
 * import { counter, defineAgentState, immutable, messages, oneOf } from "@opstate/core";
 *
 * const debate = defineAgentState({
 *   messages: messages(),
 *   round: counter(),
 *   topic: immutable(""),
 *   status: oneOf(["running", "completed", "error"]),
 * });
 *
 * const state = debate.reduce(undefined, { topic: "tabs or spaces", round: 1 });
 * const next = debate.transition(state, { topic: "vim or emacs", round: 1 });
 * next.state.round; // 2
 * next.rejections["topic"]?.reason; // "immutable"
 * ```
 */
export function defineAgentState<F extends AgentFields>(
  fields: F,
  options: { readonly initial?: AgentUpdate<NoInfer<F>> | (() => AgentUpdate<NoInfer<F>>) } = {},
): AgentState<F> {
  checkFields(fields);
  const members = new Map<string, AnyField | AnyDefinition>(Object.entries(fields));
  const start = startOf(members, options.initial);
  const reducer = (current: unknown, update: unknown, context?: ReduceContext) =>
    run(members, start, current, update, context);
  // Each field has its own types. Together they are the types of the state.
  return {
    fields,
    initial: start,
    schema: agentSchema(members, start),
    reduce: (current: unknown, update: unknown, context?: ReduceContext) => reducer(current, update, context).state,
    transition: reducer,
  } as unknown as AgentState<F>;
}

type Members = ReadonlyMap<string, AnyField | AnyDefinition>;
type State = Readonly<Record<string, unknown>>;

function checkFields(fields: unknown): asserts fields is AgentFields {
  if (!isRecord(fields)) throw invalid(["the fields must be an object: { messages: messages(), round: counter() }"]);
  const faults = Object.entries(fields).flatMap(([name, field]) => {
    if (!FIELD_NAME.test(name))
      return [
        `"${name}": a name is a letter or "_" followed by letters, digits, "_" or "-", at most 64 characters, and does not start with "__"`,
      ];
    return isField(field)
      ? []
      : [`"${name}": must be a field, such as replace() or append(), or a definition made by defineState`];
  });
  if (faults.length > 0) throw invalid(faults);
}

function isField(value: unknown): boolean {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    "transition" in value &&
    "initial" in value &&
    "schema" in value
  );
}

function startOf(members: Members, written: unknown): State {
  const defaults = deepFreeze(
    Object.fromEntries([...members].map(([name, field]): [string, unknown] => [name, field.initial])),
  );
  const { state, rejections } = run(members, defaults, defaults, typeof written === "function" ? written() : written);
  const faults = Object.values(rejections).map((rejection) => `initial: ${rejection.message}`);
  if (faults.length > 0) throw invalid(faults);
  return deepFreeze(state);
}

function run(
  members: Members,
  start: State,
  current: unknown,
  update: unknown,
  context?: ReduceContext,
): AgentTransition<State> {
  // It may be any value. A value that is not an object is returned as it is.
  const given = (current ?? start) as State;
  const none = { state: given, applied: [], rejections: {} };
  if (update === null || update === undefined) return none;
  try {
    if (!isRecord(given))
      return {
        ...none,
        rejections: {
          "": rejection("invalid_state", "update", "The current state is not an object of fields; it was not changed"),
        },
      };
    if (!isRecord(update))
      return {
        ...none,
        rejections: {
          "": rejection("invalid_operation", "update", `An update is an object of fields: ${names(members)}`),
        },
      };
    return fold(members, start, given, update, context);
  } catch {
    // A proxy that throws cannot be read.
    return { ...none, rejections: { "": rejection("invalid_operation", "update", "The update cannot be read") } };
  }
}

function fold(
  members: Members,
  start: State,
  given: State,
  update: State,
  context: ReduceContext | undefined,
): AgentTransition<State> {
  const changes: [string, unknown][] = [];
  const applied: string[] = [];
  const rejections: [string, Rejection][] = [];
  const unknown: string[] = [];
  for (const name of Object.keys(update)) {
    const field = members.get(name);
    if (field === undefined) {
      unknown.push(name);
      continue;
    }
    const property = Object.getOwnPropertyDescriptor(update, name);
    if (property?.get !== undefined) {
      rejections.push([name, inField(name, rejection("invalid_operation", "update", "must be JSON, got an accessor"))]);
      continue;
    }
    const value: unknown = property?.value;
    if (value === undefined || value === null) continue;
    const before = own(given, name);
    const result: FieldTransition<unknown> =
      "kind" in field ? field.transition(before, value) : field.transition(before, value, contextOf(name, context));
    if (!result.accepted) {
      rejections.push([name, inField(name, result.rejection)]);
      continue;
    }
    applied.push(name);
    if (result.state !== before) changes.push([name, result.state]);
  }
  for (const name of unknown.slice(0, NAMED)) rejections.push([name, unknownField(name, unknown.length, members)]);
  const state = changes.length === 0 ? given : { ...start, ...given, ...Object.fromEntries(changes) };
  return { state, applied, rejections: Object.fromEntries(rejections) };
}

/** Each field makes ids of its own. */
function contextOf(name: string, context: ReduceContext | undefined): ReduceContext | undefined {
  return context?.id === undefined ? context : { ...context, id: `${context.id}/${name}` };
}

/** A field's rejection as a rejection of the state: it names the field. */
export function inField(name: string, part: Rejection): Rejection {
  return Object.freeze({
    ...part,
    message: cut(`Field "${name}": ${part.message}`, 500),
    path: cut(`/${name}${part.path ?? ""}`, 200),
  });
}

function unknownField(name: string, count: number, members: Members): Rejection {
  const more = count > NAMED ? ` (one of ${count} unknown fields)` : "";
  return rejection(
    "invalid_operation",
    "update",
    `There is no field ${JSON.stringify(cut(name, 60))}${more}. Known: ${names(members)}`,
    {
      details: { known: [...members.keys()] },
    },
  );
}

function names(members: Members): string {
  return [...members.keys()].join(", ") || "(no fields)";
}

function invalid(faults: readonly string[]): OpstateError {
  return new OpstateError(
    "invalid_definition",
    `The agent state cannot work:\n${faults.map((fault) => `- ${fault}`).join("\n")}`,
  );
}
