// One field of an agent state for LangGraph: its reducer, and the `ReducedValue` that is used where
// LangGraph does not ask for channels.

import { isBaseMessage } from "@langchain/core/messages";
import { ReducedValue } from "@langchain/langgraph";
import type { AgentFields } from "@opstate/core/definition";
import * as z from "zod";
import type { FieldReducer } from "./field-channel.ts";
import { initialMessages, messageList } from "./message-list.ts";
import { acceptAnything } from "./accept-anything.ts";
import { markInput, ignoringEcho } from "./input-echo.ts";

export interface NamedField extends FieldReducer {
  /** Whether input that equals the current value is taken for an echo (see `input-echo.ts`). */
  readonly ignoresEcho: boolean;
  /** The schema of the values that the field holds. */
  readonly schema: z.core.$ZodType;
}

/** The reducer of a field. A conversation is a list of LangChain's message classes. */
export function fieldReducer(name: string, field: AgentFields[string], initial: unknown): NamedField {
  const kind = "kind" in field ? field.kind : "definition";
  if ("kind" in field && (kind === "messages" || (kind === "append" && name === "messages")))
    return {
      initial: initialMessages(initial),
      grows: false,
      ignoresEcho: false,
      schema: messagesSchema(),
      reduce: messageList(field),
    };
  return {
    initial,
    grows: kind === "append",
    ignoresEcho: kind === "append" || kind === "counter",
    // A definition without an initial state starts with null, which its own schema refuses.
    schema: initial === null ? z.nullable(field.schema) : field.schema,
    reduce: (current, update) => (isNoUpdate(current, update) ? current : field.transition(current, update).state),
  };
}

export function reducedValue(field: NamedField): ReducedValue<unknown, unknown> {
  // Channels share the initial value, because fields never change a value in place.
  const valueSchema = z._default(field.schema, () => field.initial);
  if (!field.ignoresEcho)
    return new ReducedValue(valueSchema, { inputSchema: acceptAnything(), reducer: field.reduce });
  return new ReducedValue(valueSchema, {
    inputSchema: acceptAnything().transform(markInput),
    reducer: ignoringEcho(field.reduce),
  });
}

/**
 * Whether there is no update, or only the current value as it was read. A number is always an
 * update: a count may be added to itself.
 */
function isNoUpdate(current: unknown, update: unknown): boolean {
  return update === null || update === undefined || (typeof update === "object" && update === current);
}

function messagesSchema() {
  return z.array(z.custom((item) => isBaseMessage(item) || (typeof item === "object" && item !== null)));
}
