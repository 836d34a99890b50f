// Core's message lists for LangGraph: what is held are LangChain's message classes, which models,
// tool nodes and edges look for.
//
// Invariants: core's field decides, on plain JSON; a message that it left alone stays the same
// object; a refusal keeps the very list.

import { coerceMessageLikeToMessage, isBaseMessage, type BaseMessageLike } from "@langchain/core/messages";
import type { AnyField } from "@opstate/core/definition";

const TYPES: ReadonlySet<unknown> = new Set(["human", "ai", "system", "tool", "function", "generic", "developer"]);

/**
 * The field's reducer over lists that hold message instances where the field's own holds messages.
 */
export function messageList(field: AnyField): (current: unknown, update: unknown) => unknown {
  /**
   * The plain list behind each list made here; one from a checkpoint is read by the field itself.
   */
  const plainLists = new WeakMap<object, readonly unknown[]>();
  return (current, update) => {
    const known = typeof current === "object" && current !== null ? plainLists.get(current) : undefined;
    const before = known ?? current;
    const { accepted, state } = field.transition(before, update);
    if (!accepted || state === before || !Array.isArray(state)) return current;
    const plain: readonly unknown[] = state;
    const held = heldBy(known, current);
    try {
      const list = plain.map((item) => held.get(item) ?? revive(item));
      plainLists.set(list, plain);
      return list;
    } catch {
      // A content that LangChain's classes do not take.
      return current;
    }
  };
}

/** A list for the channel's first value: the field's initial messages as instances. */
export function initialMessages(initial: unknown): unknown[] {
  return Array.isArray(initial) ? initial.map(revive) : [];
}

function heldBy(plain: readonly unknown[] | undefined, current: unknown): ReadonlyMap<unknown, unknown> {
  const list: readonly unknown[] = Array.isArray(current) ? current : [];
  return new Map((plain ?? []).map((item, index) => [item, list[index]]));
}

function revive(item: unknown): unknown {
  return isMessageLike(item) ? coerceMessageLikeToMessage(structuredClone(item)) : item;
}

/** Other items, which a declared list may hold, stay what they are. */
function isMessageLike(item: unknown): item is Extract<BaseMessageLike, { content?: unknown }> {
  if (typeof item !== "object" || item === null || isBaseMessage(item) || !("content" in item)) return false;
  return ("role" in item && typeof item.role === "string") || ("type" in item && TYPES.has(item.type));
}
