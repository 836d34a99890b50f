// The end of a stream: a run that is still open then will not finish.

import type { ChatError, ChatState } from "../state/chat-state.ts";
import { failWith } from "../fold/run.ts";

/**
 * The conversation after its stream has ended. A run that is still open ends in error: in the given
 * one (such as a `transport` error), else in `truncated`. Without an open run and without a given
 * error, the state stays the same.
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
  // The first error of a run is the one that is shown. The spread inside keeps the members that S
  // adds.
  return failWith(state, state.error ?? error ?? truncated) as S;
}
