// A conversation as it is stored: plain JSON.
//
// Invariants:
// - Errors are never stored.
// - A stored conversation is not running: what was open is incomplete.

import type { ChatState } from "../state/chat-state.ts";
import { endStream } from "../reducer/end-stream.ts";
import { initialChatState } from "../state/initial-chat-state.ts";

/** What `toJSON` gives and a storage stores. */
export interface SavedChat {
  readonly format: "opstate.chat";
  readonly version: 1;
  readonly threadId: string;
  readonly state: ChatState;
}

export function saveChat(threadId: string, state: ChatState): SavedChat {
  const { error: _, ...withoutError } =
    state.phase === "running" ? endStream(state, { kind: "truncated", message: "" }) : state;
  return { format: "opstate.chat", version: 1, threadId, state: { ...withoutError, phase: "idle" } };
}

/** Throws a TypeError when `json` is not a stored conversation of a known version. */
export function readSavedChat(json: unknown): SavedChat {
  const { format, version, threadId, state }: Partial<Record<string, unknown>> =
    typeof json === "object" && json !== null ? { ...json } : {};
  if (format !== "opstate.chat" || version !== 1 || typeof threadId !== "string" || !isState(state))
    throw new TypeError(
      'This is not a stored conversation. Expected { "format": "opstate.chat", "version": 1, "threadId", "state" }.',
    );
  // Members of the state that an older release did not store start empty.
  return { format, version, threadId, state: { ...initialChatState(), ...state } };
}

function isState(value: unknown): value is ChatState {
  return typeof value === "object" && value !== null && "messages" in value && Array.isArray(value.messages);
}
