// One field of an agent state for LangGraph: its reducer, and the `ReducedValue` that is used where
// LangGraph does not ask for channels.

import { isBaseMessage } from "@langchain/core/messages";
import { ReducedValue } from "@langchain/langgraph";
import { messages, OpstateError } from "@opstate/core";
import { inField, type AgentFields, type AnyField } from "@opstate/core/definition";
import * as z from "zod";
import { acceptAnything } from "./accept-anything.ts";
import { readClear, readKeptClear } from "./subgraphs/cleared.ts";
import { conversationOf } from "./conversation.ts";
import type { FieldReducer } from "./field-channel.ts";
import { ignoringEcho, markInput } from "./input-echo.ts";
import { initialMessages, keptClasses, mergedMessages, replacedMessages, type Step } from "./message-list.ts";
import type { Report } from "./on-reject.ts";
import { warnOfParallelSubgraphs } from "./subgraphs/parallel-subgraphs.ts";

export interface NamedField extends FieldReducer {
  readonly name: string;
  /** Whether input that equals the current value counts as an echo (see `input-echo.ts`). */
  readonly ignoresEcho: boolean;
  /** The update that a task writes. Called in that task. */
  readonly readUpdate: (update: unknown) => unknown;
  /** What is known of the update from other processes. Called after `readUpdate`, in that task. */
  readonly readKept: ((update: unknown) => Promise<unknown>) | undefined;
  /** The schema of the values that the field holds. */
  readonly schema: z.core.$ZodType;
}

/**
 * The reducer of a field. A conversation is a list of LangChain's message classes. Throws
 * `OpstateError` (`invalid_definition`) for a conversation whose initial value is none.
 */
export function fieldReducer(name: string, field: AgentFields[string], initial: unknown, report: Report): NamedField {
  const kind = "kind" in field ? field.kind : "definition";
  const conversation = "kind" in field ? conversationOf(name, field) : undefined;
  const step = "kind" in field ? stepOf(field, conversation) : field.transition;
  const reportOfField: Report = (rejection, refused) => report(inField(name, rejection), refused);
  return {
    name,
    initial: conversation === undefined ? initial : startOf(name, initial),
    grows: kind === "append" && conversation === undefined,
    ignoresEcho: (kind === "append" && conversation === undefined) || kind === "counter",
    schema: conversation === undefined ? schemaOf(field, initial) : messagesSchema(initial),
    report: reportOfField,
    readUpdate: kind === "definition" ? warning(name) : kind === "replace" ? readClearOf(name) : (update) => update,
    readKept: kind === "replace" ? (update) => readKeptClear(name, update) : undefined,
    reduce(current, update) {
      if (isNoUpdate(current, update)) return current;
      const transition = step(current, update);
      if (!transition.accepted) reportOfField(transition.rejection, { field: name, update });
      return transition.state;
    },
  };
}

export function reducedValue(field: NamedField): ReducedValue<unknown, unknown> {
  // Channels share the initial value, because fields never change a value in place.
  const valueSchema = z._default(field.schema, () => field.initial);
  const inputSchema = acceptAnything({ field: field.name, report: field.report }).transform(field.readUpdate);
  if (!field.ignoresEcho)
    return new ReducedValue(valueSchema, { inputSchema: withKept(inputSchema, field), reducer: field.reduce });
  return new ReducedValue(valueSchema, {
    inputSchema: inputSchema.transform(markInput),
    reducer: ignoringEcho(field.reduce),
  });
}

/**
 * The schema, which asks other processes when its parsing is awaited, as LangGraph does. What
 * parses it at once gets what is known in this process.
 */
function withKept<S extends z.ZodType>(schema: S, { readKept }: Pick<NamedField, "readKept">): S {
  if (readKept === undefined) return schema;
  const standard = schema["~standard"];
  schema["~standard"] = {
    ...standard,
    async validate(value) {
      const result = await standard.validate(value);
      return result.issues === undefined ? { value: (await readKept(result.value)) as z.output<S> } : result;
    },
  };
  return schema;
}

function warning(name: string): (update: unknown) => unknown {
  const warn = warnOfParallelSubgraphs(name);
  return (update) => {
    warn(update);
    return update;
  };
}

function readClearOf(name: string): (update: unknown) => unknown {
  return (update) => readClear(name, update);
}

function stepOf(field: AnyField, conversation: ReturnType<typeof conversationOf>): Step {
  if (conversation === "replaced") return replacedMessages(field);
  if (conversation === "merged") return mergedMessages(field.kind === "messages" ? field : messages());
  return keptClasses(field);
}

/**
 * Whether there is no update, or only the current value as it was read. A number is always an
 * update: a count may be added to itself.
 */
function isNoUpdate(current: unknown, update: unknown): boolean {
  return update === null || update === undefined || (typeof update === "object" && update === current);
}

function startOf(name: string, initial: unknown): unknown {
  try {
    return initialMessages(initial);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OpstateError("invalid_definition", `The initial value of "${name}" must be messages: ${why}`);
  }
}

function schemaOf(field: AgentFields[string], initial: unknown): z.core.$ZodType {
  // A definition without an initial state starts with null, which its own schema refuses.
  return initial === null ? z.nullable(field.schema) : field.schema;
}

function messagesSchema(initial: unknown): z.core.$ZodType {
  const list = z.array(z.custom((item) => isBaseMessage(item) || (typeof item === "object" && item !== null)));
  return initial === null ? z.nullable(list) : list;
}
