// Core's message lists for LangGraph. They hold LangChain's message classes, which models, tool
// nodes and edges look for.
//
// Invariants:
// - Core's field decides, on plain JSON.
// - A message that did not change stays the same object.
// - After a refusal the list stays the same object.

import { coerceMessageLikeToMessage, isBaseMessage, type BaseMessageLike } from "@langchain/core/messages";
import type { AnyField } from "@opstate/core/definition";

const MESSAGE_TYPES: ReadonlySet<unknown> = new Set([
  "human",
  "ai",
  "system",
  "tool",
  "function",
  "generic",
  "developer",
]);

/** The field's reducer, over lists of message instances instead of plain messages. */
export function messageList(field: AnyField): (current: unknown, update: unknown) => unknown {
  /** The plain list of each list made here. The field itself reads a list from a checkpoint. */
  const plainLists = new WeakMap<object, readonly unknown[]>();
  return (current, update) => {
    const known = typeof current === "object" && current !== null ? plainLists.get(current) : undefined;
    const before = known ?? current;
    const { accepted, state } = field.transition(before, update);
    if (!accepted || state === before || !Array.isArray(state)) return current;
    const plain: readonly unknown[] = state;
    const instances = instancesByMessage(known, current);
    try {
      const list = plain.map((item) => instances.get(item) ?? toInstance(item));
      plainLists.set(list, plain);
      return list;
    } catch {
      // LangChain's classes refuse the content.
      return current;
    }
  };
}

/** The channel's first value: the field's initial messages as instances. */
export function initialMessages(initial: unknown): unknown[] {
  return Array.isArray(initial) ? initial.map(toInstance) : [];
}

function instancesByMessage(plain: readonly unknown[] | undefined, current: unknown): ReadonlyMap<unknown, unknown> {
  const list: readonly unknown[] = Array.isArray(current) ? current : [];
  return new Map((plain ?? []).map((item, index) => [item, list[index]]));
}

function toInstance(item: unknown): unknown {
  return isMessageLike(item) ? coerceMessageLikeToMessage(structuredClone(item)) : item;
}

/** A declared list may hold other items, too. They stay as they are. */
function isMessageLike(item: unknown): item is Extract<BaseMessageLike, { content?: unknown }> {
  if (typeof item !== "object" || item === null || isBaseMessage(item) || !("content" in item)) return false;
  return ("role" in item && typeof item.role === "string") || ("type" in item && MESSAGE_TYPES.has(item.type));
}
