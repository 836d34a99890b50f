// A conversation as it is stored: plain JSON.
//
// Invariants:
// - Errors are never stored.
// - A stored conversation is not running: what was open is incomplete. One that has a `run` is read
//   on from the start of that run.

import type { ChatState } from "../state/chat-state.ts";
import { endStream } from "../reducer/end-stream.ts";
import { initialChatState } from "../state/initial-chat-state.ts";

/** What `toJSON` gives and a storage stores. */
export interface SavedChat {
  readonly format: "opstate.chat";
  readonly version: 1;
  readonly threadId: string;
  readonly state: ChatState;
  /** A run that is under way: `state` is the conversation before it. */
  readonly run?: { readonly runId: string };
}

export function saveChat(threadId: string, state: ChatState, runId?: string): SavedChat {
  const { error: _, ...withoutError } =
    state.phase === "running" ? endStream(state, { kind: "truncated", message: "" }) : state;
  const saved = { format: "opstate.chat", version: 1, threadId, state: { ...withoutError, phase: "idle" } } as const;
  return runId === undefined ? saved : { ...saved, run: { runId } };
}

/** Throws a TypeError when `json` is not a stored conversation of a known version. */
export function readSavedChat(json: unknown): SavedChat {
  const { format, version, threadId, state, run }: Partial<Record<string, unknown>> =
    typeof json === "object" && json !== null ? { ...json } : {};
  if (format !== "opstate.chat" || version !== 1 || typeof threadId !== "string" || !isState(state))
    throw new TypeError(
      'This is not a stored conversation. Expected { "format": "opstate.chat", "version": 1, "threadId", "state" }.',
    );
  // Members of the state that an older release did not store start empty.
  const chat = { format, version, threadId, state: { ...initialChatState(), ...state } } as const;
  return isRun(run) ? { ...chat, run: { runId: run.runId } } : chat;
}

function isRun(value: unknown): value is { readonly runId: string } {
  return typeof value === "object" && value !== null && "runId" in value && typeof value.runId === "string";
}

export function isState(value: unknown): value is ChatState {
  return typeof value === "object" && value !== null && "messages" in value && Array.isArray(value.messages);
}
