// A message as the `messages` field keeps it, and the forms that are accepted as one: LangChain's
// rules on plain JSON.

import { checkJson, DEFAULT_LIMITS } from "../engine/limits/limits.ts";
import { isRecord } from "../json/container.ts";

export type MessageType = "human" | "ai" | "system" | "tool" | "function" | "generic";

/**
 * A message as plain JSON, in the shape of LangChain and of LangGraph's API: `{ id, type: "human",
 * content: "Hello" }`.
 */
export interface Message {
  id: string;
  type: MessageType;
  content: string | ContentBlock[];
  name?: string;
  tool_calls?: { id?: string; name: string; args: Record<string, unknown>; type?: "tool_call" }[];
  tool_call_id?: string;
  [more: string]: unknown;
}

/** A part of a message's content: text, an image, a file... */
export interface ContentBlock {
  type: string;
  [more: string]: unknown;
}

/** Removes the message with this id; `"__remove_all__"` removes every message. */
export interface RemoveMessage {
  readonly type: "remove";
  readonly id: string;
}

/**
 * A string (a human message), `[role, content]`, `{ role, content }`, `{ type, content }`, a
 * removal, or an instance of a LangChain message class.
 */
export type MessageLike =
  | string
  | readonly [role: string, content: Message["content"]]
  | { readonly role: string; readonly content?: unknown; readonly id?: string | undefined }
  | { readonly type: MessageType; readonly content?: unknown; readonly id?: string | undefined }
  | RemoveMessage
  | { readonly content: unknown; readonly id?: string | undefined; _getType(): string };

/** The id of a removal of all messages. */
export const REMOVE_ALL = "__remove_all__";

const TYPES: ReadonlyMap<unknown, MessageType> = new Map<string, MessageType>([
  ["human", "human"],
  ["user", "human"],
  ["ai", "ai"],
  ["assistant", "ai"],
  ["system", "system"],
  ["developer", "system"],
  ["tool", "tool"],
  ["function", "function"],
  ["generic", "generic"],
]);

/** A message that may have no id yet. */
export type IdlessMessage = Omit<Message, "id"> & { readonly id?: string };

/** The message or removal that was read, or a problem with its JSON Pointer into the input. */
export type ReadMessage =
  | { readonly ok: true; readonly message: IdlessMessage | RemoveMessage }
  | { readonly ok: false; readonly path: string; readonly problem: string };

export function readMessage(like: unknown): ReadMessage {
  if (typeof like === "string") return { ok: true, message: { type: "human", content: like } };
  if (Array.isArray(like) && like.length === 2)
    return readFields({ role: like[0], content: like[1] }, (key) => (key === "content" ? "/1" : "/0"));
  if (isRecord(like)) return readFields(like, (key) => `/${key}`);
  return invalid("", 'must be a message: a string, { role: "user", content: "..." } or ["user", "..."]');
}

export function isRemoval(item: unknown): item is RemoveMessage {
  return isRecord(item) && item["type"] === "remove" && typeof item["id"] === "string";
}

/** Whether an item of any list has the shape of a message: a `content`, and a role or type. */
export function isMessageLike(item: unknown): item is Record<string, unknown> {
  if (!isRecord(item) || !(typeof item["content"] === "string" || Array.isArray(item["content"]))) return false;
  return typeof item["role"] === "string" || TYPES.has(item["type"]);
}

function readFields(fields: Record<string, unknown>, pathOf: (key: string) => string): ReadMessage {
  const { role, type: written, id, content, tool_calls: calls, ...rest } = fields;
  const key = typeof role === "string" && written !== "generic" ? "role" : "type";
  const name = fields[key];
  if (id !== undefined && id !== null && typeof id !== "string") return invalid(pathOf("id"), "must be a string");
  if (name === "remove")
    return typeof id === "string"
      ? { ok: true, message: { type: "remove", id } }
      : invalid(pathOf("id"), "must be the id of the message to remove");
  const type = TYPES.get(name);
  if (type === undefined)
    return invalid(pathOf(key), `must be one of user, assistant, system, developer, tool (or human, ai, remove)`);
  // A model that only calls tools may send no content.
  const contentOrEmpty = content ?? (type === "ai" ? "" : undefined);
  if (!isContent(contentOrEmpty))
    return invalid(pathOf("content"), "must be a string or a list of content blocks: { type, ... }");
  if (type === "tool" && typeof rest["tool_call_id"] !== "string")
    return invalid(pathOf("tool_call_id"), "must be the id of the call that the tool answers");
  const toolCalls = readCalls(calls);
  if (toolCalls === undefined) return invalid(pathOf("tool_calls"), "must be a list of calls with JSON arguments");
  return {
    ok: true,
    message: {
      ...(typeof id === "string" ? { id } : {}),
      type,
      content: contentOrEmpty,
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
      ...(type === "generic" ? { role } : {}),
      ...withoutEmpty(rest),
      ...(name === "developer"
        ? { additional_kwargs: { ...asRecord(rest["additional_kwargs"]), __openai_role__: "developer" } }
        : {}),
    },
  };
}

const OFTEN_EMPTY = new Set(["additional_kwargs", "response_metadata", "tool_calls", "invalid_tool_calls"]);

/**
 * The fields without the empty ones that LangChain's classes always add. So a message that became
 * an instance and came back is equal to itself.
 */
export function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([key, value]) => !(OFTEN_EMPTY.has(key) && isEmpty(value))));
}

function isContent(content: unknown): content is Message["content"] {
  return (
    typeof content === "string" ||
    (Array.isArray(content) && content.every((block) => isRecord(block) && typeof block["type"] === "string"))
  );
}

type Calls = NonNullable<Message["tool_calls"]>;

/** Tool calls in LangChain's form. Calls in OpenAI's form (arguments as a string) are converted. */
function readCalls(calls: unknown): Calls | undefined {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) return undefined;
  const read = calls.map(readCall).filter((call) => call !== undefined);
  return read.length === calls.length ? read : undefined;
}

function readCall(call: unknown): Calls[number] | undefined {
  if (!isRecord(call)) return undefined;
  const { id, name, args, type, function: called, ...rest } = call;
  if (
    type === "function" &&
    isRecord(called) &&
    typeof called["name"] === "string" &&
    typeof called["arguments"] === "string"
  ) {
    const parsed = parseObject(called["arguments"]);
    return (
      parsed && { ...(typeof id === "string" ? { id } : {}), name: called["name"], args: parsed, type: "tool_call" }
    );
  }
  if (typeof name !== "string" || !isRecord(args)) return undefined;
  return { ...(typeof id === "string" ? { id } : {}), name, args, ...(type === "tool_call" ? { type } : {}), ...rest };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return checkJson(value, DEFAULT_LIMITS) === undefined ? asRecord(value) : undefined;
  } catch {
    return undefined;
  }
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

function invalid(path: string, problem: string): ReadMessage {
  return { ok: false, path, problem };
}
