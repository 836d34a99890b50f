// Several reducers as one.

import type { ChatState } from "../state/chat-state.ts";

/**
 * One reducer that runs the given ones in order, each on the result of the one before. Put
 * `chatReducer` first: yours then gets the conversation with the event applied, and may keep fields
 * of its own beside it.
 *
 * @example
 * ```ts
 * import { chatReducer, composeReducers, initialChatState, type ChatState } from "@opstate/ag-ui";
 *
 * type Counted = ChatState & { readonly events: number };
 * const reducer = composeReducers<Counted>(chatReducer, (state) => ({
 *   ...state,
 *   events: state.events + 1,
 * }));
 *
 * const start: Counted = { ...initialChatState(), events: 0 };
 * reducer(start, { type: "RUN_STARTED", threadId: "t", runId: "r" }).events; // 1
 * ```
 */
export function composeReducers<S extends ChatState = ChatState>(
  ...reducers: readonly ((state: S, event: unknown) => S)[]
): (state: S, event: unknown) => S {
  return (state, event) => reducers.reduce((current, reducer) => reducer(current, event), state);
}
