// Tool calls: opened in an assistant message. Their arguments stream as text and are parsed once,
// at END. Their results are placed behind the message.

import type { ToolCallArgsEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent } from "@ag-ui/core";
import type { AssistantChatMessage, ChatState, ChatToolCall, ToolChatMessage } from "../state/chat-state.ts";
import { type Fold, mergeMetadata, noSuchCall, ownerField, warn, withMessage } from "./fold.ts";
import type { FoundCall, Messages } from "./message-list.ts";
import { attachResult, withCall } from "./tool-results.ts";

/** Opens a call, or opens an existing one again: its arguments stay. */
export function startCall(fold: Fold, state: ChatState, event: ToolCallStartEvent): ChatState {
  const { toolCallId, toolCallName } = event;
  const pending = withPendingCall(state, toolCallId);
  const found = fold.lists.findCall(state.messages, toolCallId);
  if (found !== undefined) {
    const next = withFound(fold, pending, found, mergeMetadata(reopened(found.call, toolCallName), event.metadata));
    if (found.call.name === toolCallName) return next;
    const message = `TOOL_CALL_START: tool call "${toolCallId}" was named "${found.call.name}" and is now "${toolCallName}"`;
    return warn(next, { code: "renamed", eventType: event.type, message });
  }
  const call = mergeMetadata<ChatToolCall>(
    { id: toolCallId, name: toolCallName, status: "streaming", arguments: "" },
    event.metadata,
  );
  return openIn(fold, pending, event, call);
}

export function appendArguments(fold: Fold, state: ChatState, event: ToolCallArgsEvent): ChatState {
  const found = fold.lists.findCall(state.messages, event.toolCallId);
  if (found === undefined) return noSuchCall(state, event.type, event.toolCallId);
  const { call } = found;
  const longer = event.delta === "" ? call : { ...call, arguments: call.arguments + event.delta };
  return withFound(fold, state, found, mergeMetadata(longer, event.metadata));
}

export function endCall(fold: Fold, state: ChatState, event: ToolCallEndEvent): ChatState {
  const found = fold.lists.findCall(state.messages, event.toolCallId);
  if (found === undefined) return noSuchCall(state, event.type, event.toolCallId);
  return withFound(fold, state, found, mergeMetadata(completed(found.call), event.metadata));
}

/** The call as complete, with parsed arguments. Empty text gives `{}`. */
export function completed(call: ChatToolCall): ChatToolCall {
  if (call.status === "complete") return call;
  const { parsedArguments: _stale, ...rest } = call;
  const parsed = parse(call.arguments);
  return { ...rest, status: "complete", ...(parsed !== undefined && { parsedArguments: parsed }) };
}

/**
 * Adds a result as a message, right behind its assistant message and the results that are there. At
 * the end when there is no such call.
 */
export function addResult(fold: Fold, state: ChatState, event: ToolCallResultEvent): ChatState {
  const { toolCallId, content } = event;
  const answered = withoutPendingCall(state, toolCallId);
  const existing = fold.lists.find(state.messages, event.messageId);
  const known = state.messages[existing];
  if (known?.role === "tool" && known.toolCallId === toolCallId) {
    // The same result was delivered again: it replaces itself.
    const { error: _before, ...rest } = known;
    const again = mergeMetadata<ToolChatMessage>(
      known.content === content && known.error === undefined ? known : { ...rest, content },
      event.metadata,
    );
    return attachResult(fold, withMessage(fold, answered, existing, again), existing);
  }
  const id = known === undefined ? event.messageId : freeId(fold, state.messages, `${toolCallId}:result`);
  const message = mergeMetadata<ToolChatMessage>(
    { id, role: "tool", toolCallId, content, status: "complete", ...ownerField(event) },
    event.metadata,
  );
  const found = fold.lists.findCall(state.messages, toolCallId);
  const position = found === undefined ? state.messages.length : behindResults(state.messages, found.position + 1);
  const inserted = { ...answered, messages: fold.lists.insert(state.messages, position, message) };
  const attached = attachResult(fold, inserted, position);
  if (known === undefined) return attached;
  const text = `TOOL_CALL_RESULT: message "${event.messageId}" is of role ${known.role}; the result is message "${id}"`;
  return warn(attached, { code: "wrong_target", eventType: event.type, message: text });
}

/** Adds the call to its parent message, or to a new assistant message when there is none. */
function openIn(fold: Fold, state: ChatState, event: ToolCallStartEvent, call: ChatToolCall): ChatState {
  const { toolCallId, parentMessageId } = event;
  const position = parentMessageId === undefined ? -1 : fold.lists.find(state.messages, parentMessageId);
  const parent = state.messages[position];
  if (parent?.role === "assistant")
    return withMessage(fold, state, position, { ...parent, toolCalls: [...(parent.toolCalls ?? []), call] });
  const wanted = parent === undefined ? (parentMessageId ?? toolCallId) : toolCallId;
  const id = parent === undefined && parentMessageId !== undefined ? wanted : freeId(fold, state.messages, wanted);
  const carrier: AssistantChatMessage = {
    id,
    role: "assistant",
    status: "complete",
    toolCalls: [call],
    ...ownerField(event),
  };
  const next = { ...state, messages: fold.lists.append(state.messages, carrier) };
  if (parent === undefined) return next;
  const message = `TOOL_CALL_START: parent "${parent.id}" is of role ${parent.role}; the call is in message "${id}"`;
  return warn(next, { code: "wrong_target", eventType: event.type, message });
}

function behindResults(messages: Messages, from: number): number {
  let position = from;
  while (messages[position]?.role === "tool") position++;
  return position;
}

function withFound(fold: Fold, state: ChatState, found: FoundCall, next: ChatToolCall): ChatState {
  return withMessage(fold, state, found.position, withCall(found, next));
}

function reopened(call: ChatToolCall, name: string): ChatToolCall {
  if (call.status === "streaming" && call.name === name) return call;
  const { parsedArguments: _stale, ...rest } = call;
  return { ...rest, status: "streaming", name };
}

/** The id, or its first numbered variant that no message has. */
function freeId(fold: Fold, messages: Messages, wanted: string): string {
  let id = wanted;
  for (let number = 2; fold.lists.find(messages, id) !== -1; number++) id = `${wanted}:${number}`;
  return id;
}

function withPendingCall(state: ChatState, callId: string): ChatState {
  if (state.pendingToolCallIds.includes(callId)) return state;
  return { ...state, pendingToolCallIds: [...state.pendingToolCallIds, callId] };
}

function withoutPendingCall(state: ChatState, callId: string): ChatState {
  if (!state.pendingToolCallIds.includes(callId)) return state;
  return { ...state, pendingToolCallIds: state.pendingToolCallIds.filter((other) => other !== callId) };
}

function parse(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
