// A conversation with an AG-UI agent in a component.

/** @ts-ignore An optional peer, needed for chat only. */
import type { ChatSession, ChatState } from "@opstate/ag-ui";
import type { IsEqual } from "@opstate/client/binding";
import type { Readable } from "@opstate/core";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";

/** The state of a conversation, and its functions: the same ones on every render. */
export type Chat<S extends ChatState = ChatState> = S & Calls<S>;

/** What is used of a session: a `ChatSession` has it, and so may what loads one later. */
export type ChatSource<S extends ChatState = ChatState> = Readable<S> & Calls<S>;

type Calls<S extends ChatState> = Pick<ChatSession<S>, "send" | "resume" | "continueRun" | "abort" | "clear">;

/**
 * Returns the state of a session with `send`, `resume`, `continueRun`, `abort` and `clear`, or the
 * slice that `selector` picks. Tokens that arrive within one frame are rendered together. Create
 * the session once, outside of components or in `useState`.
 *
 * @example
 * ```tsx
 * const { messages, phase, send, abort } = useChat(session);
 * const waiting = useChat(session, (chat) => chat.interrupts.length);
 * ```
 */
export function useChat<S extends ChatState>(session: ChatSource<S>): Chat<S>;
export function useChat<S extends ChatState, Slice>(
  session: ChatSource<S>,
  selector: (state: S) => Slice,
  isEqual?: IsEqual<Slice>,
): Slice;
export function useChat<S extends ChatState, Slice>(
  session: ChatSource<S>,
  selector?: (state: S) => Slice,
  isEqual?: IsEqual<Slice>,
): Chat<S> | Slice {
  const withCalls = useMemo(() => withCallsOf(session), [session]);
  return useAgentState<S, Chat<S> | Slice>(session, selector ?? withCalls, isEqual as IsEqual<Chat<S> | Slice>);
}

function withCallsOf<S extends ChatState>(session: ChatSource<S>): (state: S) => Chat<S> {
  const calls: Calls<S> = {
    send: (...given) => session.send(...given),
    resume: (...given) => session.resume(...given),
    continueRun: () => session.continueRun(),
    abort: () => session.abort(),
    clear: () => session.clear(),
  };
  return (state) => ({ ...state, ...calls });
}
