// Where a fold starts.

import type { ChatMessage, ChatState } from "./chat-state.ts";
import { detachJson, NotJson } from "./json.ts";
import { INITIAL_PROTOCOL_STATE } from "./protocol-state.ts";

/** What a conversation starts with. It is copied. */
export interface InitialChat<State> {
  /** The agent's shared state, any JSON value; `{}` unless told. */
  readonly state?: State;
  /** Messages of earlier runs. */
  readonly messages?: readonly ChatMessage[];
}

/**
 * A conversation before its first event.
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
    // A copy of messages is messages.
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
