// Core's fields over values that contain LangChain's message classes, which models, tool nodes and
// edges look for.
//
//   current   [AIMessage, HumanMessage] --> plain JSON --+
//                                                        +--> the field decides --> plain JSON
//   update    AIMessage, "hi", { role, content } --------+            |
//                                                                     v
//                       a message that did not change stays the same object, others become classes
//
// Invariants:
// - Core's field decides, on plain JSON.
// - A message that did not change stays the same object.
// - After a refusal, and when nothing changed, the value stays the same object.

import {
  ChatMessage,
  coerceMessageLikeToMessage,
  FunctionMessage,
  isBaseMessage,
  type MessageType,
} from "@langchain/core/messages";
import { messages, type Rejection } from "@opstate/core";
import { isClear, plainMessages, type AnyField, type FieldTransition } from "@opstate/core/definition";
import { isObject } from "@opstate/core/json";
import { diff } from "@opstate/core/json-patch";

/** The next value of a field, or why it refuses. Never throws. */
export type Step = (current: unknown, update: unknown) => FieldTransition<unknown>;

const MESSAGE_TYPES: ReadonlySet<unknown> = new Set([
  "human",
  "ai",
  "system",
  "tool",
  "function",
  "generic",
  "developer",
]);

/** A conversation that grows: each update is merged by the rules of `messages()`. */
export function mergedMessages(field: AnyField): Step {
  return overClasses(field.transition, () => isMessageLike);
}

/** A conversation that each update replaces. */
export function replacedMessages(field: AnyField): Step {
  const chat = messages();
  const replaceAll: Step = (before, update) => {
    if (isClear(update)) return field.transition(before, update);
    const { state, ...result } = chat.transition([], update);
    return result.accepted ? { ...result, state: shareById(before, state) } : { ...result, state: before };
  };
  return overClasses(replaceAll, () => isMessageLike);
}

/** Any other field: what was a LangChain message in an update is one in the value. */
export function keptClasses(field: AnyField): Step {
  return overClasses(field.transition, isFromInstance);
}

/** The messages of a conversation's initial value. Throws for what is not a message. */
export function initialMessages(initial: unknown): unknown {
  if (initial === null) return null;
  const read = messages().transition([], initial);
  if (!read.accepted) throw new Error(read.rejection.message);
  return read.state.map(toInstance);
}

/**
 * `decide` works on plain JSON. `instancesOf(update)` says which parts of its result become
 * classes.
 */
function overClasses(decide: Step, instancesOf: (update: unknown) => ((item: unknown) => boolean) | undefined): Step {
  const plainValues = new WeakMap<object, unknown>();
  const remember = (held: unknown, plain: unknown): void => {
    if (typeof held === "object" && held !== null) plainValues.set(held, plain);
  };
  const toPlain = (held: unknown): unknown => {
    if (typeof held !== "object" || held === null) return held;
    const plain = plainValues.has(held) ? plainValues.get(held) : plainMessages(held);
    remember(held, plain);
    return plain;
  };
  return (current, update) => {
    const before = toPlain(current);
    const result = decide(before, update);
    if (!result.accepted || result.state === before) return { ...result, state: current };
    try {
      const isInstance = instancesOf(update);
      const state =
        isInstance === undefined && before === current
          ? result.state
          : toInstances(result.state, isInstance ?? (() => false), instancesByMessage(before, current));
      remember(state, result.state);
      return { accepted: true, state };
    } catch (error) {
      return { accepted: false, state: current, rejection: refusedByClasses(error) };
    }
  };
}

function toInstances(
  value: unknown,
  isInstance: (item: unknown) => boolean,
  unchanged: ReadonlyMap<unknown, unknown>,
): unknown {
  if (!Array.isArray(value)) return isInstance(value) ? toInstance(value) : value;
  return value.map((item: unknown) => unchanged.get(item) ?? (isInstance(item) ? toInstance(item) : item));
}

function instancesByMessage(plain: unknown, current: unknown): ReadonlyMap<unknown, unknown> {
  if (!Array.isArray(plain) || !Array.isArray(current)) return new Map();
  const list: readonly unknown[] = current;
  return new Map(plain.map((item: unknown, index) => [item, list[index]]));
}

function toInstance(item: unknown): unknown {
  if (!isMessageLike(item)) return item;
  // A role and a name are there where their class needs them: the field has checked the message.
  const fields = structuredClone(item) as MessageFields;
  // LangChain's own coercion does not know these two.
  if (fields.type === "generic") return new ChatMessage(fields);
  if (fields.type === "function") return new FunctionMessage(fields);
  return coerceMessageLikeToMessage(fields);
}

type MessageFields = Record<string, unknown> & {
  readonly type: MessageType;
  readonly role: string;
  readonly name: string;
  readonly content: string;
};

/** A list may hold other items, too. They stay as they are. */
function isMessageLike(item: unknown): item is { readonly id?: unknown; readonly content: unknown } {
  if (typeof item !== "object" || item === null || isBaseMessage(item) || !("content" in item)) return false;
  return ("role" in item && typeof item.role === "string") || ("type" in item && MESSAGE_TYPES.has(item.type));
}

/**
 * Recognizes the update's instances, and their JSON, in what the field made of them. Undefined when
 * there are none.
 */
function isFromInstance(update: unknown): ((item: unknown) => boolean) | undefined {
  const items: readonly unknown[] = Array.isArray(update) ? update : [update];
  const plain = items.map((item) => plainMessages(item)).filter((item, index) => item !== items[index]);
  if (plain.length === 0) return undefined;
  const known = new Set(plain.map(textOf));
  return (item) => {
    if (!isMessageLike(item)) return false;
    // A declared list gives an id to a message that has none.
    const { id: _, ...idless } = item;
    return known.has(textOf(item)) || known.has(textOf(idless));
  };
}

/** JSON text with sorted keys. A schema may have put them into its own order. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/**
 * `next`, in which messages that are equal to earlier ones of the same id are the earlier ones.
 * Core's `shareByPlace` compares place by place, and messages are inserted and removed.
 */
function shareById(before: unknown, next: readonly { readonly id: string }[]): unknown {
  if (!Array.isArray(before)) return next;
  const earlier: readonly unknown[] = before;
  const byId = new Map(earlier.map((item) => [idOf(item), item]));
  const shared = next.map((item) => {
    const known = byId.get(item.id);
    return known !== undefined && diff(known, item).length === 0 ? known : item;
  });
  return shared.length === earlier.length && shared.every((item, index) => item === earlier[index]) ? before : shared;
}

function idOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
}

function refusedByClasses(error: unknown): Rejection {
  const why = error instanceof Error ? error.message : String(error);
  return {
    code: "invalid_operation",
    message: `LangChain's message classes refuse the message: ${why}`.slice(0, 500),
    operation: { type: "messages" },
  };
}
