// What every fold function gets beside state and event, and the edits that they have in common.

import type { Metadata } from "@ag-ui/core";
import type { Patch } from "@opstate/core/json-patch";
import type { ChatMessage, ChatState, ChatWarning, StateConflict } from "../state/chat-state.ts";
import type { CustomHandler } from "../state/custom-handler.ts";
import { shareFromEnds } from "../state/share-from-ends.ts";
import type { MessageLists } from "./message-list.ts";

/** A new value of the agent's state in the form that is kept, or why it is refused. */
export type Checked =
  | { readonly ok: true; readonly state: unknown }
  | { readonly ok: false; readonly code: string; readonly reason: string };

/**
 * What is done about a conflict: "keep" the state, go back to the last "snapshot", or use the given
 * state.
 */
export type Resolution = "keep" | "snapshot" | { readonly state: unknown };

/** The configuration and indexes of one reducer. */
export interface Fold {
  readonly lists: MessageLists;
  /** Checks a new value of the agent's state. `previous` is the value before it. */
  check(previous: unknown, next: unknown): Checked;
  /**
   * Applies a patch to the agent's state and checks only what it touched. Undefined when the result
   * has to be checked as a whole.
   */
  patch(previous: unknown, patches: Patch): { readonly state: unknown } | undefined;
  readonly resolve: ((conflict: StateConflict, snapshot: unknown) => Resolution) | undefined;
  /** For CUSTOM events, by name. */
  readonly handlers: ReadonlyMap<string, CustomHandler>;
}

const MAX_WARNINGS = 100;

/** Records a warning, once. The newest hundred are kept. */
export function warn(state: ChatState, warning: ChatWarning): ChatState {
  const known = state.warnings.some((other) => other.code === warning.code && other.message === warning.message);
  return known ? state : { ...state, warnings: [...state.warnings, warning].slice(-MAX_WARNINGS) };
}

/** The state with one message replaced; the same state when the message is the same. */
export function withMessage(fold: Fold, state: ChatState, position: number, message: ChatMessage): ChatState {
  if (state.messages[position] === message) return state;
  return { ...state, messages: fold.lists.replace(state.messages, position, message) };
}

/** Merges metadata key by key: the last write wins, and nothing is merged below a key. */
export function mergeMetadata<T extends { readonly metadata?: Readonly<Metadata> }>(
  target: T,
  metadata: Metadata | undefined,
): T {
  if (metadata === undefined) return target;
  const merged = shareFromEnds(target.metadata, { ...target.metadata, ...metadata });
  return merged === target.metadata ? target : { ...target, metadata: merged };
}

/** The owner of what an event creates, as a field; absent for the agent itself. */
export function ownerField(event: { readonly subagentRunId?: string }): { readonly subagentRunId?: string } {
  return event.subagentRunId === undefined ? {} : { subagentRunId: event.subagentRunId };
}

export function noSuchMessage(state: ChatState, eventType: string, id: string): ChatState {
  return warn(state, {
    code: "unknown_target",
    eventType,
    message: `${eventType}: there is no message "${id}"; left out`,
  });
}

export function noSuchCall(state: ChatState, eventType: string, id: string): ChatState {
  return warn(state, {
    code: "unknown_target",
    eventType,
    message: `${eventType}: there is no tool call "${id}"; left out`,
  });
}

export function wrongMessage(state: ChatState, eventType: string, { id, role }: ChatMessage): ChatState {
  return warn(state, {
    code: "wrong_target",
    eventType,
    message: `${eventType}: message "${id}" is of role ${role}; left out`,
  });
}
