// MESSAGES_SNAPSHOT restates the conversation: known messages are replaced in place, absent ones
// dropped, new ones appended. Activities and reasoning that only this side knows stay, unless the
// snapshot speaks for them. What the snapshot repeats unchanged keeps its identity.

import { isRecord } from "@opstate/core/json";
import type { MessagesSnapshotEvent } from "@ag-ui/core";
import type {
  AssistantChatMessage,
  ChatMessage,
  ChatState,
  ChatToolCall,
  ToolChatMessage,
} from "../state/chat-state.ts";
import { fromAgUiMessage } from "./from-ag-ui-message.ts";
import { share } from "../state/json.ts";
import type { Messages } from "./message-list.ts";
import { resultOf } from "./tool-results.ts";

/**
 * The namespace in which the official client's projectors name the activity types that a snapshot
 * speaks for.
 */
const HISTORY = "@ag-ui/client";

export function applyMessagesSnapshot(state: ChatState, event: MessagesSnapshotEvent): ChatState {
  const snapshot = new Map(event.messages.map((message) => [message.id, fromAgUiMessage(message)]));
  const stays = keptLocally(event);
  const known = state.messages.filter((message) => snapshot.has(message.id) || stays(message));
  const ids = new Set(known.map((message) => message.id));
  const listed = [
    ...known.map((message) => snapshot.get(message.id) ?? message),
    ...[...snapshot.values()].filter(({ id }) => !ids.has(id)),
  ];
  const before = new Map(state.messages.map((message) => [message.id, message]));
  const results = new Map(
    listed.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message] as const] : [])),
  );
  const messages = listed.map((message) => {
    const old = before.get(message.id);
    return share<ChatMessage>(old, withResults(keepOpen(old, message), results));
  });
  const same =
    messages.length === state.messages.length && messages.every((message, index) => message === state.messages[index]);
  // An activity's conflicts end with it, or with the content that a snapshot gives it.
  const conflicts = state.conflicts.filter(
    ({ messageId }) => messageId === undefined || (ids.has(messageId) && !snapshot.has(messageId)),
  );
  if (conflicts.length < state.conflicts.length)
    return { ...state, messages: same ? state.messages : messages, conflicts };
  return same ? state : { ...state, messages };
}

/**
 * Which of our own messages an omission does not drop: those of a role, or an activity type, that
 * the snapshot does not speak for.
 */
function keptLocally(event: MessagesSnapshotEvent): (message: ChatMessage) => boolean {
  const types = authoritativeActivityTypes(event);
  const speaksForActivities =
    types === "all" || (types === undefined && event.messages.some(({ role }) => role === "activity"));
  const speaksForReasoning = event.messages.some(({ role }) => role === "reasoning");
  return (message) => {
    if (message.role === "activity")
      return Array.isArray(types) ? !types.includes(message.activityType) : !speaksForActivities;
    return message.role === "reasoning" && !speaksForReasoning;
  };
}

/**
 * What the snapshot's metadata declares: all activity types, some of them, or nothing. A
 * declaration that is malformed names none.
 */
function authoritativeActivityTypes({ metadata }: MessagesSnapshotEvent): readonly unknown[] | "all" | undefined {
  if (metadata === undefined || !Object.hasOwn(metadata, HISTORY)) return undefined;
  const declared: unknown = metadata[HISTORY];
  if (!isRecord(declared)) return [];
  if (!Object.hasOwn(declared, "authoritativeActivityTypes")) return undefined;
  const types = declared["authoritativeActivityTypes"];
  if (types === null) return "all";
  return Array.isArray(types) && types.every((type) => typeof type === "string") ? types : [];
}

/**
 * A message or call that is still open stays open: what follows is appended to what the snapshot
 * says.
 */
function keepOpen(old: ChatMessage | undefined, message: ChatMessage): ChatMessage {
  if (old === undefined) return message;
  const status = old.status === "streaming" ? "streaming" : message.status;
  if (message.role !== "assistant") return { ...message, status };
  const open = new Set(
    old.role === "assistant" ? old.toolCalls?.filter((call) => call.status === "streaming").map(({ id }) => id) : [],
  );
  if (open.size === 0 || message.toolCalls === undefined) return { ...message, status };
  return {
    ...message,
    status,
    toolCalls: message.toolCalls.map((call) => (open.has(call.id) ? openAgain(call) : call)),
  };
}

function openAgain({ parsedArguments: _early, ...call }: ChatToolCall): ChatToolCall {
  return { ...call, status: "streaming" };
}

function withResults(message: ChatMessage, results: ReadonlyMap<string, ToolChatMessage>): ChatMessage {
  if (message.role !== "assistant" || message.toolCalls === undefined) return message;
  const toolCalls = message.toolCalls.map(({ result: _before, ...call }) => {
    const result = results.get(call.id);
    return result === undefined ? call : { ...call, result: resultOf(result) };
  });
  return { ...message, toolCalls } satisfies AssistantChatMessage;
}

/** Adds the messages whose ids are not there yet, at the end, with their results attached. */
export function addMessages(state: ChatState, added: readonly ChatMessage[]): ChatState {
  const ids = new Set(state.messages.map(({ id }) => id));
  const fresh: ChatMessage[] = [];
  for (const message of added) {
    if (ids.has(message.id)) continue;
    ids.add(message.id);
    fresh.push(message);
  }
  if (fresh.length === 0) return state;
  return { ...state, messages: attachAll([...state.messages, ...fresh]) };
}

function attachAll(messages: Messages): Messages {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message] as const] : [])),
  );
  return messages.map((message) => share<ChatMessage>(message, withResults(message, results)));
}
