// One field of an agent state for LangGraph: its reducer, and the `ReducedValue` that stands for it
// where channels are not asked for.

import { isBaseMessage } from "@langchain/core/messages";
import { ReducedValue } from "@langchain/langgraph";
import type { AgentFields } from "@opstate/core/definition";
import * as z from "zod";
import type { FieldReducer } from "./field-channel.ts";
import { initialMessages, messageList } from "./message-list.ts";
import { acceptAnything } from "./accept-anything.ts";
import { markInput, takeInput } from "./sent-back.ts";

export interface NamedField extends FieldReducer {
  /** Whether what equals the present value, sent as input, is what LangChain sent back. */
  readonly adds: boolean;
  /** Of the values that are held. */
  readonly schema: z.core.$ZodType;
}

/** The reducer of a field; of a conversation, over LangChain's message classes. */
export function fieldReducer(name: string, field: AgentFields[string], initial: unknown): NamedField {
  const kind = "kind" in field ? field.kind : "definition";
  if ("kind" in field && (kind === "messages" || (kind === "append" && name === "messages")))
    return {
      initial: initialMessages(initial),
      grows: false,
      adds: false,
      schema: messagesSchema(),
      reduce: messageList(field),
    };
  return {
    initial,
    grows: kind === "append",
    adds: kind === "append" || kind === "counter",
    // A definition without an initial state: its own schema knows no null.
    schema: initial === null ? z.nullable(field.schema) : field.schema,
    reduce: (current, update) => (isNothing(current, update) ? current : field.transition(current, update).state),
  };
}

export function reducedValue(field: NamedField): ReducedValue<unknown, unknown> {
  // Channels share the initial value: fields never change what they are given.
  const valueSchema = z._default(field.schema, () => field.initial);
  if (!field.adds) return new ReducedValue(valueSchema, { inputSchema: acceptAnything(), reducer: field.reduce });
  return new ReducedValue(valueSchema, {
    inputSchema: acceptAnything().transform(markInput),
    reducer: takeInput(field.reduce),
  });
}

/**
 * No update, or the present value as it was read. A number is always one: a count may well be added
 * to itself.
 */
function isNothing(current: unknown, update: unknown): boolean {
  return update === null || update === undefined || (typeof update === "object" && update === current);
}

function messagesSchema() {
  return z.array(z.custom((item) => isBaseMessage(item) || (typeof item === "object" && item !== null)));
}
