// The conversation before its first event.

import type { ChatMessage, ChatState } from "./chat-state.ts";
import { detachJson, NotJson } from "./json.ts";
import { INITIAL_PROTOCOL_STATE } from "./protocol-state.ts";

/** What a conversation starts with. All of it is copied. */
export interface InitialChat<State> {
  /** The agent's shared state, any JSON value; default `{}`. */
  readonly state?: State;
  /** Messages of earlier runs. */
  readonly messages?: readonly ChatMessage[];
}

/**
 * A conversation before its first event. Throws a TypeError when a value is not JSON.
 *
 * @example
 * ```ts
 * import { initialChatState } from "@opstate/ag-ui";
 *
 * initialChatState().phase; // "idle"
 * initialChatState({ state: { count: 1 } }).state.count; // 1
 * ```
 */
export function initialChatState(): ChatState;
export function initialChatState<State>(initial: InitialChat<State> & { readonly state: State }): ChatState<State>;
export function initialChatState(initial: InitialChat<unknown>): ChatState;
export function initialChatState(initial: InitialChat<unknown> = {}): ChatState {
  return {
    phase: "idle",
    // A copy has the type of what was copied.
    messages: copied("messages", initial.messages ?? []) as readonly ChatMessage[],
    state: initial.state === undefined ? {} : copied("state", initial.state),
    conflicts: [],
    interrupts: [],
    pendingToolCallIds: [],
    reasoning: [],
    steps: [],
    subagents: [],
    usage: [],
    custom: {},
    warnings: [],
    protocol: INITIAL_PROTOCOL_STATE,
  };
}

function copied(what: string, value: unknown): unknown {
  try {
    return detachJson(value);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw new TypeError(`initialChatState: ${[what, ...error.path].join("/")} ${error.message}`, { cause: error });
  }
}
