// The end of a stream is no event, but it means something: a run that is still open then will not
// finish.

import type { ChatError, ChatState } from "../state/chat-state.ts";
import { failWith } from "../fold/run.ts";

/**
 * The conversation after its stream has ended. A run that is still open ends in error: `truncated`,
 * or the error that is given (a session's `transport` error, for example). Without an open run the
 * state is returned as it is, unless an error is given.
 *
 * @example
 * ```ts
 * import { chatReducer, endStream, initialChatState } from "@opstate/ag-ui";
 *
 * const open = chatReducer(initialChatState(), { type: "RUN_STARTED", threadId: "t", runId: "r" });
 * endStream(open).error?.kind; // "truncated"
 * ```
 */
export function endStream<S extends ChatState>(state: S, error?: ChatError): S {
  const isOpen = state.run !== undefined && state.run.outcome === undefined;
  if (!isOpen && error === undefined) return state;
  const truncated: ChatError = { kind: "truncated", message: "The stream ended before the run finished" };
  // What went wrong first is the one to show. The spread inside keeps whatever else the state
  // holds.
  return failWith(state, state.error ?? error ?? truncated) as S;
}
