// What older agents send: THINKING events, and null where protocol 1.0 requires an absent field.

import { EventType } from "@ag-ui/core";

/**
 * An event of a type that protocol 1.0 has retired. It has no id. Its other fields are those of the
 * type that replaced it.
 */
export interface RetiredEvent {
  readonly type:
    | "THINKING_START"
    | "THINKING_END"
    | "THINKING_TEXT_MESSAGE_START"
    | "THINKING_TEXT_MESSAGE_CONTENT"
    | "THINKING_TEXT_MESSAGE_END";
  readonly [key: string]: unknown;
}

/** The type that replaced each retired type. */
export const RETIRED_TYPES: ReadonlyMap<string, EventType> = new Map<RetiredEvent["type"], EventType>([
  ["THINKING_START", EventType.REASONING_START],
  ["THINKING_END", EventType.REASONING_END],
  ["THINKING_TEXT_MESSAGE_START", EventType.REASONING_MESSAGE_START],
  ["THINKING_TEXT_MESSAGE_CONTENT", EventType.REASONING_MESSAGE_CONTENT],
  ["THINKING_TEXT_MESSAGE_END", EventType.REASONING_MESSAGE_END],
]);

const NULLABLE: ReadonlyMap<string, readonly string[]> = new Map([
  ["TOOL_CALL_START", ["parentMessageId"]],
  ["TOOL_CALL_CHUNK", ["parentMessageId"]],
  ["RUN_FINISHED", ["outcome", "result"]],
  ["SUBAGENT_FINISHED", ["result"]],
]);

/**
 * The event without the nulls that older agents wrote for "absent". The schema decides about any
 * other null.
 */
export function legacyNulls(event: Record<string, unknown>): Record<string, unknown> {
  const fields = NULLABLE.get(String(event["type"]))?.filter((field) => event[field] === null) ?? [];
  if (fields.length === 0) return event;
  return Object.fromEntries(Object.entries(event).filter(([key]) => !fields.includes(key)));
}
