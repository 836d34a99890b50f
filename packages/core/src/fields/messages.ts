// `messages`: a conversation as plain JSON, by LangGraph's rules.

import { $ZodArray, $ZodEnum, $ZodObject, $ZodString, $ZodUnion, $ZodUnknown } from "zod/v4/core";
import { shareByPlace } from "../engine/validation/share.ts";
import { isRecord } from "../json/container.ts";
import type { Field } from "./field.ts";
import { createListField, type Accepted } from "./list-field.ts";
import { readMessage, type Message, type MessageLike } from "./message.ts";
import { mintId } from "./message-id.ts";

/**
 * A conversation, by the rules of LangGraph's `messagesStateReducer`: a message with a known id
 * replaces it in its place, others go to the end, `{ type: "remove", id }` (or a `RemoveMessage`)
 * removes, and with the id `"__remove_all__"` removes all. Accepted are strings, `{ role, content
 * }`, `[role, content]`, `{ type, content }` and instances of LangChain's classes; kept are plain
 * objects `{ id, type, content, ... }`. An update is one of these or a list of them, accepted or
 * refused as a whole.
 *
 * Differences: an id is derived from the content (a reducer uses no random numbers); removing an
 * unknown id is refused, it does not throw; what follows a `"__remove_all__"` is merged like any
 * update.
 *
 * @example
 * ```ts
 * import { messages } from "@opstate/core";
 *
 * const chat = messages();
 * const first = chat([], { role: "user", content: "Hello", id: "1" });
 * const second = chat(first, { role: "user", content: "Hello!", id: "1" });
 * second; // [{ id: "1", type: "human", content: "Hello!" }]
 * chat(first, { type: "remove", id: "1" }); // []
 * ```
 */
export function messages(): Field<Message[], MessageLike | readonly MessageLike[]> {
  const text = new $ZodString({ type: "string" });
  const unknown = new $ZodUnknown({ type: "unknown" });
  const block = new $ZodObject({ type: "object", shape: { type: text }, catchall: unknown });
  const content = new $ZodUnion({ type: "union", options: [text, new $ZodArray({ type: "array", element: block })] });
  const types = ["human", "ai", "system", "tool", "function", "generic"];
  const type = new $ZodEnum({ type: "enum", entries: Object.fromEntries(types.map((name) => [name, name])) });
  const message = new $ZodObject({ type: "object", shape: { id: text, type, content }, catchall: unknown });
  return createListField({
    kind: "messages",
    schema: new $ZodArray({ type: "array", element: message }),
    accept: readMessages,
    idOf: (item) => (isHeld(item) ? item.id : undefined),
  });
}

function readMessages(items: readonly unknown[], beside: readonly unknown[]): Accepted {
  const read: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const result = readMessage(item);
    if (!result.ok)
      return { ok: false, message: `/${index}${result.path} ${result.problem}`, path: `/${index}${result.path}` };
    // A valid item stays the same object.
    read.push(shareByPlace(item, result.message));
  }
  const usedIds = new Set<string>();
  for (const other of [...beside, ...read]) if (isHeld(other)) usedIds.add(other.id);
  return {
    ok: true,
    items: read.map((item) => (isHeld(item) || !isRecord(item) ? item : { id: mintId(item, usedIds), ...item })),
  };
}

function isHeld(item: unknown): item is Message {
  return typeof item === "object" && item !== null && "id" in item && typeof item.id === "string";
}
