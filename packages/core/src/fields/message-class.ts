// LangChain's message instances as plain JSON. They are recognized by shape: core does not import
// LangChain. Every other value passes through unchanged.
//
// The JSON text of an instance is accepted too: `{ lc: 1, type: "constructor", id: [...,
// "HumanMessage"], kwargs }`.

import { isRecord } from "../json/container.ts";
import { withoutEmpty } from "./message.ts";

const KIND_OF_CLASS: Readonly<Record<string, string>> = {
  HumanMessage: "human",
  AIMessage: "ai",
  SystemMessage: "system",
  ToolMessage: "tool",
  FunctionMessage: "function",
  ChatMessage: "generic",
  RemoveMessage: "remove",
};

/**
 * An update with message instances, its items or itself, as plain objects. A value that cannot be
 * read is returned as it is: it is refused later, as it is not JSON.
 */
export function plainMessages(update: unknown): unknown {
  try {
    return Array.isArray(update) ? plainItems(update) : plainMessage(update);
  } catch {
    return update;
  }
}

function plainItems(items: readonly unknown[]): readonly unknown[] {
  let plain: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const property = Object.getOwnPropertyDescriptor(items, index);
    // A hole is refused later. A list of a billion holes is not walked.
    if (property === undefined) return items;
    const message = plainMessage(property.value);
    if (message !== property.value) (plain ??= [...items])[index] = message;
  }
  return plain ?? items;
}

function plainMessage(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isRecord(value)) return plainConstructor(value);
  const type = typeOfInstance(value);
  return type === undefined ? value : withoutBookkeeping({ ...value, type });
}

/** LangChain itself recognizes a message by `_getType`. All messages have a content, too. */
function typeOfInstance(value: object): unknown {
  return "_getType" in value && "content" in value && typeof value._getType === "function"
    ? value._getType()
    : undefined;
}

function plainConstructor(value: Record<string, unknown>): unknown {
  // By its descriptor: this reads every update, and no getter of a sender may run.
  if (Object.getOwnPropertyDescriptor(value, "lc")?.value !== 1) return value;
  const { id, kwargs } = value;
  if (!Array.isArray(id) || !isRecord(kwargs)) return value;
  const type = KIND_OF_CLASS[String(id.at(-1)).replace(/Chunk$/, "")];
  const isMessage = type !== undefined && (type === "remove" || Object.hasOwn(kwargs, "content"));
  return isMessage ? withoutBookkeeping({ ...kwargs, type }) : value;
}

/**
 * The message without LangChain's bookkeeping and what is empty anyway; dates and the like as JSON
 * has them.
 */
function withoutBookkeeping(message: Record<string, unknown>): unknown {
  const kept = Object.entries(message).filter(([key]) => !key.startsWith("lc_") && key !== "tool_call_chunks");
  return JSON.parse(JSON.stringify(withoutEmpty(Object.fromEntries(kept))));
}
