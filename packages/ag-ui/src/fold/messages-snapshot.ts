// MESSAGES_SNAPSHOT restates the conversation.
//
// Invariants:
// - Known messages are replaced in place, absent ones dropped, new ones appended.
// - Activities and reasoning that only the client has stay, unless the snapshot covers them.
// - A message that the snapshot repeats unchanged keeps its identity.

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
import { shareFromEnds } from "../state/share-from-ends.ts";
import type { Messages } from "./message-list.ts";
import { resultOf } from "./tool-results.ts";

/** The metadata key under which a snapshot names the activity types that it covers. */
const SNAPSHOT_METADATA = "@ag-ui/client";

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
    return shareFromEnds<ChatMessage>(old, withResults(keepOpen(old, message), results));
  });
  const same =
    messages.length === state.messages.length && messages.every((message, index) => message === state.messages[index]);
  // A snapshot that drops or restates an activity clears its conflicts.
  const conflicts = state.conflicts.filter(
    ({ messageId }) => messageId === undefined || (ids.has(messageId) && !snapshot.has(messageId)),
  );
  if (conflicts.length < state.conflicts.length)
    return { ...state, messages: same ? state.messages : messages, conflicts };
  return same ? state : { ...state, messages };
}

/**
 * Which messages stay when the snapshot omits them: those of a role, or an activity type, that the
 * snapshot does not cover.
 */
function keptLocally(event: MessagesSnapshotEvent): (message: ChatMessage) => boolean {
  const types = authoritativeActivityTypes(event);
  const coversActivities =
    types === "all" || (types === undefined && event.messages.some(({ role }) => role === "activity"));
  const coversReasoning = event.messages.some(({ role }) => role === "reasoning");
  return (message) => {
    if (message.role === "activity")
      return Array.isArray(types) ? !types.includes(message.activityType) : !coversActivities;
    return message.role === "reasoning" && !coversReasoning;
  };
}

/**
 * The activity types that the snapshot's metadata declares: all, some, or undefined without a
 * declaration. A malformed declaration names none.
 */
function authoritativeActivityTypes({ metadata }: MessagesSnapshotEvent): readonly unknown[] | "all" | undefined {
  if (metadata === undefined || !Object.hasOwn(metadata, SNAPSHOT_METADATA)) return undefined;
  const declared: unknown = metadata[SNAPSHOT_METADATA];
  if (!isRecord(declared)) return [];
  if (!Object.hasOwn(declared, "authoritativeActivityTypes")) return undefined;
  const types = declared["authoritativeActivityTypes"];
  if (types === null) return "all";
  return Array.isArray(types) && types.every((type) => typeof type === "string") ? types : [];
}

/**
 * A message or call that is still open stays open: later fragments are appended to the snapshot's
 * content.
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

/** Appends the messages whose ids are new, with their tool results attached. */
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
  return messages.map((message) => shareFromEnds<ChatMessage>(message, withResults(message, results)));
}
